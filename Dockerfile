# The service's image. One image, three processes: see docker-compose.yml for worker and beat.
FROM python:3.13.9-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    STATIC_ROOT=/srv/static

RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin dailydeal

WORKDIR /srv/app

# Packages first: they change less often than the code.
COPY pyproject.toml constraints.txt ./
RUN pip install --no-cache-dir --no-compile -c constraints.txt -e .

COPY manage.py gunicorn.conf.py ./
COPY config ./config
COPY games ./games
COPY leaderboard ./leaderboard
# Owned by root: the process may read its code and its files, not change them.
RUN python manage.py collectstatic --noinput && rm -rf .local

USER dailydeal
# The only place where it may write.
ENV STATE_DIR=/tmp/dailydeal
EXPOSE 8000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz/', timeout=5)"]

# The log of requests has no query and no referrer: an admin searches for names.
# WEB_CONCURRENCY is the number of processes; gunicorn reads it itself. Few threads are enough, since
# the proxy passes on whole requests. Requests in progress get longer to end than the proxy waits.
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", "--threads", "4", "--timeout", "60", "--graceful-timeout", "35", "--keep-alive", "2", "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--access-logfile", "-", "--access-logformat", "%(h)s %(t)s \"%(m)s %(U)s %(H)s\" %(s)s %(B)s %(M)s ms"]
