"""The admin: a person can run the competition in it, and what must not change has no form."""

import json
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from games import engine, services
from games.models import Attempt, Certification, DailyDeal, Player, PoolDeal, Submission
from games.tasks import certify_pending
from leaderboard.models import DailyResult
from tests.logs import Win, wins_of
from tests.play import NOON, TODAY, Caller, assign, new_player, start, submit

pytestmark = pytest.mark.django_db
WINS = wins_of("eight-off")
WIN = WINS[0]
OTHER = WINS[5]


@pytest.fixture
def staff() -> Player:
    return Player.objects.create_superuser("boss", "a long password")


@pytest.fixture
def desk(staff: Player) -> Client:
    client = Client()
    client.force_login(staff)
    return client


def in_store(win: Win) -> PoolDeal:
    """Put the deal of a real winning log into the pool."""
    return PoolDeal.objects.create(
        variant=win.variant,
        number=win.number,
        winning_movetext=win.movetext,
        par_moves=win.moves,
        grade=2,
    )


def page(desk: Client, name: str, *args: object, query: str = "") -> str:
    answer = desk.get(reverse(f"admin:{name}", args=args) + query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def details_of(entry: LogEntry) -> dict:
    return json.loads(entry.change_message)


# --- The calendar -----------------------------------------------------------------------------


def test_the_calendar_shows_status_code_entrants_and_winners(today, desk) -> None:
    deal = today["eight-off"]
    submit(start(new_player("Ada"), deal), WIN.movetext)
    submit(start(new_player("Bruno"), deal), WIN.half)
    start(new_player("Carla"), deal)
    (row,) = [row for row in _rows(page(desk, "games_dailydeal_changelist")) if WIN.code in row]
    assert "open" in row
    assert '<td class="field-entrants">3</td>' in row
    assert '<td class="field-winners">1</td>' in row


def _rows(html: str) -> list[str]:
    return html.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")


def test_the_calendar_tells_how_long_the_pool_lasts(today, desk) -> None:
    in_store(OTHER)
    html = page(desk, "games_dailydeal_changelist")
    assert '<span class="alarm">Eight Off <strong>1</strong>' in html
    assert '<span class="alarm">Easy Harp <strong>0</strong>' in html


def test_the_calendar_opens_at_today_and_has_the_past_behind_a_filter(today, desk) -> None:
    past = assign("eight-off", TODAY - timedelta(days=3), win=WINS[1])
    name = "games_dailydeal_changelist"
    codes = {
        query: [
            str(deal.pool_deal.code) in page(desk, name, query=query)
            for deal in (today["eight-off"], past)
        ]
        for query in ("", "?when=past", "?when=all")
    }
    assert codes == {"": [True, False], "?when=past": [False, True], "?when=all": [True, True]}


@pytest.mark.parametrize("slug", engine.VARIANTS)
def test_a_deal_is_shown_as_cards(today, desk, slug: str) -> None:
    html = page(desk, "games_dailydeal_change", today[slug].pk)
    cards = html.count('class="card red') + html.count('class="card black')
    assert cards == engine.VARIANTS[slug].deck_size
    assert html.count("face-down") == (36 if slug == "easy-harp" else 0)


def test_a_future_deal_is_scheduled_by_code(today, desk, staff) -> None:
    in_store(OTHER)
    day = TODAY + timedelta(days=3)
    answer = desk.post(
        reverse("admin:games_dailydeal_schedule"),
        {"variant": "eight-off", "day": day, "code": OTHER.code.lower(), "reason": "A birthday."},
    )
    deal = DailyDeal.objects.get(variant="eight-off", date=day)
    assert answer.url == reverse("admin:games_dailydeal_change", args=[deal.pk])
    assert str(deal.pool_deal.code) == OTHER.code
    assert deal.status == "scheduled"
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (staff, str(deal.pk))
    details = details_of(entry)
    assert (details["action"], details["reason"], details["before"]) == (
        "schedule",
        "A birthday.",
        None,
    )
    assert details["after"]["code"] == OTHER.code


def test_a_future_deal_is_replaced_and_the_other_is_free_again(today, desk) -> None:
    in_store(OTHER)
    day = TODAY + timedelta(days=3)
    deal = assign("eight-off", day, win=WINS[1])
    desk.post(
        reverse("admin:games_dailydeal_schedule"),
        {"variant": "eight-off", "day": day, "code": OTHER.code, "reason": "Too easy."},
    )
    deal.refresh_from_db()
    assert str(deal.pool_deal.code) == OTHER.code
    assert details_of(LogEntry.objects.get())["before"]["code"] == WINS[1].code
    freed = PoolDeal.objects.get(variant="eight-off", number=WINS[1].number)
    assert not hasattr(freed, "daily_deal")


REFUSED = {
    "not a code": ({"code": "EO1-C8-AAAAAA1"}, "letters of a deal code"),
    "another variant": ({"code": "EO1-C4-AAAAAFA"}, "another variant"),
    "not certified": ({"code": "EO1-C8-AAAAAAB"}, "Certify the code first"),
    "used already": ({"code": WIN.code}, "played on one day only"),
    "today": ({"day": TODAY}, "has begun"),
    "yesterday": ({"day": TODAY - timedelta(days=1)}, "has begun"),
    "no day": ({"day": "soon"}, "valid date"),
    "no reason": ({"reason": " "}, "required"),
    "no variant": ({"variant": "bridge"}, "valid choice"),
}


@pytest.mark.parametrize(("fields", "text"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_schedule_says_why_and_changes_nothing(
    today, desk, fields: dict, text: str
) -> None:
    in_store(OTHER)
    before = list(DailyDeal.objects.order_by("pk").values())
    good = {
        "variant": "eight-off",
        "day": TODAY + timedelta(days=3),
        "code": OTHER.code,
        "reason": "A reason.",
    }
    answer = desk.post(reverse("admin:games_dailydeal_schedule"), {**good, **fields})
    assert answer.status_code == 200
    assert text in answer.content.decode()
    assert list(DailyDeal.objects.order_by("pk").values()) == before
    assert not LogEntry.objects.exists()


def test_an_opened_deal_cannot_be_replaced(today, desk) -> None:
    """Its day is still ahead, as after a clock was set back, but its cards were published."""
    in_store(OTHER)
    deal = assign("eight-off", TODAY + timedelta(days=3), win=WINS[1])
    DailyDeal.objects.filter(pk=deal.pk).update(status="open")
    answer = desk.post(
        reverse("admin:games_dailydeal_schedule"),
        {"variant": "eight-off", "day": deal.date, "code": OTHER.code, "reason": "A reason."},
    )
    assert "no longer scheduled" in answer.content.decode()
    deal.refresh_from_db()
    assert str(deal.pool_deal.code) == WINS[1].code


def test_a_deal_is_voided_with_a_reason(today, desk) -> None:
    deal = today["eight-off"]
    address = reverse("admin:games_dailydeal_void", args=[deal.pk])
    assert "undo this" in desk.get(address).content.decode()
    desk.post(address, {"reason": "The app dealt other cards."})
    deal.refresh_from_db()
    assert deal.status == "void"
    details = details_of(LogEntry.objects.get())
    assert (details["before"]["status"], details["after"]["status"]) == ("open", "void")
    assert "already void" in desk.post(address, {"reason": "Again."}).content.decode()


def test_a_week_is_planned_by_grades(today, desk) -> None:
    for win, grade in zip(WINS[10:13], (1, 3, 5), strict=True):
        deal = in_store(win)
        PoolDeal.objects.filter(pk=deal.pk).update(grade=grade)
    address = reverse("admin:games_dailydeal_plan")
    fields = {"variant": "eight-off", "first_day": TODAY + timedelta(days=1), "reason": "Rising."}
    assert desk.get(address).status_code == 200
    for grades in ("", "6", "1 x", "1,2", "1 " * 15):
        refused = desk.post(address, {**fields, "grades": grades})
        assert refused.status_code == 200
    assert "too few" in desk.post(address, {**fields, "grades": "1 2"}).content.decode()
    assert desk.post(address, {**fields, "grades": "1 3 5"}).status_code == 302
    planned = DailyDeal.objects.filter(variant="eight-off", date__gt=TODAY).order_by("date")
    assert [deal.pool_deal.grade for deal in planned] == [1, 3, 5]
    assert LogEntry.objects.count() == 3


def test_a_code_typed_by_hand_is_certified(today, desk) -> None:
    address = reverse("admin:games_certification_certify")
    assert desk.get(address).status_code == 200
    fields = {"code": OTHER.code, "budget": 500_000, "reason": "For Sunday."}
    for change, text in (
        ({"code": "EO1-C8-AAAAAA1"}, "letters of a deal code"),
        ({"code": WIN.code}, "already certified"),
        ({"budget": 0}, "greater than or equal"),
        ({"budget": 10**12}, "less than or equal"),
        ({"reason": ""}, "required"),
    ):
        assert text in desk.post(address, {**fields, **change}).content.decode()
    assert not Certification.objects.exists()
    asked = desk.post(address, fields)
    certification = Certification.objects.get()
    assert asked.url == reverse("admin:games_certification_change", args=[certification.pk])
    assert "Waiting for the solver" in page(desk, "games_certification_change", certification.pk)
    assert details_of(LogEntry.objects.get())["action"] == "certify"
    certify_pending()
    html = page(desk, "games_certification_change", certification.pk)
    assert "Proved" in html
    deal = PoolDeal.objects.get(number=OTHER.number, variant="eight-off")
    assert reverse("admin:games_pooldeal_change", args=[deal.pk]) in html


@pytest.mark.parametrize(
    ("outcome", "text"), [("unwinnable", "no line wins"), ("unknown", "budget ran out")]
)
def test_a_refused_code_says_why(desk, clock, outcome: str, text: str) -> None:
    certification = Certification.objects.create(
        variant="eight-off-2",
        number=1,
        outcome=outcome,
        budget=1,
        positions=1,
        requested_at=NOON,
        finished_at=NOON,
    )
    assert text in page(desk, "games_certification_change", certification.pk)
    assert text in page(desk, "games_certification_changelist")


@pytest.mark.parametrize("slug", engine.VARIANTS)
def test_the_line_of_a_pool_deal_is_shown_step_by_step(desk, slug: str) -> None:
    win = wins_of(slug)[3]
    deal = in_store(win)
    last = len(win.tokens)
    html = page(desk, "games_pooldeal_replay", deal.pk, query=f"?step={last}")
    assert f"{last} / {last}" in html
    assert f"score {win.score}" in html
    assert f"Par {win.moves}, grade 2" in html
    assert "choose a day" in page(desk, "games_pooldeal_changelist")
    assert "choose a day" not in page(
        desk, "games_pooldeal_changelist", query="?daily_deal__isempty=0"
    )


# --- Submissions ------------------------------------------------------------------------------


def test_submissions_are_filtered_and_searched(today, desk) -> None:
    deal = today["eight-off"]
    ada, bruno = new_player("Ada"), new_player("Bruno")
    submit(start(ada, deal), WIN.movetext)
    submit(start(bruno, deal), WIN.illegal)
    name = "games_submission_changelist"
    assert len(_rows(page(desk, name))) == 3
    for query, found in {
        "?status__exact=accepted": "Ada",
        "?status__exact=refused": "Bruno",
        "?won__exact=1": "Ada",
        "?refused_code=notation.malformed": "",
        "?q=Bruno": "Bruno",
        f"?q={ada.pk}": "Ada",
        f"?q={Attempt.objects.get(player=bruno).pk}": "Bruno",
        f"?attempt__daily_deal={deal.pk}&status__exact=accepted": "Ada",
        "?q=%F0%9F%82%A1": "",
    }.items():
        html = "".join(_rows(page(desk, name, query=query)))
        for player in ("Ada", "Bruno"):
            assert (player in html) == (player == found), query


@pytest.mark.parametrize(
    "query",
    [
        "?q=%00",
        "?q=%ff",
        "?p=x",
        "?status__exact=nothing",
        "?o=9.9",
        "?attempt__daily_deal=99999999999999999999",
        "?received_at__year=0",
        "?id__exact=99999999999999999999999",
        "?moves=1e400",
    ],
)
def test_a_search_for_anything_is_answered(desk, query: str) -> None:
    answer = desk.get(reverse("admin:games_submission_changelist") + query)
    assert answer.status_code in (200, 302, 400)


def test_a_date_that_no_calendar_has_is_answered(desk) -> None:
    answer = desk.get(reverse("admin:games_dailydeal_changelist") + "?date__year=0")
    assert answer.status_code in (200, 302, 400)


def test_a_submission_shows_its_log_and_verdict(today, desk) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.illegal)
    html = page(desk, "games_submission_change", submission.pk)
    assert WIN.half in html
    assert submission.refused_code in html
    assert escape(engine.REFUSALS[submission.refused_code]) in html


@pytest.mark.parametrize("slug", engine.VARIANTS)
def test_a_log_is_replayed_step_by_step(today, desk, slug: str) -> None:
    win = wins_of(slug)[0]
    submission, _created = submit(start(new_player(), today[slug]), win.movetext)
    name = "games_submission_replay"
    last = len(win.tokens)
    for step in (0, 1, last // 2, last):
        html = page(desk, name, submission.pk, query=f"?step={step}")
        assert f"{step} / {last}" in html
    assert f"score {win.score}" in html
    assert html.count("<li") >= last


def test_a_refused_log_ends_its_replay_with_the_refusal(today, desk) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.illegal)
    last = len(WIN.half.split()) + 1
    html = page(desk, "games_submission_replay", submission.pk, query=f"?step={last}")
    assert escape(engine.REFUSALS[submission.refused_code]) in html
    assert f"{last} / {last}" in html


@pytest.mark.parametrize("step", ["-1", "x", "9" * 50, "", "²", "1.5"])
def test_an_invalid_step_shows_some_step(today, desk, step: str) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.half)
    assert "/" in page(desk, "games_submission_replay", submission.pk, query=f"?step={step}")


def test_a_submission_is_disqualified_and_reinstated_with_a_reason(today, desk) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.movetext)
    for action, status, results in (
        ("disqualify", "disqualified", 0),
        ("reinstate", "accepted", 1),
    ):
        address = reverse(f"admin:games_submission_{action}", args=[submission.pk])
        assert desk.get(address).status_code == 200
        desk.post(address, {"reason": f"A reason to {action}."})
        submission.refresh_from_db()
        assert submission.status == status
        assert DailyResult.objects.count() == results
        entry = details_of(LogEntry.objects.latest("pk"))
        assert (entry["reason"], entry["after"]["status"]) == (f"A reason to {action}.", status)
    assert "cannot" not in page(desk, "admin_logentry_changelist")
    assert "A reason to reinstate." in page(desk, "admin_logentry_changelist")


