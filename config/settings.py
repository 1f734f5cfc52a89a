"""All settings, in one file. What differs between installations comes from the environment.

The names are listed in .env.example. Without any of them the project runs on SQLite and without
Redis, which is right for commands and for a first look; `make run` adds the rest.
"""

import logging
import os
import secrets
from datetime import timedelta
from pathlib import Path

import django_stubs_ext
from celery.schedules import crontab
from environs import Env, EnvValidationError, ValidationError, validate

from config.rates import rate

# Makes the classes that the type checker knows as generic subscriptable at run time, too.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
# Tests name another file, so that the checkout's own does not reach them.
env.read_env(os.environ.get("ENV_FILE") or BASE_DIR / ".env", recurse=False)


def _refuse(name: str, reason: str) -> None:
    """Refuse a value that its reader lets pass, in the reader's own words."""
    raise EnvValidationError(f'Environment variable "{name}" invalid: {reason}', [reason])


# --- The installation -------------------------------------------------------------------------

# Everything that an embedded service writes stays in this folder of the checkout.
STATE_DIR = Path(env.str("STATE_DIR", "") or BASE_DIR / ".local")
DEBUG = env.bool("DEBUG", False)
# A key invented here ends every session with the process; check --deploy then warns about it.
SECRET_KEY_FROM_ENVIRONMENT = bool(env.str("SECRET_KEY", ""))
SECRET_KEY = env.str("SECRET_KEY", "") or secrets.token_urlsafe(50)
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
# How many proxies of ours are in front of the service: calls are counted by address, and only what
# our own proxies write into X-Forwarded-For counts as one.
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", 0, validate=validate.Range(min=0))
# IPv6 addresses count by their network of this many bits: a household has one to itself.
THROTTLE_IPV6_PREFIX = env.int("THROTTLE_IPV6_PREFIX", 64, validate=validate.Range(min=1, max=128))
HTTPS_ONLY = env.bool("HTTPS_ONLY", False)
REDIS_URL = env.str(
    "REDIS_URL",
    "",
    validate=validate.Regexp(
        r"(rediss?://.+)?\Z", error="Write an address such as redis://:password@host:6379/0."
    ),
)
_ADMIN_EMAILS: list[str] = env.list("ADMIN_EMAILS", [])
ADMINS = [("Admins", address) for address in _ADMIN_EMAILS]
SERVER_EMAIL = DEFAULT_FROM_EMAIL = env.str("FROM_EMAIL", "dailydeal@localhost")

# --- The application --------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_standardized_errors",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "config.apps.ConfigConfig",
    "games.apps.GamesConfig",
    "leaderboard.apps.LeaderboardConfig",
]

MIDDLEWARE = [
    "config.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Above WhiteNoise: without STATIC_ROOT its files are not compressed beforehand.
    "django.middleware.gzip.GZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Below WhiteNoise: a policy is for pages, and would be a third of a small module.
    "csp.middleware.CSPMiddleware",
    "config.middleware.RequestFormMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
AUTH_USER_MODEL = "games.Player"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "display_name"]},
    }
] + [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Data -------------------------------------------------------------------------------------

DATABASES = {
    "default": env.dj_db_url("DATABASE_URL", f"sqlite:///{STATE_DIR}/db.sqlite3", conn_max_age=60)
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue for the lock when they begin, instead of failing when two of them upgrade a
    # read; and readers go on meanwhile.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # A file, as in production: the tests of simultaneous requests need competing connections.
    DATABASES["default"]["TEST"] = {"NAME": str(STATE_DIR / "test.sqlite3")}
    STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "config.database.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Whole seconds, at least 2: libpq knows no others.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 2)
else:
    _refuse("DATABASE_URL", "Write an address such as postgres://user:password@host/name.")

# How long a statement may run or wait for a lock, and a transaction stay idle; 0 is no limit.
# On SQLite `statement_ms` is how long the web waits for the only lock.
_at_least_none = validate.Range(min=0)
DATABASE_WEB_LIMITS = {
    "statement_ms": env.int("DATABASE_WEB_STATEMENT_MS", 2_500, validate=_at_least_none),
    "lock_ms": env.int("DATABASE_WEB_LOCK_MS", 1_500, validate=_at_least_none),
    "idle_in_transaction_ms": env.int(
        "DATABASE_WEB_IDLE_IN_TRANSACTION_MS", 5_000, validate=_at_least_none
    ),
}
DATABASE_LONG_LIMITS = {
    "statement_ms": env.int("DATABASE_LONG_STATEMENT_MS", 900_000, validate=_at_least_none),
    "lock_ms": env.int("DATABASE_LONG_LOCK_MS", 120_000, validate=_at_least_none),
    "idle_in_transaction_ms": env.int(
        "DATABASE_LONG_IDLE_IN_TRANSACTION_MS", 900_000, validate=_at_least_none
    ),
}

# --- Time, languages, files -------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"  # the service's day
USE_I18N = True
LANGUAGE_CODE = "en"
# Before those of the libraries: each application has its own texts.
LOCALE_PATHS = [BASE_DIR / app / "locale" for app in ("games", "leaderboard", "config")]
LANGUAGES = [("en", "English"), ("it", "Italiano"), ("es", "Español")]

STATIC_URL = "static/"
STATICFILES_FINDERS = ["config.finders.ModulesFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStaticFilesStorage"},
}
# An image has its files collected in STATIC_ROOT. Without it, as in `make run` and in tests, they
# are served from the apps.
STATIC_ROOT = Path(_static_root) if (_static_root := env.str("STATIC_ROOT", "")) else None
if STATIC_ROOT is None:
    STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage",
    }
    WHITENOISE_USE_FINDERS = True
    WHITENOISE_AUTOREFRESH = DEBUG
    WHITENOISE_MAX_AGE = 0  # their names do not show their versions

