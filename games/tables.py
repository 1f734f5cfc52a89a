"""A table as a template draws it: cards with their colour, columns as rows of them."""

from dataclasses import dataclass

from games import engine

_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card as it is drawn: its text, its colour, and which side is up."""

    text: str
    colour: str
    is_face_down: bool = False


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """The piles of a table; None is an empty place. Piles that a game does not have are empty."""

    columns: list[list[DrawnCard]]
    cells: list[DrawnCard | None]
    foundations: list[DrawnCard | None]
    stock: list[DrawnCard]
    waste: list[DrawnCard]


def table_of_layout(layout: engine.Layout) -> DrawnTable:
    """Return the table of a deal before the first action."""
    data = layout.as_dict()
    return DrawnTable(
        columns=_columns(data["columns"], data.get("face_down")),
        cells=_places(data.get("cells", [])),
        foundations=[],
        stock=_pile(data.get("stock", [])),
        waste=[],
    )


def table_of_snapshot(snapshot: engine.Snapshot) -> DrawnTable:
    """Return the table of a position."""
    data = snapshot.as_dict()
    return DrawnTable(
        columns=_columns(data["columns"], data["face_down"]),
        cells=_places(data["cells"]),
        foundations=_places(data["foundations"]),
        stock=_pile(data["stock"]),
        waste=_pile(data["waste"]),
    )


def _card(name: str, *, is_face_down: bool = False) -> DrawnCard:
    rank, suit = name[0], name[1]
    colour = "red" if suit in "HD" else "black"
    shown_rank = "10" if rank == "T" else rank
    return DrawnCard(f"{shown_rank}{_SUIT_SIGNS[suit]}", colour, is_face_down)


def _columns(columns: list[list[str]], face_down: list[int] | None) -> list[list[DrawnCard]]:
    hidden = face_down or [0] * len(columns)
    return [
        [_card(name, is_face_down=at < count) for at, name in enumerate(column)]
        for column, count in zip(columns, hidden, strict=True)
    ]


def _places(names: list[str | None]) -> list[DrawnCard | None]:
    return [_card(name) if name else None for name in names]


def _pile(names: list[str]) -> list[DrawnCard]:
    return [_card(name) for name in names]