def test_a_refused_log_cannot_be_disqualified(today, desk) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.illegal)
    answer = desk.post(
        reverse("admin:games_submission_disqualify", args=[submission.pk]), {"reason": "Twice."}
    )
    assert "for a log that is accepted" in answer.content.decode()


# --- What must not change ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    ["games_dailydeal", "games_pooldeal", "games_submission", "leaderboard_dailyresult"],
)
def test_facts_cannot_be_added_edited_or_deleted(today, desk, model: str) -> None:
    submit(start(new_player(), today["eight-off"]), WIN.movetext)
    rows = {
        "games_dailydeal": DailyDeal.objects.first(),
        "games_pooldeal": PoolDeal.objects.first(),
        "games_submission": Submission.objects.first(),
        "leaderboard_dailyresult": DailyResult.objects.first(),
    }
    pk = rows[model].pk
    assert desk.get(reverse(f"admin:{model}_change", args=[pk])).status_code == 200
    assert "_save" not in page(desk, f"{model}_change", pk)
    for name, args in (("add", []), ("change", [pk]), ("delete", [pk])):
        assert desk.post(reverse(f"admin:{model}_{name}", args=args), {}).status_code == 403
    actions = desk.post(
        reverse(f"admin:{model}_changelist"),
        {"action": "delete_selected", "_selected_action": [pk], "post": "yes"},
    )
    assert actions.status_code in (200, 302)
    rows[model].refresh_from_db()


