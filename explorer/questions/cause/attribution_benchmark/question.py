"""How often does a method of attribution find the word that truly matters?"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
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
    FilePath,
    InputEmbeddings,
    Listing,
    ModelCard,
    Predictor,
    Question,
    Table,
    TableColumn,
    Topic,
    Whole,
    WordList,
    asked,
    column,
)
from explorer.attribution.foreign import RIGHTS
from explorer.document import Document
from explorer.questions.cause.attribution_benchmark.pairs import pairs
from explorer.questions.cause.attribution_benchmark.rules import rule_results
from explorer.questions.cause.attribution_benchmark.tested import (
    WAYS,
    AttributionBenchmarkResult,
)
from explorer.text import N_

PLACES = Whole(
    N_("Places"),
    215,
    N_("At how many places each method is tested; the first of 215."),
    low=3,
    high=215,
)
SHOWN = Choice(
    N_("Where it is wrong"),
    "occlusion",
    N_("The method whose mistakes are listed."),
    redraws=True,
    in_bar=False,
    entries=tuple(Entry(one.name, one.about.title) for one in WAYS),
    is_open=True,
    key="attribution_benchmark.shown",
)
METHODS = WordList(
    N_("Methods"),
    (),
    N_(
        "Which methods are tested, by their names with commas between them. Empty: all of the "
        "program's and of plugins."
    ),
    placeholder=N_("all"),
    in_bar=False,
    key="attribution_benchmark.methods",
)
METHOD = FilePath(
    N_("Method from a file…"),
    "",
    RIGHTS,
    kinds=N_("Methods (*.py)"),
    endings=(".py",),
    key="attribution_benchmark.method",
)


@dataclass(frozen=True)
class AttributionBenchmarkRequest(Asks):
    """Ask how often each method finds the word that truly matters.

    Attributes:
        seed: Draws the orders of Shapley values and the sets of KernelSHAP.
        methods: Which are tested, by their names; none for all.
        method: The path of a file that declares one more, whose code is run.
    """

    places: int = asked(PLACES)
    steps: int = asked(
        Whole(
            N_("Integration steps"),
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
    methods: tuple[str, ...] = asked(METHODS)
    method: str = asked(METHOD)


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
    mass: float | None = column(N_("mass"), digits=3)
    rank: float | None = column(N_("rank correlation"), digits=3)
    agreeing: float | None = column(N_("right where they agree"), digits=3)
    agreeing_places: int = column(N_("places where they agree"), compared=False)
    others: float | None = column(N_("right where they don't"), digits=3)
    p_to_best: float = column(N_("p against the best"), compared=False)
    p_to_rule: float = column(N_("p against the best rule"), compared=False)
    digest: str = column(N_("method's SHA-256"), shown=False, compared=False)
    model: str = column(N_("model"), shown=False, compared=False)
    weights: str = column(N_("weights"), shown=False, compared=False)
    version: str = column(N_("version"), shown=False, compared=False)


def table(result: AttributionBenchmarkResult) -> Table:
    """One row a method, and one a rule that asks no model, with what the numbers belong to."""
    best = result.ranked[0]
    rules = rule_results(result.places)
    best_rule = max(rules, key=lambda one: one.right)
    rows = []
    for one in (*result.ways, *rules):
        agreeing, places, others = result.by_agreement(one)
        baseline = None if one.baseline is None else one.baseline.value
        stamp = result.model
        rows.append(
            MethodRow(
                method=one.method,
                baseline=baseline,
                places=len(one.picks),
                right=one.right,
                share=one.share,
                low=one.low,
                high=one.high,
                captured=one.captured,
                chance=result.chance,
                mass=one.mass,
                rank=one.rank,
                agreeing=agreeing,
                agreeing_places=places,
                others=others,
                p_to_best=result.p_of(one, best),
                p_to_rule=result.p_of(one, best_rule),
                digest=one.digest,
                model=stamp.id,
                weights=stamp.fingerprint,
                version=result.version,
            )
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
    about = (TableColumn(one.way.name, one.way.about.title, is_number=False) for one in result.ways)
    return Table.of(HiddenWordRow, rows).widened(names, picks, about)


COLUMN_TITLES = {
    "places": N_("places"),
    "chance": N_("by chance"),
    **{one.name: one.about.title for one in WAYS},
    "integrated_gradients_pad": N_("Integrated gradients, [PAD]"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: AttributionBenchmarkResult) -> Mapping[str, Cell]:
    """Each method's share."""
    shares = {one.way.name: one.share for one in result.ways}
    return {"places": len(result.places), "chance": result.chance, **shares}


def derived(result: AttributionBenchmarkResult) -> Mapping[str, Any]:
    """Shares by method, and paired tests: what --json prints beside the rest."""
    best = result.ranked[0]
    return {
        "shares": {one.way.name: one.share for one in result.ways},
        "best": best.way.name,
        "p_against_best": {one.way.name: result.p_of(one, best) for one in result.ways},
        "rules": {one.method: one.share for one in rule_results(result.places)},
        "pairs": [asdict(one) for one in pairs(result)],
    }


def quick(request: AttributionBenchmarkRequest) -> AttributionBenchmarkRequest:
    """As few places, steps and orders as it takes."""
    return replace(request, places=PLACES.low, steps=1, samples=2, method="")


def waits(_document: Document, _card: ModelCard, _answered: Answered | None) -> bool:
    """Many methods at two hundred places."""
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
        "Every method explains the model's predictions at two hundred places of the small world: "
        "minutes with a small model, and what was done is kept. Press Run to see which of them "
        "find the word that truly matters."
    ),
    warns=lambda asked: RIGHTS if asked.method else "",
    roles={MODEL: (Predictor, BidirectionalPredictor, InputEmbeddings, Attentions)},
    options=(SHOWN,),
)
