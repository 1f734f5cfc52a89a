"""The shapes of requests and answers, named as in docs/contract.md."""

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

from games import engine
from games.errors import ServiceError
from games.models import DailyDeal
from games.names import MAX_ASKED_LENGTH

ANALYSIS_STATUSES = ["pending", "done"]
ERROR_TYPES = ["client_error", "validation_error"]


class ErrorSerializer(serializers.Serializer[Any]):
    """One thing that is wrong."""

    code = serializers.CharField()
    detail = serializers.CharField()
    attr = serializers.CharField(allow_null=True)


class RefusedSerializer(serializers.Serializer[Any]):
    """The error envelope."""

    type = serializers.ChoiceField(choices=ERROR_TYPES)
    errors = ErrorSerializer(many=True)  # type: ignore[assignment]  # a field, not DRF's own


def refused(*refusals: type[ServiceError]) -> dict[int, OpenApiResponse]:
    """Return what the schema says of a call that a service may refuse with these codes."""
    by_status: dict[int, list[str]] = {}
    for refusal in refusals:
        by_status.setdefault(refusal.status_code, []).append(f"`{refusal.code}`: {refusal.text}")
    return {
        status: OpenApiResponse(RefusedSerializer, "\n\n".join(texts))
        for status, texts in by_status.items()
    }


class DisplayNameRequest(serializers.Serializer[Any]):
    """The body of joining and renaming."""

    # Long enough that the rules of games.names decide, not this field.
    display_name = serializers.CharField(max_length=MAX_ASKED_LENGTH, trim_whitespace=False)


class _PasswordField(serializers.CharField):
    """A password as typed, spaces included."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=128, trim_whitespace=False, style={"input_type": "password"}, **options
        )


class PasswordRequest(serializers.Serializer[Any]):
    """A new password, and the current one of a player who has one."""

    password = _PasswordField()
    current_password = _PasswordField(required=False, allow_blank=True, allow_null=True)


class LoginRequest(DisplayNameRequest):
    """The name and password of a returning player."""

    password = _PasswordField()


class ClaimRequest(serializers.Serializer[Any]):
    """What a client claims about its log: reported when it differs, never trusted."""

    won = serializers.BooleanField(required=False)
    score = serializers.IntegerField(required=False, min_value=-(10**9), max_value=10**9)
    moves = serializers.IntegerField(required=False, min_value=-(10**9), max_value=10**9)


class SubmissionRequest(serializers.Serializer[Any]):
    """A log, and optionally what the client claims about it."""

    movetext = serializers.CharField(allow_blank=True, trim_whitespace=False)
    claimed = ClaimRequest(required=False, allow_null=True)


class VerifyRequest(serializers.Serializer[Any]):
    """A deal and a log of it."""

    code = serializers.CharField(max_length=100)
    movetext = serializers.CharField(allow_blank=True, trim_whitespace=False)


class PlayerSerializer(serializers.Serializer[Any]):
    """A player as everyone sees them."""

    id = serializers.UUIDField()
    display_name = serializers.CharField()
    joined_at = serializers.DateTimeField()


class OwnPlayerSerializer(PlayerSerializer):
    """A player as they see themselves."""

    has_password = serializers.BooleanField(
        source="has_usable_password", help_text="Without one, the player cannot sign in by name."
    )


class JoinedSerializer(serializers.Serializer[Any]):
    """A player with a new token, shown only once."""

    player = OwnPlayerSerializer()
    token = serializers.CharField()


class LayoutSerializer(serializers.Serializer[Any]):
    """The cards of a deal before the first action.

    `face_down` and `stock` belong to Easy Harp, `cells` to Eight Off.
    """

    number = serializers.IntegerField()
    columns = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    face_down = serializers.ListField(child=serializers.IntegerField(), required=False)
    stock = serializers.ListField(child=serializers.CharField(), required=False)
    cells = serializers.ListField(child=serializers.CharField(allow_null=True), required=False)


class DealSerializer(serializers.Serializer[Any]):
    """A deal for practice."""

    code = serializers.CharField()
    variant = serializers.CharField()
    layout = LayoutSerializer()


class RefusalSerializer(serializers.Serializer[Any]):
    """The first action that broke a rule."""

    index = serializers.IntegerField(help_text="Which action of the log, from 0.")
    token = serializers.IntegerField(help_text="Which token of the log, from 0.")
    action = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class VerdictSerializer(serializers.Serializer[Any]):
    """What the server's own replay of a log found."""

    code = serializers.CharField()
    legal = serializers.BooleanField()
    won = serializers.BooleanField()
    score = serializers.IntegerField()
    ranked_score = serializers.IntegerField()
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    take_backs = serializers.IntegerField()
    foundation_cards = serializers.IntegerField()
    actions = serializers.IntegerField()
    refused = RefusalSerializer(allow_null=True)


