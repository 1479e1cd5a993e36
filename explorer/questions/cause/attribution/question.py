"""Which words make a prediction, by gradients, by what is lost without them, and by attention?"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    TOKENS,
    Answered,
    Cell,
    Choice,
    Entry,
    InputEmbeddings,
    LeftOut,
    Listing,
    MethodDescription,
    ModelCard,
    ModelStamp,
    Question,
    ReadsEntities,
    Table,
    Token,
    Topic,
    Whole,
    Words,
    a_mask,
    a_text,
    asked,
    column,
    spaces_stay_visible,
)
from explorer.attribution.foreign import RIGHTS, is_file
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import own_methods
from explorer.document import Document, Mask
from explorer.numerics.evaluation.mean_height import mean_height
from explorer.numerics.evaluation.rank_correlation import rank_correlation
from explorer.questions.cause.attribution.options import (
    AT,
    BASELINE,
    BESIDE,
    FILE,
    FIRST_STEPS,
    MEASURE,
    METHOD,
    NONE,
    STEPS,
    TARGET,
    ExplainedMeasure,
    ExplainedTarget,
    NormalisedOver,
    Quantity,
    ScoredUnit,
    takes,
    texts_read,
)
from explorer.questions.cause.unmasked import answers_unmasked
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, Phrase
from explorer.text.pieces import visible

Floats = NDArray[np.float64]
MOST_GAP = 0.01
"""Of the difference that scores are to add up to: beyond it there is a warning."""


@dataclass(frozen=True)
class AttributionRequest(ReadsEntities):
    """Ask what each word of a text adds to one number of a model's answer.

    Attributes:
        method: By its name, or the path of a file that declares one, whose code is run.
        beside: A second method; None, or the same one, for no other.
        at: The position of the token that is explained; none for the first mask, the next token
            after the text, the token that is likeliest replaced, the first that has a label, or
            the best answer's start or end.
        steps: Points along the way of integrated gradients; 0 for as many as are needed.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    method: str = asked(METHOD)
    beside: str | None = asked(
        BESIDE,
        made=lambda method: None if method == NONE else method,
        kept=lambda method: NONE if method is None else method,
    )
    target: ExplainedTarget = asked(TARGET, made=ExplainedTarget)
    measure: ExplainedMeasure = asked(MEASURE, made=ExplainedMeasure)
    word: str = asked(
        Words(
            N_("Word"),
            "",
            N_("The word or label that is explained. Empty: the likeliest."),
            placeholder=N_("the likeliest"),
        ),
        made=str.strip,
    )
    against: str = asked(
        Words(
            N_("Against"),
            "",
            N_("The second word of a logit difference. Empty: the likeliest of the others."),
            placeholder=N_("the next likeliest"),
            when=lambda document: MEASURE.of(document) == ExplainedMeasure.DIFFERENCE.value,
        ),
        made=str.strip,
    )
    baseline: Baseline = asked(BASELINE, made=Baseline)
    baseline_text: str = asked(
        Words(
            N_("Baseline's text"),
            "",
            N_("The number of tokens of the sentence, special ones not counted."),
            placeholder=N_("a text with the same number of tokens"),
            when=lambda document: BASELINE.of(document) == Baseline.TEXT.value,
        )
    )
    by: ScoredUnit = asked(
        Choice(
            N_("Scores"),
            ScoredUnit.PIECE.value,
            beside=True,
            entries=(
                Entry(ScoredUnit.PIECE.value, N_("by piece"), N_("Each token has a score")),
                Entry(
                    ScoredUnit.WORD.value,
                    N_("by word"),
                    N_("The pieces of a word are taken together"),
                ),
            ),
        ),
        made=ScoredUnit,
    )
    steps: int = asked(STEPS)
    samples: int = asked(
        Whole(
            N_("Orders"),
            25,
            N_("Sampled permutations, each forwards and backwards; exact for short texts."),
            low=2,
            high=1000,
            when=takes("samples"),
        )
    )
    seed: int = asked(
        Whole(
            N_("Seed"),
            0,
            N_("Of the orders."),
            low=0,
            high=999_999,
            next_said=N_("Draw other orders"),
            next_glyph="dice-multiple-outline",
            when=takes("samples"),
        )
    )
    at: tuple[int, ...] = asked(AT)

    def __post_init__(self) -> None:
        """Take the name of no method for none, whichever door it came in by."""
        object.__setattr__(self, "beside", None if self.beside == NONE else self.beside)


class ExplainedKind(enum.StrEnum):
    """What was explained."""

    MASKED = "masked"
    NEXT = "next"
    REPLACED = "replaced"
    LABEL = "label"
    TOKEN_LABEL = "token_label"  # noqa: S105 - what is explained
    START = "start"
    END = "end"


