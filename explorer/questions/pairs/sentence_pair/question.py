"""Does the second text follow the first, or which class are both of?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    BESIDE,
    MODEL,
    SECOND,
    Cards,
    Cell,
    Classes,
    ClassScores,
    Condition,
    Detail,
    LeftOut,
    Listing,
    Manner,
    ModelCard,
    ModelStamp,
    OneCard,
    PairClassifier,
    PairNumbers,
    Pool,
    Question,
    ReadsEntities,
    Rows,
    Said,
    Token,
    TokenPairs,
    TokenSide,
    Topic,
    Width,
    a_text,
    computed,
    right_answer,
)
from explorer.document import Document
from explorer.exact_answers.asking import LANE, exactly_of_pair
from explorer.numerics.spans import softmax
from explorer.published.pair_objectives import compared
from explorer.published.what_pairs_teach import taught
from explorer.questions.pairs.sentence_pair.pooling import (
    COLUMNS,
    TITLES,
    confusion,
    gather,
    pooled,
    told,
)
from explorer.questions.pairs.sentence_pair.wording import TRAINED, Judges, named, verdict
from explorer.questions.second_model import active_and_other
from explorer.text import N_, Phrase

NAME = "sentence_pair"


@dataclass(frozen=True)
class SentencePairRequest(ReadsEntities):
    """Ask what models say of two texts, or a classifier of one.

    The right class is told by its name or its number; None where it is not known.
    """

    text: str
    pair: str | None = None
    expected: str | None = right_answer()


@dataclass(frozen=True)
class PairJudgement:
    """What one model says.

    Attributes:
        model: Which.
        judges: What its head was trained to tell.
        labels: Names of its classes.
        logits: A raw score a class, float32.
        tokens: The input as it saw it.
        between: The largest attention weight between each token of the first text and each of the
            second, either way, over all layers and heads; None without a second text, or where
            its attention can't be had, or many pairs were asked about.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    judges: Judges
    labels: tuple[str, ...]
    logits: NDArray[np.float32]
    tokens: tuple[Token, ...]
    between: NDArray[np.float32] | None = None
    left_out: LeftOut | None = None

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Of the classes."""
        return softmax(self.logits)

    @property
    def best(self) -> int:
        """The number of the likeliest class."""
        return int(self.logits.argmax())

    def places(self, part: int) -> tuple[int, ...]:
        """Positions of a text's own tokens: the rows or the columns of `between`.

        Args:
            part: 0 for the first text, 1 for the second.
        """
        return places_of(self.tokens, part)


def places_of(tokens: Sequence[Token], part: int) -> tuple[int, ...]:
    """Positions of one of two texts' own tokens in the input."""
    return tuple(n for n, one in enumerate(tokens) if one.part == part and not one.special)


@dataclass(frozen=True)
class SentencePairResult:
    """What each model says of the same texts.

    Attributes:
        model: Who was asked first.
        judgements: One a model.
        notes: What must be known, a sentence each.
        expected: Number of the right class; None where it is not known.
    """

    model: ModelStamp
    judgements: tuple[PairJudgement, ...]
    notes: tuple[Phrase, ...] = ()
    expected: int | None = None


def parts(result: SentencePairResult) -> Sequence[Cards | Classes | TokenPairs | Rows | Said]:
    """What each model says, and where it looks; then what its objective teaches, if it has one."""
    judged = tuple(
        ClassScores(one.model.id, one.labels, one.logits, one.probabilities, named(one.labels))
        for one in result.judgements
    )
    each = [
        (
            OneCard("", tuple(_said(one, Classes(judged, result.expected, n, exact_lane(n)))),
                    model=one.model),
            _looks(one),
        )
        for n, one in enumerate(result.judgements)
    ]  # fmt: skip
    if len(each) == 1:
        cards = [card for card in each[0] if card.parts]
    else:
        cards = [
            replace(says, parts=(*says.parts, Said(looks.title, Manner.TITLE), *looks.parts))
            if looks.parts
            else says
            for says, looks in each
        ]
    side_by_side = Cards(tuple(cards), Width.WIDE, framed=len(each) > 1)
    if all(one.judges is Judges.CLASSES for one in result.judgements):
        return (side_by_side,)
    return (side_by_side, taught(compared()))


