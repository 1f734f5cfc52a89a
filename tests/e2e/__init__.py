"""The web client in a browser: what a player does, on a real server and a real database."""