def test_a_form_changes_nothing_of_a_player(today, desk) -> None:
    ada = new_player("Ada")
    assert "Ada" in page(desk, "games_player_changelist", query="?q=Ada")
    address = reverse("admin:games_player_change", args=[ada.pk])
    desk.post(address, {"display_name": "Other", "username": "other"})
    ada.refresh_from_db()
    assert (ada.display_name, ada.username, ada.is_active) == ("Ada", None, True)
    assert desk.post(reverse("admin:games_player_delete", args=[ada.pk])).status_code == 403


def test_a_player_is_blocked_and_unblocked_with_a_reason(today, desk) -> None:
    ada = Caller("Ada")
    for action, status in (("block", 401), ("unblock", 200)):
        address = reverse(f"admin:games_player_{action}", args=[ada.player.pk])
        assert desk.get(address).status_code == 200
        assert "required" in desk.post(address, {"reason": ""}).content.decode()
        assert desk.post(address, {"reason": f"A reason to {action}."}).status_code == 302
        assert ada.get("players/me/").status_code == status
        assert "already in this state" in desk.post(address, {"reason": "Again."}).content.decode()
        details = details_of(LogEntry.objects.latest("pk"))
        assert (details["action"], details["reason"]) == (action, f"A reason to {action}.")
        assert details["before"]["is_active"] != details["after"]["is_active"]


