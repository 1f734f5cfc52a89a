"""Puts the games and the leaderboard together into one service."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
