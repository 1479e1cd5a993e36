"""How well is replacing noticed over many draws of a sentence?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    DISCRIMINATOR,
    GENERATOR,
    TOKENS,
    Answered,
    Asks,
    BidirectionalPredictor,
    Cell,
    Context,
    Discriminator,
    Listing,
    ModelCard,
    ModelStamp,
    Pool,
    Question,
    Table,
    Topic,
    Whole,
    a_text,
    asked,
    column,
    spaces_stay_visible,
)
from explorer.document import Document, Mask
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD, Counts
from explorer.numerics.evaluation.roc import RocPoint, pooled_curve
from explorer.questions.detection.cards import pooled
from explorer.questions.detection.casting import judge_and_other
from explorer.questions.detection.drawing import GREEDY, RATE, TEMPERATURE, THRESHOLD
from explorer.questions.detection.pair_of_models import NEEDS_A_DISCRIMINATOR
from explorer.questions.detection.pooling import COLUMNS, gather, told, verdict_cells
from explorer.questions.detection.replaced_tokens import question as detect_replaced
from explorer.questions.detection.replaced_tokens.question import (
    ReplacedTokensRequest,
    ReplacedTokensResult,
)
from explorer.questions.detection.wording import COLUMN_TITLES
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

QUICK = 10_000_000
"""Parameters of a model, times the draws by 100, up to which a sentence is asked at once."""
EXAMPLES = 40
"""Errors of each kind that are kept with their sentences: the worst ones."""
DRAWS = Whole(
    N_("Draws"), 100, N_("How often each sentence is corrupted and judged."), low=1, high=10_000
)


@dataclass(frozen=True)
class ManyDrawsRequest(Asks):
    """Corrupt a sentence many times, and pool the verdicts.

    The tokens that `masks` has are replaced each time; without any, each draw chooses its own.
    """

    text: str = ""
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    draws: int = asked(DRAWS)
    seed: int = asked(
        Whole(
            N_("From seed"),
            0,
            N_("Of the first draw; each draw takes the next one."),
            high=999_999,
        )
    )
    temperature: float = asked(TEMPERATURE)
    greedy: bool = asked(GREEDY)
    rate: float = asked(RATE)


@dataclass(frozen=True)
class VerdictPlace:
    """Where verdicts are pooled: a token of the sentence.

    Attributes:
        position: In the input; None for a piece anywhere in a file, as an older program pooled.
        piece: The original one.
    """

    position: int | None
    piece: str


@dataclass(frozen=True)
class ErrorExample:
    """One error with its sentence.

    Attributes:
        replaced: It was replaced and looked original; else the other way round.
        probability: That it was replaced, as the discriminator says.
        original: The piece that stood there.
        piece: The one that stands there.
        corrupted: The corrupted sentence's pieces.
        index: Which of these it is.
        seed: Of the draw.
    """

    replaced: bool
    probability: float
    original: str
    piece: str
    corrupted: tuple[str, ...]
    index: int
    seed: int


@dataclass(frozen=True)
class ManyDrawsResult:
    """Verdicts of many draws, pooled.

    Attributes:
        model: The discriminator.
        other: The generator.
        probability: Of every judged token, draw after draw (float32, judged).
        truth: Whether it was replaced (bool, judged).
        place: Index in `places` of each (int32, judged).
        places: Where verdicts are pooled.
        misses: The replaced tokens with the lowest probability, worst first.
        false_alarms: The originals with the highest, worst first.
        sentences: How many were corrupted: more than one where an older program read a file.
        draws: How many corrupted sentences there were in all.
        skipped: Sentences that could not be corrupted.
        chosen: Tokens that were masked, in all.
        guessed: Of these, how often the generator drew the original.
        generator_loss: Mean over the draws, in nats.
        discriminator_loss: Mean over the draws, in nats.
        curve: The ROC over all thresholds, some hundreds of points of it; empty where nothing was
            replaced.
        area: Under the whole curve, or None.
        source: Name of the file that an older program pooled; "" for a sentence.
    """

    model: ModelStamp
    other: ModelStamp
    probability: NDArray[np.float32]
    truth: NDArray[np.bool_]
    place: NDArray[np.int32]
    places: tuple[VerdictPlace, ...]
    misses: tuple[ErrorExample, ...]
    false_alarms: tuple[ErrorExample, ...]
    sentences: int
    draws: int
    skipped: int
    chosen: int
    guessed: int
    generator_loss: float
    discriminator_loss: float
    curve: tuple[RocPoint, ...]
    area: float | None
    source: str = ""

    def counts_at(self, threshold: float, place: int | None = None) -> Counts:
        """The outcomes at a threshold, of all tokens or of one place's."""
        inside = slice(None) if place is None else self.place == place
        said, truth = self.probability[inside] > threshold, self.truth[inside]
        return Counts(
            int((said & truth).sum()),
            int((~said & truth).sum()),
            int((said & ~truth).sum()),
            int((~said & ~truth).sum()),
        )

    def counts_by_place(self, threshold: float) -> tuple[Counts, ...]:
        """The outcomes at a threshold, for every place."""
        said = self.probability > threshold
        sums = [
            np.bincount(self.place[chosen], minlength=len(self.places)).tolist()
            for chosen in (
                said & self.truth,
                ~said & self.truth,
                said & ~self.truth,
                ~said & ~self.truth,
            )
        ]
        return tuple(Counts(*four) for four in zip(*sums, strict=True))