# --- Security ---------------------------------------------------------------------------------

SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Everything comes from here, and no page has inline scripts or styles.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
SESSION_COOKIE_HTTPONLY = True
if HTTPS_ONLY:
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 365 * 24 * 3600, validate=_at_least_none)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_INCLUDE_SUBDOMAINS", True)
    SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", True)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# A log has at most 64 KiB; in JSON, at worst escaping, six times as much. A larger body, before or
# after decompression, cannot be a valid call.
MAX_BODY_BYTES = 512 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

# --- The API ----------------------------------------------------------------------------------


def _is_rate(text: str) -> None:
    try:
        rate(text)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def _throttle_rates() -> dict[str, str]:
    """Return the rate of each scope; THROTTLE_JOIN_PER_ADDRESS and so on may say another."""
    defaults = {
        "join_per_address": "60/hour",
        "login_per_name": "10/hour",
        "login_per_name_ceiling": "100/hour",
        "login_per_address": "30/hour",
        "admin_login_per_name_and_address": "10/hour",
        "password_per_player": "10/hour",
        "password_per_address": "60/hour",
        "start_per_player": "120/hour",
        "start_per_address": "1200/hour",
        "submit_per_player": "240/hour",
        "submit_per_address": "2400/hour",
        "rename_per_player": "20/hour",
        "rename_per_address": "100/hour",
        "analyse_per_player": "20/hour",
        "analyse_per_address": "100/hour",
        "verify_per_player": "60/minute",
        "verify_per_address": "120/minute",
        "random_per_address": "120/minute",
        "schema_per_address": "60/minute",
        "docs_per_address": "60/minute",
        "board_per_address": "1200/minute",
        "daily_per_address": "1200/minute",
        "page_per_address": "1200/minute",
    }
    return {
        scope: env.str(f"THROTTLE_{scope.upper()}", default, validate=_is_rate)
        for scope, default in defaults.items()
    }


