"""The deal calendar and its actions."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import Case, Count, Model, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import engine, secrecy, services
from games.admin.pages import (
    ReadOnlyMixin,
    ReasonForm,
    action_page,
    beside,
    bound,
    drawn_layout,
    line_link,
    player_of,
    row_or_404,
)
from games.days import day_of
from games.models import (
    VARIANT_CHOICES,
    DailyDeal,
    Submission,
)
from games.services import pool as pool_services

ValueT = TypeVar("ValueT")


class ScheduleForm(ReasonForm):
    """The code of a day's deal."""

    variant = forms.ChoiceField(label=_("Variant"), choices=VARIANT_CHOICES)
    day = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}))
    code = forms.CharField(
        label=_("Deal code"), max_length=100, help_text=_("For example EO1-C8-AAAAAFA.")
    )
    field_order = ("variant", "day", "code", "reason")


class PlanForm(ReasonForm):
    """Consecutive days, and the grade of each one's deal."""

    variant = forms.ChoiceField(label=_("Variant"), choices=VARIANT_CHOICES)
    first_day = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"})
    )
    grades = forms.RegexField(
        label=_("Grades"),
        regex=r"^\s*[1-5](\s+[1-5]){0,13}\s*$",
        help_text=_("From 1 (easy) to 5 (hard), one for each day, at most 14."),
    )
    field_order = ("variant", "first_day", "grades", "reason")

    def clean_grades(self) -> list[int]:
        """Return the grades as numbers."""
        return [int(grade) for grade in self.cleaned_data["grades"].split()]


class ExtendForm(ReasonForm):
    """How much longer a deal stays open."""

    hours = forms.IntegerField(
        label=_("Hours"), min_value=1, max_value=settings.MOST_EXTENDED_HOURS
    )
    field_order = ("hours", "reason")


class WhenFilter(admin.SimpleListFilter):
    """Filters by period: by default today and later."""

    title = _("period")
    parameter_name = "when"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the choices beside the default."""
        return [("past", _("past")), ("all", _("all days"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the choices, with the default named for what it shows."""
        for at, choice in enumerate(super().choices(changelist)):
            yield {**choice, "display": _("today and later")} if at == 0 else dict(choice)

    def queryset(self, _request: HttpRequest, deals: QuerySet[DailyDeal]) -> QuerySet[DailyDeal]:
        """Return the deals of the choice."""
        today = day_of(timezone.now())
        if self.value() == "all":
            return deals
        if self.value() == "past":
            return deals.filter(date__lt=today)
        return deals.filter(date__gte=today)


def _if_shown(daily_deal: DailyDeal, value: Callable[[], ValueT]) -> ValueT | str:
    """Return a value of a deal if the viewer may see it: see DailyDealAdmin.get_queryset."""
    return value() if beside(daily_deal, "is_shown") else secrecy.hidden_text()