def test_staff_are_blocked_by_superusers_only_and_no_one_by_themselves(desk, staff) -> None:
    helper = Player.objects.create_user("helper", "a long password", is_staff=True)
    helper.user_permissions.add(*_permissions("change_player", "view_player"))
    client = Client()
    client.force_login(helper)
    for who, whom in ((client, staff), (client, helper), (desk, staff)):
        answer = who.post(reverse("admin:games_player_block", args=[whom.pk]), {"reason": "x"})
        assert "Only a superuser" in answer.content.decode()
        whom.refresh_from_db()
        assert whom.is_active
    assert (
        desk.post(
            reverse("admin:games_player_block", args=[helper.pk]), {"reason": "Left the team."}
        ).status_code
        == 302
    )


def test_an_offensive_name_is_taken_away_everywhere_at_once(today, desk) -> None:
    ada = Caller("Rude Name")
    deal = today["eight-off"]
    ada.submit(ada.start(deal)["id"], WIN.movetext)
    address = reverse("admin:games_player_take_name", args=[ada.player.pk])
    assert desk.get(address).status_code == 200
    assert desk.post(address, {"reason": "It is rude."}).status_code == 302
    board = Caller().get(f"daily/eight-off/{deal.date}/leaderboard/").json()
    name = board["results"][0]["player"]["display_name"]
    assert name.startswith("Player ")
    assert details_of(LogEntry.objects.get())["before"]["name"] == "Rude Name"
    assert ada.get("players/me/").json()["display_name"] == name
    boss = reverse("admin:games_player_take_name", args=[Player.objects.get(username="boss").pk])
    assert "Only a player" in desk.post(boss, {"reason": "No player."}).content.decode()
    assert (
        desk.get(
            reverse("admin:games_player_block", args=["00000000-0000-0000-0000-000000000000"])
        ).status_code
        == 404
    )


