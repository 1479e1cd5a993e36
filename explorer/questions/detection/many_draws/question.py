"""How well is replacing noticed over many draws, or over a file of sentences?"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    DISCRIMINATOR,
    GENERATOR,
    BidirectionalPredictor,
    Context,
    Discriminator,
    ModelStamp,
    Operation,
    Table,
    UserMistake,
    a_text,
)
from explorer.api.operation import Cell
from explorer.document import Document, Mask
from explorer.numerics.outcomes import DEFAULT_THRESHOLD, Counts, RocPoint
from explorer.numerics.pooled_curve import pooled_curve
from explorer.questions.detection.casting import judge_and_other
from explorer.questions.detection.many_draws.options import DRAWS, OPTIONS, SEED
from explorer.questions.detection.replaced_tokens import question as detect_replaced
from explorer.questions.detection.replaced_tokens.options import (
    GREEDY,
    PAPER_RATE,
    RATE,
    TEMPERATURE,
)
from explorer.questions.detection.replaced_tokens.question import (
    DetectReplaced,
    DetectReplacedResult,
)
from explorer.text import N_

MOST_RUNS = 100_000
EXAMPLES = 40
"""Errors of each kind that are kept with their sentences: the worst ones."""


@dataclass(frozen=True)
class DetectMany:
    """Corrupt a sentence many times, or every sentence of a file, and pool the verdicts.

    Attributes:
        text: The sentence; not read where a file is given.
        pair: The second sentence, or None.
        masks: Tokens that are replaced each time; without any, each draw chooses its own.
        path: A file of sentences (txt, csv, tsv); "" for the sentence above.
        column: Of a table; "" finds it.
        draws: How often each sentence is corrupted.
        limit: Sentences of the file that are read.
        rate: Share of the tokens that is chosen.
        seed: Of the first draw; each following draw takes the next one.
        temperature: Divides the generator's logits before it draws.
        greedy: Take the most probable token in the place of a draw.
    """

    text: str = ""
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    path: str = ""
    column: str = ""
    draws: int = 100
    limit: int = 1000
    rate: float = PAPER_RATE
    seed: int = 0
    temperature: float = 1.0
    greedy: bool = False

    @classmethod
    def of(cls, document: Document) -> "DetectMany":
        """The question a document asks."""
        return cls(
            document.text,
            document.pair,
            document.masks,
            draws=DRAWS.of(document),
            rate=RATE.of(document),
            seed=SEED.of(document),
            temperature=TEMPERATURE.of(document),
            greedy=GREEDY.of(document),
        )


@dataclass(frozen=True)
class Place:
    """Where verdicts are pooled: a token of the sentence, or a piece anywhere in a file.

    Attributes:
        position: In the input; None over a file.
        piece: The original one.
    """

    position: int | None
    piece: str


@dataclass(frozen=True)
class Example:
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
class DetectManyResult:
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
        sentences: How many were corrupted.
        draws: How many corrupted sentences there were in all.
        skipped: Sentences that could not be corrupted.
        chosen: Tokens that were masked, in all.
        guessed: Of these, how often the generator drew the original.
        generator_loss: Mean over the draws, in nats.
        discriminator_loss: Mean over the draws, in nats.
        curve: The ROC over all thresholds, some hundreds of points of it; empty where nothing was
            replaced.
        area: Under the whole curve, or None.
    """

    model: ModelStamp
    other: ModelStamp
    probability: NDArray[np.float32]
    truth: NDArray[np.bool_]
    place: NDArray[np.int32]
    places: tuple[Place, ...]
    misses: tuple[Example, ...]
    false_alarms: tuple[Example, ...]
    sentences: int
    draws: int
    skipped: int
    chosen: int
    guessed: int
    generator_loss: float
    discriminator_loss: float
    curve: tuple[RocPoint, ...]
    area: float | None

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


@dataclass
class _Pool:
    """What has been gathered so far."""

    probability: list[float]
    truth: list[bool]
    place: list[int]
    places: dict[Place, int]
    misses: list[tuple[float, int, Example]]
    alarms: list[tuple[float, int, Example]]
    shown: set[tuple[tuple[str, ...], int]]
    generator: float = 0.0
    discriminator: float = 0.0
    draws: int = 0
    chosen: int = 0
    guessed: int = 0

    def take(self, found: DetectReplacedResult, seed: int, by_position: bool) -> None:
        """Add one corrupted sentence."""
        self.draws += 1
        self.generator += found.losses.generator or 0.0
        self.discriminator += found.losses.discriminator
        self.chosen += len(found.chosen)
        self.guessed += sum(not found.truth[one.position] for one in found.chosen)
        inside = [i for i, token in enumerate(found.tokens) if not token.special]
        pieces = tuple(found.tokens[i].text for i in inside)
        for index, i in enumerate(inside):
            place = Place(i if by_position else None, found.original[i])
            self.place.append(self.places.setdefault(place, len(self.places)))
            self.probability.append(found.probability[i])
            self.truth.append(found.truth[i])
            chance = found.probability[i]
            heap, badness = (
                (self.misses, -chance) if found.truth[i] else (self.alarms, chance)
            )  # fmt: skip
            # The same draw may come twice; one example of it is enough.
            if (len(heap) < EXAMPLES or badness > heap[0][0]) and (
                (pieces, index) not in self.shown
            ):
                self.shown.add((pieces, index))
                example = Example(
                    found.truth[i], chance, found.original[i], pieces[index], pieces, index, seed
                )
                # The count tells equal errors apart, so that examples are never compared.
                entry = (badness, -len(self.truth), example)
                if len(heap) < EXAMPLES:
                    heapq.heappush(heap, entry)
                else:
                    heapq.heapreplace(heap, entry)