@admin.register(DailyDeal)
class DailyDealAdmin(ReadOnlyMixin, admin.ModelAdmin[DailyDeal]):
    """The deal calendar."""

    list_display = ("date", "variant", "status_now", "code", "grade", "par", "entrants", "winners")
    list_display_links = ("date", "variant")
    list_filter = (WhenFilter, "variant", "status")
    list_per_page = 60
    fields = (
        "variant",
        "date",
        "status_now",
        "opens_at",
        "closes_at",
        "submissions_until",
        "code",
        "grade",
        "par",
        "entrants",
        "winners",
        "cards",
        "winning_line",
        "commitment",
        "committed_at",
        "public_salt",
    )
    change_list_template = "admin/games/dailydeal/change_list.html"
    change_form_template = "admin/games/dailydeal/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[DailyDeal]:
        """Return the deals with their numbers of entrants and winners."""
        started = Q(attempts__player__deleted_at__isnull=True)
        won = Q(
            attempts__submissions__status=Submission.Status.ACCEPTED,
            attempts__submissions__won=True,
        )
        return (
            super()
            .get_queryset(request)
            .select_related("pool_deal")
            .annotate(is_shown=secrecy.shown_to(player_of(request), timezone.now()))
            .annotate(
                # Ordered by these: the order of a list must not reveal what its cells hide.
                shown_grade=Case(When(is_shown=True, then="pool_deal__grade")),
                shown_par=Case(When(is_shown=True, then="pool_deal__par_moves")),
                entrants=Count("attempts__player", distinct=True, filter=started),
                winners=Count("attempts__player", distinct=True, filter=started & won),
            )
        )

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the order: next day first, and for the past latest day first."""
        looks_back = request.GET.get("when") in ("past", "all")
        return ("-date", "variant") if looks_back else ("date", "variant")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the calendar, and how many deals each variant has left."""
        pool = [
            {"name": gettext(engine.VARIANTS[slug].name), "unused": unused}
            for slug, unused in pool_services.unused_counts().items()
        ]
        context = {"pool": pool, "alarm_at": settings.POOL_ALARM, **(extra_context or {})}
        return super().changelist_view(request, context)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show a deal; warn the viewer who sees more of it than players do."""
        deal = context["original"]
        context["is_secret"] = secrecy.sees_all(player_of(request)) and not deal.is_public_at(
            timezone.now()
        )
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("status"), ordering="status")
    def status_now(self, daily_deal: DailyDeal) -> str:
        """Return the status by the clock."""
        return str(daily_deal.status_at(timezone.now()).label)

    @admin.display(description=_("deal code"))
    def code(self, daily_deal: DailyDeal) -> str:
        """Return the deal's code."""
        return _if_shown(daily_deal, lambda: str(daily_deal.pool_deal.code))

    @admin.display(description=_("grade"), ordering="shown_grade")
    def grade(self, daily_deal: DailyDeal) -> int | str:
        """Return the difficulty of the deal, 1 to 5."""
        return _if_shown(daily_deal, lambda: daily_deal.pool_deal.grade)

    @admin.display(description=_("par"), ordering="shown_par")
    def par(self, daily_deal: DailyDeal) -> int | str:
        """Return the fewest moves of any known winning line."""
        return _if_shown(daily_deal, lambda: daily_deal.pool_deal.par_moves)

    @admin.display(description=_("entrants"), ordering="entrants")
    def entrants(self, daily_deal: DailyDeal) -> int:
        """Return the number of players who started it."""
        return int(beside(daily_deal, "entrants"))

    @admin.display(description=_("winners"), ordering="winners")
    def winners(self, daily_deal: DailyDeal) -> int:
        """Return the number of players who won it."""
        return int(beside(daily_deal, "winners"))

    @admin.display(description=_("cards"))
    def cards(self, daily_deal: DailyDeal) -> str:
        """Return the layout, drawn."""
        return _if_shown(daily_deal, lambda: drawn_layout(daily_deal.pool_deal.code))

    @admin.display(description=_("winning line"))
    def winning_line(self, daily_deal: DailyDeal) -> str:
        """Return a link to the winning line."""
        return _if_shown(daily_deal, lambda: line_link(daily_deal.pool_deal))

    @admin.display(description=_("salt"))
    def public_salt(self, daily_deal: DailyDeal) -> str:
        """Return the salt once it is public: before, it could prove a leak."""
        return daily_deal.salt if daily_deal.is_public_at(timezone.now()) else "–"

    @admin.display(description=_("logs are ranked until"))
    def submissions_until(self, daily_deal: DailyDeal) -> str:
        """Return the end of the grace."""
        return date_format(daily_deal.submissions_until, "DATETIME_FORMAT")

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs of the calendar, actions first."""
        view = self.admin_site.admin_view
        return [
            path("schedule/", view(self.schedule_view), name="games_dailydeal_schedule"),
            path("plan/", view(self.plan_view), name="games_dailydeal_plan"),
            path("<int:pk>/extend/", view(self.extend_view), name="games_dailydeal_extend"),
            path("<int:pk>/void/", view(self.void_view), name="games_dailydeal_void"),
            *super().get_urls(),
        ]

    def schedule_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a day and a code, and schedule that deal."""

        def act(fields: dict[str, Any]) -> Model:
            return services.schedule_deal(**fields, actor=player_of(request), now=timezone.now())

        names = ("variant", "day", "code")
        asked = {name: request.GET[name] for name in names if name in request.GET}
        return action_page(
            request,
            model_admin=self,
            form=bound(ScheduleForm, request, **asked),
            title=gettext("Schedule a deal"),
            explanation=gettext(
                "The code replaces the deal of a day that has not begun. Each deal is played on "
                "one day only."
            ),
            act=act,
        )

    def plan_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for a first day and grades, and schedule deals of those grades."""

        def act(fields: dict[str, Any]) -> Model:
            planned = services.plan_days(**fields, actor=player_of(request), now=timezone.now())
            return planned[0]

        return action_page(
            request,
            model_admin=self,
            form=bound(PlanForm, request, grades="1 1 2 3 3 4 5"),
            title=gettext("Plan days by difficulty"),
            explanation=gettext(
                "Consecutive days get unused deals of these grades, drawn at random, in place of "
                "the deals they had: a week from easy to hard, for example."
            ),
            act=act,
        )

    def extend_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for hours and a reason, and extend the deal."""
        daily_deal = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.extend_deal(
                daily_deal=daily_deal, **fields, actor=player_of(request), now=timezone.now()
            )

        return action_page(
            request,
            model_admin=self,
            form=bound(ExtendForm, request, hours=1),
            title=gettext("Extend %(deal)s") % {"deal": daily_deal},
            explanation=gettext(
                "The deal closes later for everyone, for example after an outage. The next day's "
                "deal still opens on time."
            ),
            act=act,
        )

    def void_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for a reason, and void the deal."""
        daily_deal = row_or_404(self, request, pk)

        def act(fields: dict[str, Any]) -> Model:
            return services.void_deal(
                daily_deal=daily_deal, actor=player_of(request), reason=fields["reason"]
            )

        return action_page(
            request,
            model_admin=self,
            form=bound(ReasonForm, request),
            title=gettext("Void %(deal)s") % {"deal": daily_deal},
            explanation=gettext(
                "A void deal ranks no one and takes no more attempts. Its logs are kept. You can't "
                "undo this."
            ),
            act=act,
        )