def test_no_one_at_the_desk_grants_themselves_more_rights(db) -> None:
    helper = Player.objects.create_user("helper", "a long password", is_staff=True)
    helper.user_permissions.add(*_permissions("change_player", "view_player"))
    client = Client()
    client.force_login(helper)
    address = reverse("admin:games_player_change", args=[helper.pk])
    client.post(address, {"is_active": "on", "is_staff": "on", "is_superuser": "on"})
    helper.refresh_from_db()
    assert (helper.is_staff, helper.is_superuser) == (True, False)


def _permissions(*codenames: str) -> QuerySet[Permission]:
    return Permission.objects.filter(codename__in=codenames)


@pytest.mark.parametrize("name", ["games_dailydeal_void", "games_submission_disqualify"])
def test_staff_with_view_rights_cannot_act(today, name: str) -> None:
    submission, _created = submit(start(new_player(), today["eight-off"]), WIN.movetext)
    pk = today["eight-off"].pk if "deal" in name else submission.pk
    helper = Player.objects.create_user("helper", "a long password", is_staff=True)
    helper.user_permissions.add(*_permissions("view_dailydeal", "view_submission"))
    client = Client()
    client.force_login(helper)
    assert client.post(reverse(f"admin:{name}", args=[pk]), {"reason": "x"}).status_code == 403
    replay = reverse("admin:games_submission_replay", args=[submission.pk])
    assert client.get(replay).status_code == 403  # it may be a line that wins
    DailyDeal.objects.update(status="final")
    assert client.get(replay).status_code == 200