Errors = dict[tuple[int, str], tuple[float, int, ErrorExample]]
"""The worst error of each word at each place: how bad, its number, and itself."""


@dataclass
class _Pool:
    """What has been gathered so far."""

    probability: list[float]
    truth: list[bool]
    place: list[int]
    places: dict[VerdictPlace, int]
    misses: Errors
    alarms: Errors
    generator: float = 0.0
    discriminator: float = 0.0
    draws: int = 0
    chosen: int = 0
    guessed: int = 0

    def take(self, found: ReplacedTokensResult, seed: int) -> None:
        """Add one corrupted sentence."""
        self.draws += 1
        self.generator += found.losses.generator or 0.0
        self.discriminator += found.losses.discriminator
        self.chosen += len(found.chosen)
        self.guessed += sum(not found.truth[one.position] for one in found.chosen)
        inside = [i for i, token in enumerate(found.tokens) if not token.special]
        pieces = tuple(found.tokens[i].text for i in inside)
        for index, i in enumerate(inside):
            place = VerdictPlace(i, found.original[i])
            self.place.append(self.places.setdefault(place, len(self.places)))
            self.probability.append(found.probability[i])
            self.truth.append(found.truth[i])
            chance = found.probability[i]
            errors, badness = (
                (self.misses, -chance) if found.truth[i] else (self.alarms, chance)
            )  # fmt: skip
            # A word that is taken for another again and again is one example: where it is worst.
            before = errors.get((index, pieces[index]))
            if before is None or badness > before[0]:
                example = ErrorExample(
                    found.truth[i], chance, found.original[i], pieces[index], pieces, index, seed
                )
                # The count tells equal errors apart, so that examples are never compared.
                errors[index, pieces[index]] = (badness, -len(self.truth), example)


def run(model: Any, request: ManyDrawsRequest, context: Context) -> ManyDrawsResult:
    """Do what `replaced_tokens` does, once for every draw, and pool what it finds.

    Draw n of the whole has the seed `request.seed + n`; the same sentence with this seed gives
    the same corruption there.

    Raises:
        Unavailable: The models are no pair, or lack the heads.
        UserMistake: There is no text.
    """
    generator = context.model(GENERATOR)
    one = ReplacedTokensRequest(
        request.text,
        request.pair,
        masks=request.masks,
        rate=request.rate,
        temperature=request.temperature,
        greedy=request.greedy,
        top_k=1,
    )
    pool = _Pool([], [], [], {}, {}, {})
    for number in range(request.draws):
        context.give_way()
        context.check()
        context.progress(_("Corrupting and judging"), number, request.draws)
        seed = request.seed + number
        found = detect_replaced.QUESTION.run(model, replace(one, seed=seed), context)
        pool.take(found, seed)
    probability = np.array(pool.probability, dtype=np.float32)
    truth = np.array(pool.truth, dtype=np.bool_)
    curve, area = pooled_curve(probability, truth)
    return ManyDrawsResult(
        model=model.stamp,
        other=generator.stamp,
        probability=_frozen(probability),
        truth=_frozen(truth),
        place=_frozen(np.array(pool.place, dtype=np.int32)),
        places=tuple(pool.places),
        misses=_worst(pool.misses),
        false_alarms=_worst(pool.alarms),
        sentences=1,
        draws=pool.draws,
        skipped=0,
        chosen=pool.chosen,
        guessed=pool.guessed,
        generator_loss=pool.generator / pool.draws,
        discriminator_loss=pool.discriminator / pool.draws,
        curve=curve,
        area=area,
    )


def _worst(errors: Errors) -> tuple[ErrorExample, ...]:
    ordered = sorted(errors.values(), key=lambda one: (-one[0], -one[1]))
    return tuple(example for *_rest, example in ordered[:EXAMPLES])


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class VerdictRow:
    """The verdicts at a place; those of all places have no position."""

    position: int | None = column(N_("position"), key=True, place=TOKENS)
    original: str = column(N_("original"), key=True, written=visible)
    judged: int = column(N_("judged"), compared=False)
    replaced: int = column(N_("replaced"))
    hits: int = column(N_("hits"))
    misses: int = column(N_("misses"))
    false_alarms: int = column(N_("false alarms"))
    correct_rejections: int = column(N_("correct rejections"))
    precision: float | None = column(N_("precision"), digits=3)
    recall: float | None = column(N_("recall"), digits=3)
    mean_if_replaced: float | None = column(
        N_("probability, if replaced"), tip=N_("The mean where it was replaced."), written=in_digits
    )
    mean_if_original: float | None = column(
        N_("probability, if original"), tip=N_("The mean where it was not."), written=in_digits
    )


