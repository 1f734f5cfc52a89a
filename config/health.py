"""What a supervisor asks: does this process serve, and what it needs?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from config.redis import redis_breaker, short_client


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Tell how the service is: 200, or 503 when the database is down.

    Redis may be away for a while without a wrong answer or a refused player, so it is told and
    changes no status: restarting the web server would not bring it back.
    """
    database = _database()
    return JsonResponse(
        {"status": database, "database": database, "redis": _redis()},
        status=200 if database == "ok" else 503,
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "down"
    return "ok"


def _redis() -> str:
    client = short_client()
    if client is None:
        return "absent"
    if redis_breaker.is_open:
        return "down"
    try:
        client.ping()
    except RedisError:
        return "down"
    return "ok"