def test_a_guest_cannot_enter(today) -> None:
    client = Client()
    for name in ("index", "games_dailydeal_changelist", "games_dailydeal_schedule"):
        answer = client.get(reverse(f"admin:{name}"))
        assert answer.status_code == 302
        assert "/admin/login/" in answer.url


def test_rows_of_no_one_are_404(desk) -> None:
    for name in ("dailydeal_void", "submission_replay", "submission_disqualify"):
        assert desk.get(reverse(f"admin:games_{name}", args=[999_999])).status_code == 404


LISTS = [
    "games_submission_changelist",
    "games_dailydeal_changelist",
    "games_pooldeal_changelist",
    "games_player_changelist",
    "games_certification_changelist",
    "leaderboard_dailyresult_changelist",
    "admin_logentry_changelist",
]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_costs_the_same_for_any_number_of_rows(today, desk, staff, name: str) -> None:
    def rows_for(player_name: str, at: int) -> None:
        for deal in today.values():
            submission, _created = submit(start(new_player(f"{player_name} {deal.pk}"), deal), "")
            services.disqualify(submission=submission, actor=staff, reason="To be undone.")
            services.reinstate(submission=submission, actor=staff, reason="Undone.")
        in_store(WINS[20 + at])
        services.request_certification(
            code=WINS[30 + at].code, budget=5, actor=staff, reason="To see.", now=NOON
        )

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(desk, name)
        return len(queries)

    rows_for("Ada", 0)
    page(desk, name)  # looked up once in a process, such as content types
    few = cost()
    for at, player_name in enumerate(("Bruno", "Carla", "Dario"), start=1):
        rows_for(player_name, at)
    assert cost() == few


def test_the_salt_is_shown_when_everyone_may_have_it(today, desk) -> None:
    deal = today["eight-off"]
    assert deal.salt not in page(desk, "games_dailydeal_change", deal.pk)
    DailyDeal.objects.filter(pk=deal.pk).update(status="final")
    assert deal.salt in page(desk, "games_dailydeal_change", deal.pk)


def test_an_open_deal_is_extended_with_a_reason(today, desk) -> None:
    deal = today["eight-off"]
    address = reverse("admin:games_dailydeal_extend", args=[deal.pk])
    assert desk.get(address).status_code == 200
    for hours, text in (("0", "greater than"), ("49", "less than"), ("", "required")):
        answer = desk.post(address, {"hours": hours, "reason": "An outage."})
        assert text in answer.content.decode()
    desk.post(address, {"hours": "3", "reason": "An outage."})
    before = deal.closes_at
    deal.refresh_from_db()
    assert deal.closes_at == before + timedelta(hours=3)
    details = details_of(LogEntry.objects.get())
    assert details["before"]["closes_at"] != details["after"]["closes_at"]


def test_a_replaced_promise_is_kept_in_the_log(today, desk) -> None:
    in_store(OTHER)
    deal = assign("eight-off", TODAY + timedelta(days=3), win=WINS[1])
    desk.post(
        reverse("admin:games_dailydeal_schedule"),
        {"variant": "eight-off", "day": deal.date, "code": OTHER.code, "reason": "Too easy."},
    )
    details = details_of(LogEntry.objects.get())
    assert details["before"]["commitment"] == deal.commitment
    deal.refresh_from_db()
    assert details["after"]["commitment"] == deal.commitment
    assert deal.salt not in LogEntry.objects.get().change_message
