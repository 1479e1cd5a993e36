"""What is predicted at masks: the likeliest words of each, and the word that is under it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.prediction import MaskPredictions, Prediction
from explorer.api.question.headline import Headline
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import TOKENS, Cell, Table, column
from explorer.api.question.standing_out import CERTAIN, FLAT, beyond, lead
from explorer.api.tokens import Token
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.pieces import drawn, visible

TOLD = 4
"""Masks of a sentence that its row in a table over many sentences has room for."""


@dataclass(frozen=True)
class PredictionRow:
    """A word that a mask may hide."""

    mask: int = column(N_("position"), key=True, place=TOKENS)
    rank: int | None = column(N_("rank"))
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int = column(N_("id"), compared=False)
    probability: float | None = column(N_("probability"), written=in_digits)
    is_original: bool = column(N_("original"), compared=False)
    entropy: float = column(N_("entropy"), unit=N_("nats"), digits=3)


@dataclass(frozen=True)
class Predictions(Part):
    """Words at masks, each made independently of the others unless the question says otherwise.

    Attributes:
        tokens: The input as the model saw it.
        masks: In the order of the input.
        versions: Where a place is predicted in several versions of the text: for each of `masks`
            which one it is of, by the same name in every answer, and what that is called. Each is
            then told by its words alone.
    """

    DRAWS_PINNED: ClassVar[bool] = True
    TITLES: ClassVar[Mapping[str, str]] = {
        "masks": N_("masks"),
        "mask *": N_("mask {which}"),
        "probability *": N_("probability {which}"),
        "entropy *": N_("entropy {which}"),
    }

    tokens: tuple[Token, ...]
    masks: tuple[MaskPredictions, ...]
    versions: tuple[tuple[str, str], ...] = ()

    def version(self, number: int) -> str:
        """Which version one of the masks is of; "" where there is only one."""
        return self.versions[number][0] if self.versions else ""

    def table(self) -> Table:
        """One row a prediction; the original token's row has its true rank."""
        return Table.of(PredictionRow, (row_of(*both) for both in told_of(self.masks)))

    def summary(self) -> Mapping[str, Cell]:
        """The best word at each of the first masks, and how unsure the model is there."""
        cells: dict[str, Cell] = {"masks": len(self.masks)}
        for number, mask in enumerate(self.masks[:TOLD], start=1):
            best = mask.predictions[0]
            cells[f"mask {number}"] = best.word
            cells[f"probability {number}"] = best.probability
            cells[f"entropy {number}"] = mask.entropy
        return cells

    def headline(self) -> Headline:
        """How sure the model is of the surest mask, and of the least sure one."""
        if not self.masks:
            return SILENT
        chances = [mask.predictions[0].probability for mask in self.masks]
        surest = self.masks[chances.index(max(chances))].predictions[0]
        least = self.masks[chances.index(min(chances))]
        words = [(drawn(one), one.probability) for one in least.predictions[:2]]
        if len(chances) == 1:
            return Headline(lead(words), least.position, strength=beyond(words[0][1], FLAT, 1.0))
        if max(chances) < FLAT:
            return SILENT
        values = {"word": drawn(surest), "share": in_percent(max(chances))}
        values |= {"position": str(least.position), "its": in_percent(min(chances))}
        values |= {"first": words[0][0], "other": words[0][0], "second": words[-1][0]}
        if min(chances) >= CERTAIN:
            code = N_(
                "The model is nearly certain at every mask: “{word}” has {share}, and the "
                "least sure, “{other}”, still {its}."
            )
        elif len(words) == 1:
            code = N_(
                "The model is surest of “{word}” ({share}), and least sure of “{first}” at "
                "position {position} ({its})."
            )
        elif max(chances) >= CERTAIN:
            code = N_(
                "“{word}” is nearly certain ({share}), while the model is least sure at "
                "position {position}, between “{first}” and “{second}”."
            )
        else:
            code = N_(
                "The model is surest of “{word}” ({share}), and least sure at position "
                "{position}, between “{first}” and “{second}”."
            )
        strength = beyond(max(chances), FLAT, 1.0)
        return Headline(Phrase(code, **values), least.position, strength=strength)


def told_of(masks: Sequence[MaskPredictions]) -> Iterator[tuple[MaskPredictions, Prediction]]:
    """The predictions of each mask, and its original token where that is not among them."""
    for mask in masks:
        yield from ((mask, one) for one in mask.predictions)
        if mask.original is not None and mask.original.rank > len(mask.predictions):
            yield mask, mask.original


def row_of(mask: MaskPredictions, prediction: Prediction) -> PredictionRow:
    """A prediction in its row."""
    return PredictionRow(
        mask.position,
        prediction.rank,
        prediction.word,
        prediction.token,
        prediction.id,
        prediction.probability,
        prediction.is_same(mask.original),
        mask.entropy,
    )