def run(model: Any, request: DetectMany, context: Context) -> DetectManyResult:
    """Do what `replaced_tokens` does, once for every draw, and pool what it finds.

    Draw n of the whole has the seed `request.seed + n`; the same sentence with this seed gives
    the same corruption there.

    Raises:
        Unavailable: The models are no pair, or lack the heads.
        UserMistake: The request or the file makes no sense.
    """
    generator = context.model(GENERATOR)
    if request.draws < 1 or request.limit < 1:
        raise UserMistake(N_("At least one draw is needed."), N_("Choose a number from 1 on."))
    if request.seed < 0:
        raise UserMistake(N_("A seed is a whole number from 0 on."), N_("Take 0."))
    sentences = list(_sentences(request))
    if len(sentences) * request.draws > MOST_RUNS:
        raise UserMistake(
            N_("{count} draws are too many: {most_runs} is the most."),
            N_("Choose fewer draws for each sentence, or fewer sentences."),
            count=len(sentences) * request.draws,
            most_runs=MOST_RUNS,
        )
    one = DetectReplaced(
        "",
        masks=request.masks if not request.path else (),
        rate=request.rate,
        temperature=request.temperature,
        greedy=request.greedy,
        top_k=1,
    )
    pool = _Pool([], [], [], {}, [], [], set())
    total = len(sentences) * request.draws
    skipped = number = 0
    for text, pair in sentences:
        for _ in range(request.draws):
            context.give_way()
            context.check()
            context.progress("Corrupting and judging", number, total)
            seed = request.seed + number
            number += 1
            try:
                found = detect_replaced.OPERATION.run(
                    model, replace(one, text=text, pair=pair, seed=seed), context
                )
            except UserMistake as mistake:
                # A line of a file that can't be corrupted is passed over; everything else is told.
                if not request.path or type(mistake) is not UserMistake:
                    raise
                skipped += 1
                number += request.draws - 1
                break
            pool.take(found, seed, by_position=not request.path)
    if not pool.draws:
        raise UserMistake(
            N_("No sentence of the file could be corrupted."), N_("Choose another file.")
        )
    probability = np.array(pool.probability, dtype=np.float32)
    truth = np.array(pool.truth, dtype=np.bool_)
    curve, area = pooled_curve(probability, truth)
    return DetectManyResult(
        model=model.stamp,
        other=generator.stamp,
        probability=_frozen(probability),
        truth=_frozen(truth),
        place=_frozen(np.array(pool.place, dtype=np.int32)),
        places=tuple(pool.places),
        misses=_worst(pool.misses),
        false_alarms=_worst(pool.alarms),
        sentences=len(sentences) - skipped,
        draws=pool.draws,
        skipped=skipped,
        chosen=pool.chosen,
        guessed=pool.guessed,
        generator_loss=pool.generator / pool.draws,
        discriminator_loss=pool.discriminator / pool.draws,
        curve=curve,
        area=area,
    )


def _sentences(request: DetectMany) -> Iterator[tuple[str, str | None]]:
    if not request.path:
        yield request.text, request.pair
        return
    from explorer.questions.many.file_of_sentences.sentences import read_sentences

    for count, sentence in enumerate(read_sentences(request.path, request.column)):
        if count == request.limit:
            return
        yield sentence.text, sentence.pair


def _worst(heap: list[tuple[float, int, Example]]) -> tuple[Example, ...]:
    return tuple(example for _, _, example in sorted(heap, key=lambda one: (-one[0], -one[1])))


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def table(result: DetectManyResult) -> Table:
    """One row for every place that verdicts are pooled at, and one for all; at one half."""
    by_place = result.counts_by_place(DEFAULT_THRESHOLD)
    total = sum(by_place, Counts())
    everything = np.zeros(len(result.place), dtype=np.int32)
    rows = [_row(None, "all", total, *_means(result, everything, 1)[0])]
    means = _means(result, result.place, len(result.places))
    rows += [
        _row(place.position, place.piece, counts, *mean)
        for place, counts, mean in zip(result.places, by_place, means, strict=True)
    ]
    return Table(
        (
            "position",
            "original",
            "judged",
            "replaced",
            "hits",
            "misses",
            "false_alarms",
            "correct_rejections",
            "precision",
            "recall",
            "mean_if_replaced",
            "mean_if_original",
        ),
        tuple(rows),
    )


def _row(
    position: int | None,
    piece: str,
    counts: Counts,
    if_replaced: float | None,
    if_original: float | None,
) -> tuple[Cell, ...]:
    return (
        position,
        piece,
        counts.tokens,
        counts.replaced,
        counts.hits,
        counts.misses,
        counts.false_alarms,
        counts.correct_rejections,
        counts.precision,
        counts.recall,
        if_replaced,
        if_original,
    )


def _means(
    result: DetectManyResult, place: NDArray[np.int32], count: int
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


OPERATION = Operation(
    name="many_draws",
    title="Detection, many draws",
    question="How well are replaced tokens found over many draws, and which errors remain?",
    request=DetectMany,
    result=DetectManyResult,
    run=run,
    table=table,
    options=OPTIONS,
    conditions=(a_text(N_("Type a sentence to have it corrupted many times.")),),
    casting=judge_and_other,
    roles={DISCRIMINATOR: (Discriminator,), GENERATOR: (BidirectionalPredictor,)},
    formerly=("detect_many",),
)