@dataclass(frozen=True)
class Explanandum:
    """The number that was explained.

    Attributes:
        kind: Whose answer.
        measure: Which number of it: that which was asked for, and log-odds of whether a token was
            replaced.
        place: The position that was asked about, one past the last token for the next one; None
            for a label.
        word: The word or label; "" where it is an entropy, or whether a token was replaced.
        against: The second one of a logit difference; "" for none.
        probability: Of the word, the label, or of being replaced.
        over: Among what it is a probability, where the number is made of such; None for logits, and
            in answers of before this was told.
    """

    kind: ExplainedKind
    measure: Quantity
    place: int | None
    word: str
    against: str
    probability: float
    over: NormalisedOver | None = None


@dataclass(frozen=True)
class MethodScores:
    """What a method found.

    Attributes:
        method: Its name.
        scores: One a unit, float64.
        errors: Standard errors, one a unit; empty where nothing was sampled.
        deletion: The value without the first 0, 1, ... units by their scores.
        insertion: The value with these alone.
        comprehensiveness: What is lost without the units that score highest.
        sufficiency: What is lost with these alone.
        steps: Points that were taken along the way; 0 where there are none, and in answers of
            before this was told.
        described: What a method that is not the program's says of itself; None for one that is.
        digest: SHA-256 of that method's file; "" for one of the program's.
    """

    method: str
    scores: Floats
    errors: Floats
    deletion: Floats
    insertion: Floats
    comprehensiveness: float
    sufficiency: float
    steps: int = 0
    described: MethodDescription | None = None
    digest: str = ""

    @property
    def about(self) -> MethodDescription:
        """What the method is."""
        if self.described is not None:
            return self.described
        return own_methods()[self.method].about

    @property
    def can_add_up(self) -> bool:
        """Whether its scores and the difference between text and baseline are of one kind."""
        return self.about.in_units and self.about.from_baseline


def share_of(gap: float, whole: float) -> float:
    """A gap's size as a share of the difference."""
    # Where both values are the same to float32's last digits, every gap is noise.
    return abs(gap / whole) if abs(whole) > 1e-5 else 0.0


@dataclass(frozen=True)
class AttributionResult:
    """Scores of the words of a text.

    Attributes:
        model: Who answered.
        tokens: The input as the model saw it.
        explained: What was explained.
        value: The number for the text.
        baseline: What stood in the place of words.
        baseline_piece: As the vocabulary writes it; "" for zeros, or another text.
        baseline_value: The number for the baseline.
        units: Positions of what has a score, in order; all others stay as they are.
        words: What the sentence has for each unit.
        methods: The method that was asked for, and the one beside it.
        left_out: What did not fit, or None.
        notes: What must be known, a sentence each.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    explained: Explanandum
    value: float
    baseline: Baseline
    baseline_piece: str
    baseline_value: float
    units: tuple[tuple[int, ...], ...]
    words: tuple[str, ...]
    methods: tuple[MethodScores, ...]
    left_out: LeftOut | None = None
    notes: tuple[Phrase, ...] = ()

    def gap(self, one: MethodScores) -> float | None:
        """What a method's scores have too much, or too little, to add up to the difference.

        None for methods whose scores are no parts of it.
        """
        if not one.can_add_up:
            return None
        return float(one.scores.sum()) - (self.value - self.baseline_value)

    def gap_share(self, one: MethodScores) -> float | None:
        """The gap's size as a share of the difference; None where there is no gap to speak of."""
        gap = self.gap(one)
        return None if gap is None else share_of(gap, self.value - self.baseline_value)

    def is_open(self, one: MethodScores) -> bool:
        """Whether a method that is made to add up does not."""
        share = self.gap_share(one)
        return one.about.adds_up and share is not None and share > MOST_GAP

    def areas(self, one: MethodScores) -> tuple[float | None, float | None]:
        """Mean heights of a method's deletion and insertion, from the baseline's value to 1."""
        ends = self.baseline_value, self.value
        return mean_height(one.deletion, *ends), mean_height(one.insertion, *ends)

    def agreement(self) -> float | None:
        """Spearman's correlation of the two methods' scores; None for one method."""
        if len(self.methods) < 2:
            return None
        first, second = self.methods
        return rank_correlation(first.scores, second.scores)


def unit_said(result: AttributionResult, unit: tuple[int, ...]) -> str:
    """A unit's pieces, as the tokenizer writes them."""
    return " ".join(result.tokens[place].text for place in unit)


@dataclass(frozen=True)
class MethodScoreRow:
    """A token or a word, and its score by a method."""

    method: str = column(N_("method"), key=True)
    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible, compared=False)
    word: str = column(N_("word"), compared=False)
    score: float = column(N_("score"), digits=3)
    error: float | None = column(N_("error"), digits=3)
    rank: int = column(N_("rank"))


