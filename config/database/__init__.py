"""The database as this service uses it: with limits, a breaker, and 503 when it is away."""