THROTTLE_RATES = _throttle_rates()

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["games.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_PARSER_CLASSES": ["config.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_standardized_errors.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "config.errors.ExceptionHandler",
    "ENABLE_IN_DEBUG_FOR_UNHANDLED_EXCEPTIONS": True,
    "ALLOWED_ERROR_STATUS_CODES": ["400", "401", "403", "404", "405", "415", "429"],
}
REST_KNOX = {
    "TOKEN_TTL": None,  # a guest has only the token: it must not expire
    "AUTO_REFRESH": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Daily deal API",
    "DESCRIPTION": (
        "Play the deal of the day of Easy Harp or Eight Off and send the log of your actions. "
        "The server replays it by its own rules and ranks what it has verified."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "ValidationErrorEnum": "drf_standardized_errors.openapi_serializers.ValidationErrorEnum",
        "ClientErrorEnum": "drf_standardized_errors.openapi_serializers.ClientErrorEnum",
        "DailyDealStatusEnum": "games.models.DailyDeal.Status",
        "LogStatusEnum": "games.models.Submission.Status",
        "ReceiptStatusEnum": "leaderboard.receipts.STATUSES",
        "AnalysisStatusEnum": "games.api.serializers.ANALYSIS_STATUSES",
        "ErrorTypeEnum": "games.api.serializers.ERROR_TYPES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_standardized_errors.openapi_hooks.postprocess_schema_enums",
    ],
}

# Names that players cannot take, beside those of games/reserved.py.
RESERVED_NAMES: tuple[str, ...] = tuple(env.list("RESERVED_NAMES", []))

# --- The competition --------------------------------------------------------------------------

GRACE = timedelta(minutes=10)  # after the close, for attempts started before it
# Standings become final this long after the grace: longer than any request may take.
SETTLE = timedelta(minutes=1)
# The last refused log of an attempt is kept as long as the attempt. Earlier ones stay for a while,
# so that a player's question about them can be answered, up to this many, including the last.
REFUSED_LOGS_KEPT_PER_ATTEMPT = env.int(
    "REFUSED_LOGS_KEPT_PER_ATTEMPT", 20, validate=validate.Range(min=1)
)
REFUSED_LOGS_KEPT_DAYS = env.int(
    "REFUSED_LOGS_KEPT_DAYS", 90, validate=validate.Range(min=0, max=36_500)
)
DAYS_AHEAD = 14  # this many days after today have deals assigned
MOST_DAYS_AHEAD = 366  # an admin may schedule no further ahead
MOST_EXTENDED_HOURS = 48  # an extended deal closes at most this long after its day
POOL_LOW_WATER = 60  # with fewer unused deals of a variant, new ones are certified
POOL_ALARM = 20  # with this few, the admins get a mail
# The shipped pool is public, with its lines. A competition that matters, which is one behind HTTPS
# unless it says otherwise, plays deals that it certified itself (docs/adr/0012).
REAL_DEALS = env.bool("REAL_DEALS", False)
ALLOW_SHIPPED_DEALS = env.bool("ALLOW_SHIPPED_DEALS", False)
OWN_DEALS_ONLY = (HTTPS_ONLY or REAL_DEALS) and not ALLOW_SHIPPED_DEALS
# Positions: how far the solver goes for one deal, for one question about a lost game, and in one
# run of the task that fills the pool, before others in its queue have their turn.
CERTIFY_BUDGET = env.int(
    "CERTIFY_BUDGET", 2_000_000, validate=validate.Range(min=1, max=20_000_000)
)
MAX_ASKED_BUDGET = 5_000_000  # for a code typed by hand; memory grows by 1 KiB a position
ANALYSIS_BUDGET = 3_000_000
TOP_UP_POSITIONS = 5_000_000

# --- Tasks ------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_TIMEZONE = "UTC"
# A worker takes one message at a time: others would wait for an hour's search beside it.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Longer than any task may take: a task delivered again sooner would run twice.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3 * 3600}
# Searches take minutes: they have a queue and a worker of their own.
SEARCH_QUEUE = "search"
CELERY_TASK_ROUTES = {
    f"games.tasks.{task}": {"queue": SEARCH_QUEUE}
    for task in ("certify_pending", "analyse_pending", "top_up_pool")
}
CELERY_BEAT_SCHEDULE = {
    "roll-over": {
        "task": "games.tasks.roll_over",
        "schedule": crontab(),  # every minute, on the minute: the deals change at midnight
        "options": {"expires": 50},
    },
    # A request also sends the first two; these repair the loss of that message.
    "certify-pending": {
        "task": "games.tasks.certify_pending",
        "schedule": crontab(),
        "options": {"expires": 50},
    },
    "analyse-pending": {
        "task": "games.tasks.analyse_pending",
        "schedule": crontab(),
        "options": {"expires": 50},
    },
    "forget-addresses": {
        "task": "games.tasks.forget_addresses",
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "top-up-pool": {
        "task": "games.tasks.top_up_pool",
        "schedule": crontab(minute="5-59/10"),
        "options": {"expires": 590},
    },
    "forget-refused-logs": {
        "task": "games.tasks.forget_refused_logs",
        "schedule": crontab(hour=3, minute=20),
        "options": {"expires": 3600},
    },
}

# --- Logging ----------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.logs.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "nowhere": {"class": "logging.NullHandler"},
        "mail_admins": {"class": "config.logs.MailHandler"},
    },
    "root": {"handlers": ["console"], "level": env.log_level("LOG_LEVEL", logging.INFO)},
    "loggers": {
        "config": {"handlers": ["mail_admins"]},
        "games": {"handlers": ["mail_admins"]},
        "leaderboard": {"handlers": ["mail_admins"]},
        "django": {"handlers": ["mail_admins"], "propagate": True},
        # Malformed requests are the sender's mistake, and robots send many: they cause no mail.
        "django.security": {"handlers": ["console"], "propagate": False},
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
    },
}

_EMAIL = env.dj_email_url("EMAIL_URL", "console:")
EMAIL_BACKEND = _EMAIL.get("EMAIL_BACKEND", "")
_has_no_server = EMAIL_BACKEND.endswith(".smtp.EmailBackend") and not _EMAIL["EMAIL_HOST"]
# Mails as files would need a setting more.
if not EMAIL_BACKEND or "filebased" in EMAIL_BACKEND or _has_no_server:
    _refuse("EMAIL_URL", "Write console: or submission://user:password@host:587.")
EMAIL_HOST = _EMAIL["EMAIL_HOST"]
EMAIL_PORT = _EMAIL["EMAIL_PORT"]
EMAIL_HOST_USER = _EMAIL["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = _EMAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = _EMAIL["EMAIL_USE_TLS"]
EMAIL_USE_SSL = _EMAIL["EMAIL_USE_SSL"]
EMAIL_TIMEOUT = 5  # seconds, to connect and for each answer
