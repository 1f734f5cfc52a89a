"""The pages about the facts: what they say, to whom, and what they keep to themselves."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import engine
from games.models import DailyDeal
from tests.pages import Page
from tests.play import TODAY, new_player, start

pytestmark = pytest.mark.django_db
ATTEMPT = "815e61e8-fdf9-49d8-8eb2-f51d20862902"
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def seen(client: Client, path: str, language: str = "en", status: int = 200) -> Page:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == status, answer.status_code
    return Page(answer)


def daily(name: str, variant: str = "easy-harp") -> str:
    return reverse(f"web:{name}", args=[variant, TODAY])


PAGES = {
    "home": "/",
    "play": f"/play/eight-off-2/{TODAY}/",
    "practice": "/practice/?variant=easy-harp",
    "result": f"/result/{ATTEMPT}/",
    "replay": f"/replay/{ATTEMPT}/",
    "rules": "/rules/",
    "rules of Easy Harp": "/rules/easy-harp/",
    "rules of Eight Off": "/rules/eight-off/",
    "settings": "/settings/",
    "board": f"/leaderboard/easy-harp/{TODAY}/",
    "archive": "/archive/",
    "missing": "/nowhere/",
}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_whole_and_strict(
    name: str, language: str, client: Client, today: dict[str, DailyDeal]
) -> None:
    page = seen(client, PAGES[name], language, 404 if name == "missing" else 200)
    assert page.language == language
    assert page.unclosed == []
    assert page.title
    assert page.inline == []
    assert len(page.ids) == len(set(page.ids))
    # Nothing comes from anywhere else.
    assert not [link for link in page.addresses if re.match(r"(?:[a-z]+:)?//", link)]
    headers = page.answer.headers
    policy = dict(
        part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Accept-Language" in headers["Vary"]


@pytest.mark.parametrize("name", [name for name in PAGES if name != "missing"])
def test_a_page_is_read_only_and_asked_for_again(
    name: str, client: Client, today: dict[str, DailyDeal]
) -> None:
    answer = client.head(PAGES[name])
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "Accept-Language"} <= set(re.split(r",\s*", answer.headers["Vary"]))
    assert client.post(PAGES[name]).status_code == 405


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ("settings", "missing")])
def test_a_page_leaves_no_cookie(name: str, client: Client, today: dict[str, DailyDeal]) -> None:
    """Except where a form needs one."""
    assert not client.get(PAGES[name]).cookies


@pytest.mark.parametrize("name", PAGES)
def test_nothing_reveals_the_cards_of_an_open_deal(
    name: str, client: Client, today: dict[str, DailyDeal]
) -> None:
    start(new_player(), today["easy-harp"])
    content = client.get(PAGES[name]).content.decode()
    for deal in today.values():
        assert str(deal.pool_deal.code) not in content
        assert deal.salt not in content
        assert deal.pool_deal.winning_movetext[:30] not in content


# --- Home --------------------------------------------------------------------------------------


def test_home_leads_to_every_deal_of_today(client: Client, today: dict[str, DailyDeal]) -> None:
    start(new_player("Ada"), today["easy-harp"])
    start(new_player("Bruno"), today["easy-harp"])
    start(new_player("Carla"), today["eight-off"])
    page = seen(client, "/")
    assert "Monday 4 May" in page.text
    for slug, variant in engine.VARIANTS.items():
        assert variant.name in page.text
        assert daily("play", slug) in page.links
        assert daily("board", slug) in page.links
        assert f"/practice/?variant={slug}" in page.links
    assert "Closes in 12:00:00 · 2 players" in page.text
    assert "· 1 player " in page.text
    assert {given["data-countdown"] for given in page.having("data-countdown")} == {
        "2026-05-05T00:00:00+00:00"
    }
    assert [given["data-server-now"] for given in page.having("data-server-now")] == [
        "2026-05-04T12:00:00+00:00"
    ]


def test_home_says_so_when_a_deal_is_void_or_missing(
    client: Client, today: dict[str, DailyDeal], monkeypatch: pytest.MonkeyPatch
) -> None:
    DailyDeal.objects.filter(variant="eight-off").update(status="void")
    DailyDeal.objects.filter(variant="easy-harp").delete()
    monkeypatch.setattr("games.services.ensure_today", lambda **_now: None)
    page = seen(client, "/")
    assert "Today's deal isn't ready yet." in page.text
    assert "This deal was withdrawn from the competition" in page.text
    assert daily("play", "easy-harp") not in page.links
    assert daily("play", "eight-off") not in page.links
    assert daily("play", "eight-off-4") in page.links


def test_home_opens_the_day_itself_when_no_scheduler_runs(client: Client) -> None:
    with time_machine.travel("2026-05-09T00:00:10Z", tick=False):
        page = seen(client, "/")
    assert page.text.count("Closes in 23:59:50") == len(engine.VARIANTS)


def test_days_are_written_as_the_language_does(client: Client, today: dict[str, DailyDeal]) -> None:
    assert "lunedì 4 maggio" in seen(client, "/", "it").text
    assert "lunes 4 de mayo" in seen(client, "/", "es").text
    assert "lunes 4 de mayo de 2026" in seen(client, daily("board"), "es").text


# --- The table ---------------------------------------------------------------------------------


def test_the_table_of_a_day_names_its_deal_and_has_every_refusal(
    client: Client, today: dict[str, DailyDeal]
) -> None:
    content = client.get(daily("play", "eight-off-4"), headers={"accept-language": "it"})
    text = content.content.decode()
    assert 'data-variant="eight-off-4"' in text
    assert f'data-date="{TODAY}"' in text
    for code in [*engine.REFUSALS, *engine.CODE_ERRORS]:
        assert f'"{code}"' in text
    assert "Eight Off, 4 celle" in text


def test_the_winning_line_is_hidden_before_the_end(
    client: Client, today: dict[str, DailyDeal], clock: time_machine.Traveller
) -> None:
    path = daily("replay-line")
    seen(client, path, status=404)
    clock.shift(timedelta(days=1))
    assert seen(client, path).having("data-variant")


@pytest.mark.parametrize(
    "path",
    [
        f"/play/freecell/{TODAY}/",
        "/play/easy-harp/2020-01-01/",
        "/play/easy-harp/2026-02-30/",
        f"/replay/freecell/{TODAY}/",
        "/replay/nonsense/",
        "/result/nonsense/",
        "/rules/freecell/",
        "/texts/de.js",
        "/leaderboard/easy-harp/2020-01-01/",
        f"/leaderboard/freecell/{TODAY}/",
        "/archive/2026-13/",
        "/archive/2026-5/",
        "/archive/2020-01/",
        "/archive/9999-12/",
        "/archive/nonsense/",
        f"/players/{ATTEMPT}/",
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_page_says_so_in_the_readers_language(
    path: str, language: str, client: Client, today: dict[str, DailyDeal]
) -> None:
    page = seen(client, path, language, 404)
    head = {"en": "There's nothing here", "it": "Qui non c’è nulla", "es": "Aquí no hay nada"}
    assert page.title == head[language]
    assert "/" in page.links


# --- Rules, settings, texts --------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_tell_the_points(language: str, client: Client) -> None:
    harp = seen(client, "/rules/easy-harp/", language)
    assert "1220" in harp.text
    assert "1515" in harp.text
    assert len(harp.having("data-cards")) == 4
    assert "× 2" in seen(client, "/rules/eight-off/", language).text
    assert "promise" in seen(client, "/rules/", language).ids


def test_the_language_can_be_chosen_without_scripts(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    page = strict.get("/settings/")
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[0]
    form = {"language": "it", "next": "/settings/", "csrfmiddlewaretoken": token}
    answer = strict.post("/i18n/setlang/", form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/settings/")
    assert "Impostazioni" in seen(strict, "/settings/", "es").title
    assert strict.post("/i18n/setlang/", {"language": "it"}).status_code == 403


def test_a_form_without_its_token_is_refused_in_the_design() -> None:
    answer = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "it"})
    assert Page(answer).title == "This form has expired"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_the_scripts_do_not_depend_on_the_reader(
    language: str, client: Client
) -> None:
    home = client.get("/rules/", headers={"accept-language": language}).content.decode()
    (address,) = re.findall(r'src="(/texts/[^"]+)"', home)
    assert address.startswith(f"/texts/{language}.js?v=")
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    expected = {"en": "", "it": '"spades": "picche"', "es": '"spades": "picas"'}[language]
    assert expected in answer.content.decode()
    older = client.get(f"/texts/{language}.js?v=0")
    assert older.headers["Cache-Control"] == "no-cache"


# --- Errors ------------------------------------------------------------------------------------


def test_a_fault_of_ours_needs_neither_database_nor_script(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object
) -> None:
    def broken(**_now: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("games.services.ensure_today", broken)
    visitor = Client(raise_request_exception=False)
    page = seen(visitor, "/", "it", 500)
    assert page.title == "Qualcosa è andato storto"
    assert "/static/web/styles/base.css" in page.addresses
    assert page.inline == []
    assert "Content-Security-Policy" in page.answer.headers


def test_a_request_with_a_foreign_host_is_refused_as_malformed(client: Client) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert Page(answer).title == "We can't read this request"


def test_errors_of_the_api_stay_json(client: Client) -> None:
    answer = client.get("/api/v1/nowhere/")
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["code"] == "not_found"
    assert "Content-Security-Policy" in answer.headers


# --- The pages of others under the policy ------------------------------------------------------


def test_the_description_of_the_api_relaxes_styles_alone(client: Client) -> None:
    answer = client.get("/api/v1/docs/")
    policy = answer.headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "script-src 'self';" in f"{policy};"
    page = Page(answer)
    assert "script" not in page.inline
    (script,) = [link for link in page.addresses if "script=" in link]
    assert "SwaggerUIBundle" in client.get(script).content.decode()
