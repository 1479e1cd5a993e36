"""How often does a method of attribution find the word that truly matters?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    MODEL,
    Answered,
    Asks,
    Attentions,
    BidirectionalPredictor,
    Cell,
    Choice,
    Entry,
    InputEmbeddings,
    Listing,
    ModelCard,
    ModelStamp,
    Predictor,
    Question,
    Table,
    TableColumn,
    Topic,
    Whole,
    asked,
    column,
)
from explorer.document import Document
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.questions.cause.method import AttributionMethod, Baseline
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class MethodVariant:
    """A method, and what stands in the place of words where it needs something there.

    Attributes:
        method: Which.
        baseline: Of integrated gradients, of occlusion and of Shapley values; None for a method
            without one.
    """

    method: AttributionMethod
    baseline: Baseline | None = None

    @property
    def name(self) -> str:
        """As a table for files has it."""
        told = self.baseline in (None, Baseline.MASK)
        return self.method.value if told else f"{self.method.value}_{self.baseline}"

    @property
    def title(self) -> Phrase:
        """With what stands in the place of words, where that makes a difference."""
        title = Phrase(self.method.about.title)
        if self.method is not AttributionMethod.INTEGRATED_GRADIENTS:
            return title
        names = {Baseline.MASK: "[MASK]", Baseline.PAD: "[PAD]"}
        return Phrase(
            N_("{method}, {baseline}"), method=title, baseline=names[self.baseline or Baseline.MASK]
        )


WAYS = (
    MethodVariant(AttributionMethod.OCCLUSION, Baseline.MASK),
    MethodVariant(AttributionMethod.DELETION),
    MethodVariant(AttributionMethod.SHAPLEY, Baseline.MASK),
    MethodVariant(AttributionMethod.SEQUENTIAL_INTEGRATED_GRADIENTS, Baseline.MASK),
    MethodVariant(AttributionMethod.INTEGRATED_GRADIENTS, Baseline.MASK),
    MethodVariant(AttributionMethod.INTEGRATED_GRADIENTS, Baseline.PAD),
    MethodVariant(AttributionMethod.GRADIENT_X_INPUT),
    MethodVariant(AttributionMethod.GRADIENT),
    MethodVariant(AttributionMethod.LAST_ATTENTION),
    MethodVariant(AttributionMethod.ATTENTION),
    MethodVariant(AttributionMethod.ROLLOUT),
)
"""What is compared: words taken away, gradients, attention."""

PLACES = Whole(
    N_("Places"),
    215,
    N_("At how many places each method is tested; the first of 215."),
    low=3,
    high=215,
)
SHOWN = Choice(
    N_("Where it is wrong"),
    WAYS[0].name,
    N_("The method whose mistakes are listed."),
    redraws=True,
    in_bar=False,
    entries=tuple(Entry(one.name, one.method.about.title) for one in WAYS),
    key="attribution_benchmark.shown",
)


@dataclass(frozen=True)
class AttributionBenchmarkRequest(Asks):
    """Ask how often each method finds the word that truly matters; the seed draws the orders."""

    places: int = asked(PLACES)
    steps: int = asked(
        Whole(
            N_("Steps"),
            20,
            N_("Points along the way of integrated gradients (Gauss-Legendre)."),
            low=1,
            high=200,
        )
    )
    samples: int = asked(
        Whole(
            N_("Orders"),
            5,
            N_("That Shapley values are the mean of, each there and back."),
            low=2,
            high=200,
        )
    )
    seed: int = asked(Whole(N_("Seed"), 0, high=999_999), is_held=False)


@dataclass(frozen=True)
class WayTested:
    """What a method found.

    Attributes:
        method: Which.
        baseline: What stood in the place of words; None for a method without one.
        picks: Number of the word that it gives the highest score, at each place.
        right: At how many places that is the word that matters most.
        share: Of all places.
        low: Of the share, the lower end of Wilson's interval, 95 %.
        high: The upper end.
        captured: What the picked words are worth, as a share of what the best ones are; the mean
            over the places.
    """

    method: AttributionMethod
    baseline: Baseline | None
    picks: tuple[int, ...]
    right: int
    share: float
    low: float
    high: float
    captured: float

    @property
    def way(self) -> MethodVariant:
        """What was compared."""
        return MethodVariant(self.method, self.baseline)


@dataclass(frozen=True)
class AttributionBenchmarkResult:
    """What each method found.

    Attributes:
        model: Whose predictions were explained.
        places: Where, in the order of the text that was kept from training.
        ways: The methods, in the order of `WAYS`.
        chance: How often a word drawn at random is right.
        left_out: Places whose word is no single piece of this model's vocabulary.
        probability: The model's own of the hidden words: the geometric mean.
    """

    model: ModelStamp
    places: tuple[KnownPlace, ...]
    ways: tuple[WayTested, ...]
    chance: float
    left_out: int
    probability: float

    @property
    def ranked(self) -> tuple[WayTested, ...]:
        """The methods, the one that is right most often first."""
        return tuple(sorted(self.ways, key=lambda one: (-one.right, -one.captured)))


@dataclass(frozen=True)
class MethodRow:
    """How often a method picked the word that truly matters."""

    method: str = column(N_("method"), key=True)
    baseline: str | None = column(N_("baseline"), key=True)
    places: int = column(N_("places"), compared=False)
    right: float = column(N_("right"), digits=1)
    share: float = column(N_("share"), digits=3)
    low: float = column(N_("lower end"), digits=3, compared=False)
    high: float = column(N_("upper end"), digits=3, compared=False)
    captured: float = column(N_("captured"), digits=3)
    chance: float = column(N_("by chance"), digits=3, compared=False)


def table(result: AttributionBenchmarkResult) -> Table:
    """One row a method."""
    rows = (
        MethodRow(
            *(one.method.value, one.baseline and one.baseline.value, len(one.picks)),
            *(one.right, one.share, one.low, one.high, one.captured, result.chance),
        )
        for one in result.ways
    )
    return Table.of(MethodRow, rows)


@dataclass(frozen=True)
class HiddenWordRow:
    """A place with a hidden word, and which other word matters most to it."""

    text: str = column(N_("text"), key=True)
    asked: str = column(N_("hidden word"), compared=False)
    position: int = column(N_("first character"), shown=False, compared=False)
    matters: str = column(N_("matters most"), compared=False)
    loss: float = column(N_("worth"), unit=N_("nats"), digits=2, compared=False)


def table_of_places(result: AttributionBenchmarkResult) -> Table:
    """One row a place: which word matters, and which one each method picks."""
    rows = (
        HiddenWordRow(
            *(place.text, place.word(place.asked), place.words[place.asked][0]),
            *(" ".join(place.word(n) for n in place.right), max(place.losses)),
        )
        for place in result.places
    )
    picks = (
        [place.word(one.picks[number]) for one in result.ways]
        for number, place in enumerate(result.places)
    )
    names = [one.way.name for one in result.ways]
    about = (
        TableColumn(one.way.name, one.way.method.about.title, is_number=False)
        for one in result.ways
    )
    return Table.of(HiddenWordRow, rows).widened(names, picks, about)


COLUMN_TITLES = {
    "places": N_("places"),
    "chance": N_("by chance"),
    **{one.name: one.method.about.title for one in WAYS},
    MethodVariant(AttributionMethod.INTEGRATED_GRADIENTS, Baseline.PAD).name: N_(
        "Integrated gradients, [PAD]"
    ),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: AttributionBenchmarkResult) -> Mapping[str, Cell]:
    """Each method's share."""
    shares = {one.way.name: one.share for one in result.ways}
    return {"places": len(result.places), "chance": result.chance, **shares}