def table(result: ManyDrawsResult, threshold: float = DEFAULT_THRESHOLD) -> Table:
    """One row for every place that verdicts are pooled at, and one for all, at a threshold."""
    by_place = result.counts_by_place(threshold)
    everything = np.zeros(len(result.place), dtype=np.int32)
    means = [
        *_means(result, everything, 1),
        *_means(result, result.place, len(result.places)),
    ]
    places = (VerdictPlace(None, "all"), *result.places)
    return Table.of(
        VerdictRow,
        (
            VerdictRow(
                *(place.position, place.piece, counts.tokens, counts.replaced),
                *(counts.hits, counts.misses, counts.false_alarms, counts.correct_rejections),
                *(counts.precision, counts.recall, *mean),
            )
            for place, counts, mean in zip(
                places, (sum(by_place, Counts()), *by_place), means, strict=True
            )
        ),
    )


def _means(
    result: ManyDrawsResult, place: NDArray[np.int32], count: int
) -> list[tuple[float | None, float | None]]:
    """The mean probability at every place, of replaced tokens and of originals."""
    found = []
    for chosen in (result.truth, ~result.truth):
        weights = result.probability[chosen].astype(np.float64)
        sums = np.bincount(place[chosen], weights, minlength=count)
        counts = np.bincount(place[chosen], minlength=count)
        pairs = zip(sums.tolist(), counts.tolist(), strict=True)
        found.append([total / many if many else None for total, many in pairs])
    return list(zip(*found, strict=True))


def summary(result: ManyDrawsResult) -> Mapping[str, Cell]:
    """One row for one sentence; at one half."""
    counts = result.counts_at(DEFAULT_THRESHOLD)
    return {
        "draws": result.draws,
        "chosen": result.chosen,
        "replaced": counts.replaced,
        "hits": counts.hits,
        "misses": counts.misses,
        "false_alarms": counts.false_alarms,
        "correct_rejections": counts.correct_rejections,
        "precision": counts.precision,
        "recall": counts.recall,
        "roc_area": result.area,
        "threshold": DEFAULT_THRESHOLD,
        "generator_loss": result.generator_loss,
        "discriminator_loss": result.discriminator_loss,
    }


def _without_a_file(request: dict[str, Any], result: dict[str, Any] | None) -> None:
    """A file is asked about by the question about files; what was pooled of one stays readable."""
    path = str(request.pop("path", ""))
    for gone in ("column", "limit"):
        request.pop(gone, None)
    if result is not None:
        result["source"] = PurePath(path.replace("\\", "/")).name


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """Large models and very many draws wait for the button."""
    return card.parameters * DRAWS.of(document) / 100 > QUICK


QUESTION = Question(
    name="many_draws",
    title=N_("Detection over samples"),
    asks=N_("How well are replaced tokens found over many draws, and which errors remain?"),
    elsewhere=NEEDS_A_DISCRIMINATOR,
    listing=Listing(Topic.PRETRAINING, 2, "chart-scatter-plot", "Alt+0", tab_of="replaced_tokens"),
    found_by=("precision", "recall", "F1", "ROC", "AUC", "정밀도", "재현율", "여러 번 뽑기"),
    request=ManyDrawsRequest,
    result=ManyDrawsResult,
    run=run,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"threshold": THRESHOLD},
    pool=Pool(
        lambda result: verdict_cells(result.probability.tolist(), result.truth.tolist()),
        COLUMNS,
        gather,
        told,
        # A file's sentences are drawn for with seeds of their own.
        lambda request, line: replace(request, seed=request.seed + line * request.draws),
        parts=pooled,
    ),
    upgrades=(_without_a_file, spaces_stay_visible),
    options=(THRESHOLD,),
    is_expensive=waits,
    waiting_hint=N_("Corrupt this sentence many times and pool the verdicts."),
    second_model_hint=N_(
        "Draws need a generator and a discriminator: its own, or any masked language "
        "model of the same vocabulary."
    ),
    conditions=(a_text(N_("Type a sentence to have it corrupted many times.")),),
    binding=judge_and_other,
    roles={DISCRIMINATOR: (Discriminator,), GENERATOR: (BidirectionalPredictor,)},
    formerly=("detect_many",),
)
