"""Template tags of the pages: days and times in words, small tables."""

from datetime import date, datetime
from math import ceil

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils import dateformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from games import engine
from games.pages import modules, texts

register = template.Library()

_DAYS = {"en": "l j F", "it": "l j F", "es": r"l j \d\e F"}
_LONG_DAYS = {"en": "l j F Y", "it": "l j F Y", "es": r"l j \d\e F \d\e Y"}
_SHORT_DAYS = {"en": "D j", "it": "D j", "es": "D j"}
_MONTHS = {"en": "F Y", "it": "F Y", "es": r"F \d\e Y"}


@register.simple_tag
def js_texts() -> str:
    """Return the address of the texts of the modules, in the language of the page."""
    return texts.address(get_language() or "en")


@register.simple_tag
def preload_modules(*names: str) -> SafeString:
    """Have the browser fetch modules and all that they import without reading them one by one."""
    needed = dict.fromkeys(needed for name in names for needed in modules.with_imports(name))
    return format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((static(name),) for name in needed)
    )


@register.filter
def day(value: date) -> str:
    """Return a day without its year: Sunday 29 November."""
    return _formatted(value, _DAYS)


@register.filter
def long_day(value: date) -> str:
    """Return a day with its year."""
    return _formatted(value, _LONG_DAYS)


@register.filter
def short_day(value: date) -> str:
    """Return a day of a known month: Sun 29."""
    return _formatted(value, _SHORT_DAYS)


@register.filter
def month(value: date) -> str:
    """Return a month and its year, as a heading."""
    text = _formatted(value, _MONTHS)
    return text[:1].upper() + text[1:]


def _formatted(value: date, formats: dict[str, str]) -> str:
    language = get_language() or "en"
    text = dateformat.format(value, formats[language])
    # Only English writes days and months with a capital.
    return text if language == "en" else text.lower()


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Return the languages under their own names, so that readers recognise theirs."""
    return settings.LANGUAGES


@register.filter
def duration(seconds: int) -> str:
    """Return a number of seconds as 4:07 or 1:04:07."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def left(until: datetime, now: datetime) -> str:
    """Return how long it is until then; the page counts down from there."""
    return duration(max(0, ceil((until - now).total_seconds())))


@register.filter
def variant_name(slug: str) -> str:
    """Return the translated name of a variant."""
    return gettext(engine.VARIANTS[slug].name)


@register.simple_tag
def table_picture(slug: str) -> SafeString:
    """Return a small drawing of the table of a variant: its cells, foundations and columns."""
    variant = engine.VARIANTS[slug]
    step, width, height = 15, 11, 15
    heights = range(1, 10) if variant.has_stock else [6] * 8
    total = max(variant.columns, variant.cells + variant.foundations) * step - (step - width)
    cards: list[tuple[str, int, int]] = []
    places = variant.cells or 2
    cards += [("place", at * step, 0) for at in range(places)]
    cards += [("place", total - width - at * step, 0) for at in range(variant.foundations)]
    if variant.has_stock:
        cards.append(("back", 0, 0))
    offset = (total - (variant.columns * step - (step - width))) // 2
    for column, held in enumerate(heights):
        for row in range(held):
            is_back = variant.has_stock and row < held - 1
            kind = "back" if is_back else "card"
            cards.append((kind, offset + column * step, 21 + row * 4))
    return format_html(
        '<svg class="table-picture" viewBox="-1 -1 {} 70" aria-hidden="true">{}</svg>',
        total + 2,
        format_html_join(
            "",
            '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1.8"/>',
            ((kind, x, y, width, height) for kind, x, y in cards),
        ),
    )