def _said(one: PairJudgement, classes: Classes) -> Iterator[Said | Classes]:
    """One model's answer in words, and its classes."""
    if one.left_out is not None:
        yield Said(one.left_out.said, Manner.WARNING, near=True)
    yield Said(
        verdict(one.judges, one.labels, one.best, float(one.probabilities[one.best])),
        Manner.STRONG,
        near=True,
    )
    yield Said(TRAINED[one.judges], Manner.EXPLANATION, near=True)
    yield classes


LOOKS = N_("Attention between the texts")


def _looks(one: PairJudgement) -> OneCard:
    """Where it looks from one text to the other; nothing where that is not known."""
    if one.between is None:
        return OneCard(LOOKS, ())
    first, second = (
        TokenSide(
            name, title, place, tuple(one.tokens[n] for n in one.places(part)), one.places(part)
        )
        for part, (name, title, place) in enumerate(SIDES)
    )
    weights = PairNumbers("weight", N_("weight"), one.between)
    about = N_(
        "The largest weight between two words of different texts, either way, over all layers and "
        "heads."
    )
    read = Said(N_("Point at a cell to read it."), Manner.HINT, near=True)
    pairs = TokenPairs(first, second, (weights,), title=LOOKS)
    return OneCard(LOOKS, (Said(about, Manner.EXPLANATION, near=True), read, pairs))


SIDES = (
    ("first", N_("first text"), N_("position in the first text")),
    ("second", N_("second text"), N_("position in the second text")),
)


def judged_cells(result: SentencePairResult) -> Mapping[str, Cell]:
    """What a row keeps for the pool: the right class, the one that was said, and how surely."""
    one = result.judgements[0]
    if result.expected is None:
        return dict.fromkeys(COLUMNS, "")
    kept = (one.labels[result.expected], one.labels[one.best], float(one.probabilities[one.best]))
    return dict(zip(COLUMNS, kept, strict=True))


def _judges_alone(_document: Any, cards: Sequence[ModelCard]) -> bool:
    """Whether a text alone is enough: every model that is asked tells classes apart."""
    heads = [{head.name for head in card.heads if head.present} for card in cards]
    return bool(heads) and all(Judges.CLASSES.value in one for one in heads)


def exact_lane(number: int) -> str:
    """Tells the exact answers beside each judgement apart."""
    return f"{LANE}-{number}" if number else LANE


def exact_judgements(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answer beside every head that was trained on pairs of the world's texts."""
    if not (document.pair or "").strip():
        return ()
    return tuple(
        exactly_of_pair(document, one.model, exact_lane(number))
        for number, one in enumerate(result.judgements)
        if one.judges is not Judges.CLASSES
    )


QUESTION = Question(
    name=NAME,
    title=N_("Sentence pair"),
    asks=N_("Does the second text follow the first, or which class are they of?"),
    elsewhere=N_(
        "Pairs are judged by models with a next-sentence or sentence-order head, as bert-miniature "
        "and albert-miniature, and texts by classifiers, as bert-sentiment-miniature."
    ),
    listing=Listing(Topic.TASKS, 1, "format-quote-close", in_overview=1),
    found_by=(
        "NSP",
        "next sentence prediction",
        "SOP",
        "sentence order prediction",
        "NLI",
        "entailment",
        "text classification",
        "sentiment",
        "다음 문장 예측",
        "문장 순서 예측",
        "자연어 추론",
        "텍스트 분류",
        "감성 분석",
    ),
    request=SentencePairRequest,
    result=SentencePairResult,
    run_many=computed(__name__, "run_many"),
    parts=parts,
    roles={MODEL: (PairClassifier,), SECOND: (PairClassifier,)},
    optional=frozenset({SECOND}),
    binding=active_and_other(NAME),
    beside=exact_judgements,
    options=(BESIDE,),
    column_titles=TITLES,
    pool=Pool(judged_cells, COLUMNS, gather, told, table=confusion, parts=pooled),
    conditions=(
        a_text(N_("Type two sentences to see whether the second one follows the first.")),
        Condition(
            lambda document: bool((document.pair or "").strip()),
            N_("Add a second text: this model judges two."),
            spared=_judges_alone,
        ),
    ),
)
