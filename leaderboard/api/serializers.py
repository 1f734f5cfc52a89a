"""The shapes of submission answers and boards, named as in docs/contract.md."""

from typing import Any

from rest_framework import serializers

from games.api.serializers import ClaimRequest, PlayerSerializer, VerdictSerializer
from games.models import DailyDeal, Submission
from leaderboard import receipts


class PercentileField(serializers.IntegerField):
    """How many of a hundred other players this one equals or beats."""

    def __init__(self) -> None:
        super().__init__(
            allow_null=True,
            min_value=0,
            max_value=100,
            help_text="Of a hundred other ranked players, how many this one equals or beats.",
        )


class BoardPlayerSerializer(serializers.Serializer[Any]):
    """The player of a row."""

    id = serializers.UUIDField()
    display_name = serializers.CharField()


class ResultSerializer(serializers.Serializer[Any]):
    """The rank key of a result, and the attempt that made it."""

    attempt_id = serializers.UUIDField()
    attempt_number = serializers.IntegerField()
    won = serializers.BooleanField()
    score = serializers.IntegerField()
    ranked_score = serializers.IntegerField()
    moves = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="Whole seconds since the first start.")
    received_at = serializers.DateTimeField()


class RowSerializer(ResultSerializer):
    """A line of a board."""

    rank = serializers.IntegerField()
    player = BoardPlayerSerializer()


class DifferenceSerializer(serializers.Serializer[Any]):
    """Where a claim and the verdict differ."""

    field = serializers.CharField(source="name")
    claimed = serializers.JSONField()
    verified = serializers.JSONField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the difference; a serializer's class body already uses the name `field`."""
        return dict(instance)


class ReceiptSerializer(serializers.Serializer[Any]):
    """The answer to a submission, and its receipt.

    `status` is `started` while the attempt has no log; `received_at` to `verdict` are then null.
    `rank` is null while the player has no ranked result of the deal.
    """

    attempt_id = serializers.UUIDField()
    attempt_number = serializers.IntegerField()
    variant = serializers.CharField()
    date = serializers.DateField()
    started_at = serializers.DateTimeField()
    submissions_until = serializers.DateTimeField()
    server_now = serializers.DateTimeField()
    status = serializers.ChoiceField(choices=receipts.STATUSES)
    received_at = serializers.DateTimeField(allow_null=True)
    elapsed_ms = serializers.IntegerField(allow_null=True)
    since_first_start_ms = serializers.IntegerField(allow_null=True)
    rules_version = serializers.CharField(allow_null=True)
    verdict = VerdictSerializer(allow_null=True)
    claimed = ClaimRequest(allow_null=True)
    claim_differences = DifferenceSerializer(many=True)
    best = ResultSerializer(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    ranked_players = serializers.IntegerField()
    percentile = PercentileField()


class BoardSerializer(serializers.Serializer[Any]):
    """A page of a board."""

    variant = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(choices=DailyDeal.Status.choices)
    ranked_players = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = RowSerializer(many=True)


class AroundMeSerializer(serializers.Serializer[Any]):
    """The caller's place on a board, with the rows around it."""

    variant = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(choices=DailyDeal.Status.choices)
    ranked_players = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    percentile = PercentileField()
    results = RowSerializer(many=True)


class LogSerializer(serializers.Serializer[Any]):
    """A log and its verdict, for playing back."""

    attempt_id = serializers.UUIDField()
    attempt_number = serializers.IntegerField()
    variant = serializers.CharField()
    date = serializers.DateField()
    code = serializers.CharField()
    player = BoardPlayerSerializer()
    status = serializers.ChoiceField(choices=Submission.Status.choices)
    received_at = serializers.DateTimeField()
    movetext = serializers.CharField()
    verdict = VerdictSerializer()


class VariantRecordSerializer(serializers.Serializer[Any]):
    """What a player has done in one variant."""

    variant = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    streak = serializers.IntegerField(help_text="Days in a row, up to now, with a win.")
    longest_streak = serializers.IntegerField()
    best_score = serializers.IntegerField(
        allow_null=True, help_text="The highest `ranked_score`; null when nothing was played."
    )


class RecordResultSerializer(serializers.Serializer[Any]):
    """A player's result of a day, with its rank."""

    variant = serializers.CharField()
    date = serializers.DateField()
    status = serializers.ChoiceField(choices=DailyDeal.Status.choices)
    attempt_id = serializers.UUIDField()
    won = serializers.BooleanField()
    score = serializers.IntegerField()
    ranked_score = serializers.IntegerField()
    moves = serializers.IntegerField()
    seconds = serializers.IntegerField(help_text="Whole seconds since the first start.")
    rank = serializers.IntegerField()
    ranked_players = serializers.IntegerField()


class RecordSerializer(serializers.Serializer[Any]):
    """A player's record: every variant, and the latest results, newest day first."""

    player = PlayerSerializer()
    variants = VariantRecordSerializer(many=True)
    results = RecordResultSerializer(many=True)
