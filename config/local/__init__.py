"""Runs the whole service on one machine, for `make run`: nothing here is used by a deployment."""