class DailyDealSerializer(serializers.Serializer[Any]):
    """A daily deal. Only players who have started an open deal see its code.

    `commitment` is shown from `committed_at` on, before the deal opens; docs/commitment.md says
    how to check it once code and salt are public.
    """

    variant = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(choices=DailyDeal.Status.choices)
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField()
    submissions_until = serializers.DateTimeField()
    server_now = serializers.DateTimeField()
    entrants = serializers.IntegerField()
    commitment = serializers.CharField()
    committed_at = serializers.DateTimeField()
    code = serializers.CharField(allow_null=True)


class DailyDealDetailSerializer(DailyDealSerializer):
    """The same with the cards; once the deal is final, with salt, line, par and grade, too."""

    layout = LayoutSerializer(allow_null=True)
    salt = serializers.CharField(allow_null=True)
    winning_movetext = serializers.CharField(allow_null=True)
    par_moves = serializers.IntegerField(allow_null=True)
    grade = serializers.IntegerField(allow_null=True)


class AttemptSerializer(serializers.Serializer[Any]):
    """A started attempt, with the cards to play it."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    variant = serializers.CharField()
    date = serializers.DateField()
    started_at = serializers.DateTimeField()
    first_started_at = serializers.DateTimeField(
        help_text="When you first started this deal: the time that ranks counts from it."
    )
    is_open = serializers.BooleanField(help_text="No legal log was sent: it can still take one.")
    submissions_until = serializers.DateTimeField()
    server_now = serializers.DateTimeField()
    code = serializers.CharField()
    layout = LayoutSerializer()


class AnalysisSerializer(serializers.Serializer[Any]):
    """Where a lost game went wrong, counted in actions of its log.

    After `winnable_after` actions the deal could still be won, after `lost_after` no longer.
    Both are null during the search. `lost_after` stays null when the game could be won to its end,
    or when the search found no answer; the gap between the two is unknown.
    """

    attempt_id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=ANALYSIS_STATUSES)
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    actions = serializers.IntegerField()
    winnable_after = serializers.IntegerField(allow_null=True)
    lost_after = serializers.IntegerField(allow_null=True)


class VariantSerializer(serializers.Serializer[Any]):
    """A variant of a game, and the sizes of its table."""

    slug = serializers.CharField()
    game = serializers.CharField()
    name = serializers.CharField()
    code_prefix = serializers.CharField()
    deck_size = serializers.IntegerField()
    columns = serializers.IntegerField()
    cells = serializers.IntegerField()
    foundations = serializers.IntegerField()
    max_ranked_score = serializers.IntegerField()


class CodeTextSerializer(serializers.Serializer[Any]):
    """A stable code with its text in the requested language."""

    code = serializers.CharField()
    text = serializers.CharField()


class LimitsSerializer(serializers.Serializer[Any]):
    """The limits of a log."""

    actions = serializers.IntegerField()
    bytes = serializers.IntegerField()


class CatalogueSerializer(serializers.Serializer[Any]):
    """The games and every possible refusal, for the clients' texts."""

    rules_version = serializers.CharField()
    variants = VariantSerializer(many=True)
    limits = LimitsSerializer()
    refusals = CodeTextSerializer(many=True)
    errors = CodeTextSerializer(many=True)  # type: ignore[assignment]  # a field, not DRF's own


def verdict_data(verdict: engine.Verdict) -> dict[str, Any]:
    """Return the verdict of docs/contract.md, with its message in the language of the request."""
    data = verdict.as_dict()
    if verdict.refused is not None:
        text = engine.REFUSALS[verdict.refused.code]
        data["refused"] = {**data["refused"], "message": gettext(text)}
    return data