def derived(result: AttributionBenchmarkResult) -> Mapping[str, Any]:
    """Shares by method: what --json prints beside the rest."""
    return {"shares": {one.way.name: one.share for one in result.ways}}


def quick(request: AttributionBenchmarkRequest) -> AttributionBenchmarkRequest:
    """As few places, steps and orders as it takes."""
    return replace(request, places=PLACES.low, steps=1, samples=2)


def waits(_document: Document, _card: ModelCard, _answered: Answered | None) -> bool:
    """Eleven methods at two hundred places."""
    return True


QUESTION = Question(
    name="attribution_benchmark",
    title=N_("Attribution benchmark"),
    asks=N_("How often does each method of attribution find the word that truly matters?"),
    listing=Listing(Topic.EXPLAIN, 2, "scoreboard-outline", tab_of="attribution"),
    found_by=("faithfulness", "evaluate explanations", "설명 평가", "정답과 비교"),
    request=AttributionBenchmarkRequest,
    result=AttributionBenchmarkResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"shown": SHOWN},
    derived=derived,
    cheap_variant=quick,
    is_expensive=waits,
    waiting_hint=N_(
        "Eleven methods explain the model's predictions at two hundred places of the small world: "
        "a minute or two with a small model. Press Run to see which of them find the word that "
        "truly matters."
    ),
    roles={MODEL: (Predictor, BidirectionalPredictor, InputEmbeddings, Attentions)},
    options=(SHOWN,),
)