def table(result: AttributionResult) -> Table:
    """One row a unit and a method."""
    rows: list[MethodScoreRow] = []
    for one in result.methods:
        ranks = np.empty(len(one.scores), dtype=int)
        ranks[np.argsort(-one.scores, kind="stable")] = np.arange(1, len(one.scores) + 1)
        rows += [
            MethodScoreRow(
                one.method,
                unit[0],
                unit_said(result, unit),
                result.words[n],
                float(one.scores[n]),
                float(one.errors[n]) if len(one.errors) else None,
                int(ranks[n]),
            )
            for n, unit in enumerate(result.units)
        ]
    return Table.of(MethodScoreRow, rows)


def derived(result: AttributionResult) -> Mapping[str, Any]:
    """The first method's scores, one a token, and how far they are from adding up.

    Tokens that stay as they are have 0; the pieces of a word share its score evenly.
    """
    first = result.methods[0]
    scores = [0.0] * len(result.tokens)
    for unit, score in zip(result.units, first.scores, strict=True):
        for place in unit:
            scores[place] = float(score) / len(unit)
    deletion, insertion = result.areas(first)
    return {
        "scores": scores,
        "gap": result.gap(first),
        "gap_share": result.gap_share(first),
        "deletion_area": deletion,
        "insertion_area": insertion,
        "agreement": result.agreement(),
    }


COLUMN_TITLES = {
    "explained": N_("explained"),
    "value": N_("value explained"),
    "baseline_value": N_("value of the baseline"),
    "top": N_("strongest word"),
    "score": N_("its score"),
    "gap": N_("missing from the sum"),
    "comprehensiveness": N_("comprehensiveness"),
    "sufficiency": N_("sufficiency"),
    "agreement": N_("agreement of the methods"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: AttributionResult) -> Mapping[str, Cell]:
    """What was explained, and the word that adds most by the first method."""
    first = result.methods[0]
    best = int(np.argmax(first.scores))
    return {
        "explained": result.explained.word or result.explained.measure.value,
        "value": result.value,
        "baseline_value": result.baseline_value,
        "top": result.words[best],
        "score": float(first.scores[best]),
        "gap": result.gap(first),
        "comprehensiveness": first.comprehensiveness,
        "sufficiency": first.sufficiency,
        "agreement": result.agreement(),
    }


OF_WHOLE_TEXTS = frozenset({"span_extractor", "token_classifier"})
"""Heads that need no mask."""


def needs_no_mask(document: Any, cards: Sequence[ModelCard]) -> bool:
    """Whether something else than a masked word is explained."""
    told = {
        ExplainedTarget.REPLACED,
        ExplainedTarget.LABEL,
        ExplainedTarget.TOKEN_LABEL,
        ExplainedTarget.START,
        ExplainedTarget.END,
    }
    if AT.of(document) or TARGET.of(document) in {one.value for one in told}:
        return True
    if document.pair:
        return True
    if cards and any(one.present and one.name in OF_WHOLE_TEXTS for one in cards[0].heads):
        return True
    return answers_unmasked(document, cards)


def _log_odds_named(_request: dict[str, Any], result: dict[str, Any] | None) -> None:
    """Those of whether a token was replaced were called a log-probability."""
    if result is not None:
        explained = result["explained"]
        if (explained["kind"], explained["measure"]) == ("replaced", "log_probability"):
            explained["measure"] = "log_odds"


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """Many passes through a large model, or code of somebody else's."""
    request = AttributionRequest.of(document)
    if any(is_file(name) for name in (request.method, request.beside or "")):
        return True
    tokens = tokens_about(document)
    how_much = request.steps or FIRST_STEPS, request.samples
    chosen = filter(None, {request.method, request.beside})
    return takes_long(card, tokens * sum(texts_read(one, tokens, *how_much) for one in chosen))


QUESTION = Question(
    name="attribution",
    title=N_("Attribution"),
    asks=N_("Which words drive the prediction?"),
    listing=Listing(Topic.EXPLAIN, 1, "format-color-highlight", in_overview=50),
    found_by=(
        "saliency",
        "integrated gradients",
        "IG",
        "gradient",
        "Shapley",
        "SHAP",
        "occlusion",
        "explain",
        "feature importance",
        "why did the model say this",
        "which words matter",
        "왜",
        "어떤 단어가 중요한가",
        "XAI",
        "설명",
        "기여도",
        "중요한 단어",
        "왜 이렇게 답했나",
    ),
    request=AttributionRequest,
    result=AttributionResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=derived,
    is_expensive=waits,
    waiting_hint=N_(
        "The text is read many times over to score its words, which takes this model a while. "
        "Press Run to see them."
    ),
    warns=lambda asked: RIGHTS if is_file(asked.method) or is_file(asked.beside or "") else "",
    roles={MODEL: (InputEmbeddings,)},
    options=(FILE,),
    conditions=(
        a_text(N_("Type a sentence to see which words make a prediction.")),
        a_mask(
            N_("Click a word to mask it, and see what drives the prediction there."),
            spared=needs_no_mask,
        ),
    ),
    upgrades=(spaces_stay_visible, _log_odds_named),
)
