"""What follows from the parts of a result, where a question does not say otherwise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from explorer.api.question import (
    SILENT,
    Asks,
    Headline,
    MaskPredictions,
    ModelStamp,
    Option,
    Part,
    Prediction,
    Predictions,
    Question,
    Switch,
    Table,
    Token,
    chosen,
)


@dataclass(frozen=True)
class Sizes(Part):
    """One number a name."""

    OPTIONS: ClassVar[Sequence[Option[Any]]] = (Switch("All", True, key="all"), chosen("Row"))
    TITLES: ClassVar[Mapping[str, str]] = {"most": "the most"}

    sizes: Mapping[str, float]
    least: float = 2.0

    def table(self) -> Table:
        return Table(("name", "size"), tuple(self.sizes.items()))

    def summary(self) -> Mapping[str, float]:
        return {"most": max(self.sizes.values())}

    def headline(self) -> Headline:
        name = max(self.sizes, key=lambda one: self.sizes[one])
        return Headline(f"{name} is large") if self.sizes[name] >= self.least else SILENT


@dataclass(frozen=True)
class Asked(Asks, question="sizes"):
    text: str = ""


@dataclass(frozen=True)
class Made:
    model: ModelStamp | None
    sizes: Sizes
    others: Sizes | None = None


def parts_of_made(made: Made, least: float = 2.0) -> Sequence[Sizes]:
    return [replace(made.sizes, least=least)]


def made_of(**declared: Any) -> Question[Any, Any]:
    return Question("sizes", "Sizes", "How large?", Asked, Made, lambda *_: None, **declared)


SMALL, LARGE = Sizes({"a": 1.0, "b": 1.5}), Sizes({"c": 3.0}, title="Others")


def test_everything_follows_from_fields_that_are_parts():
    sizes = made_of()
    assert sizes.part_kinds == (Sizes,)
    made = Made(None, SMALL, LARGE)
    assert sizes.parts_of(made) == (SMALL, LARGE)
    assert sizes.parts_of(Made(None, SMALL)) == (SMALL,)
    assert sizes.table(made) == SMALL.table()
    # Of the same names those of the first part; what is silent leaves the word to the next.
    assert sizes.summary(made) == {"most": 1.5}
    assert sizes.headline(made) == Headline("c is large")
    assert sizes.headline(Made(None, SMALL)) == SILENT
    assert sizes.titles == {"most": "the most"}
    # What stands in the bar comes first; what is chosen in the picture stands in none.
    assert [one.key for one in sizes.options] == ["sizes.all", "sizes.at"]
    assert (sizes.options[1].redraws, sizes.options[1].in_bar) == (True, False)
    assert replace(sizes, title="Again").options == sizes.options


def test_parts_are_made_of_a_result_and_follow_options():
    sizes = made_of(parts=parts_of_made)
    assert sizes.part_kinds == (Sizes,)
    made = Made(None, SMALL)
    assert sizes.parts_of(made) == (SMALL,)
    assert sizes.headline(made) == SILENT
    assert sizes.headline_of(made, least=1.0).sentence == "b is large"


def test_what_a_question_says_holds():
    table = Table(("own",), ())
    sizes = made_of(
        table=lambda _: table,
        summary=None,
        headline=lambda _: Headline("Own."),
        column_titles={"most": "my most"},
    )
    assert sizes.table(Made(None, SMALL)) is table
    assert sizes.summary is None
    assert sizes.headline(Made(None, SMALL)).sentence == "Own."
    assert sizes.titles == {"most": "my most"}


def test_what_answers_is_declared_or_lies_in_compute():
    with pytest.raises(TypeError, match="there is no run, and no compute"):
        Question("sizes", "Sizes", "How large?", Asked, Made)


def test_without_parts_rows_and_effect_are_declared():
    @dataclass(frozen=True)
    class Plain:
        text: str

    def plain(**declared: Any) -> Question[Any, Any]:
        return Question("plain", "Plain", "What?", Asked, Plain, lambda *_: None, **declared)

    with pytest.raises(TypeError, match="plain declares neither parts nor a table"):
        plain()
    whole = plain(table=lambda _: Table((), ()))
    assert (whole.summary, whole.headline, whole.options) == (None, None, ())
    assert whole.parts_of(Plain("")) == ()


def test_predictions_list_an_original_that_is_further_down_with_its_rank():
    soup, tea, stone = (
        Prediction(word, number, chance, word, rank)
        for word, number, chance, rank in (
            ("soup", 7, 0.6, 1),
            ("tea", 8, 0.3, 2),
            ("stone", 9, 0.01, 40),
        )
    )
    tokens = (Token("the", 0, 0, 3, False), Token("[MASK]", 103, 4, 9, False, masked=True))
    part = Predictions(tokens, (MaskPredictions(1, (soup, tea), stone, 1.25),))
    table = part.table()
    assert table.columns[:3] == ("mask", "rank", "word")
    assert [row[:3] for row in table.rows] == [(1, 1, "soup"), (1, 2, "tea"), (1, 40, "stone")]
    assert table.column("is_original") == (False, False, True)
    assert part.summary() == {"masks": 1, "mask 1": "soup", "probability 1": 0.6, "entropy 1": 1.25}
    assert part.headline().position == 1
    assert "“soup”" in part.headline().sentence
    assert Predictions(tokens, ()).headline() is SILENT
    listed = replace(part, masks=(replace(part.masks[0], original=tea),))
    assert [row[2] for row in listed.table().rows] == ["soup", "tea"]
