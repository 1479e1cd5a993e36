"""What is exactly probable here, in the world that the miniatures were trained on?"""

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    PREDICTIONS,
    TOKENS,
    Cell,
    Choice,
    Condition,
    Detail,
    Entry,
    LeftOut,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Operation,
    Pool,
    Predictor,
    ReadsEntities,
    SpanExtractor,
    Switch,
    Token,
    WordList,
    a_mask,
    a_text,
    any_of,
    asked,
    at_most,
    column,
    spaces_stay_visible,
)
from explorer.api.question.beside import beside
from explorer.document import MASK_LITERAL, Document, Mask
from explorer.questions.masking.exact_answers import pooling
from explorer.questions.masking.exact_answers.reliability import pooled
from explorer.questions.pairs.answer_span.options import QUESTION, question_of
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

EVERY = Switch(
    N_("Every token"),
    default=False,
    tip=N_("Hide every token in turn, and not the masked ones only"),
)
LANE = "exact-answers"


class About(enum.StrEnum):
    """What an exact answer is of."""

    WORDS = "words"
    """The words at masks, or at every token."""
    PAIR = "pair"
    """Whether the second text follows, or whether both stand in their order: as the model's head
    was trained to tell."""
    ANSWER = "answer"
    """Where in the text the answer to a question stands, or that there is none."""
    NEXT = "next"
    """What comes next behind the text, and behind each piece that was written to it."""


@dataclass(frozen=True)
class ExactAnswersRequest(ReadsEntities):
    """Ask for exact distributions, and the model's beside them.

    Attributes:
        pair: Both texts are read as one.
        about: What the exact answer is of; of a model that predicts no words, an answer always.
        question: What is asked about the text, where it is an answer; the second text where none
            is given.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    every: bool = asked(EVERY)
    top_k: int = asked(PREDICTIONS, 5, made=at_most(20))
    about: About = asked(
        Choice(
            N_("About"),
            About.WORDS.value,
            N_("What the exact answers are of."),
            entries=tuple(Entry(one.value, one.value) for one in About),
        ),
        made=About,
        is_held=False,
    )
    question: str = asked(replace(QUESTION, in_bar=False), made=str.strip)
    taken: tuple[str, ...] = asked(
        WordList(N_("Words taken"), (), N_("Words of a continuation so far, one a step.")),
        is_held=False,
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """No masks where every token is asked about."""
        found = super().fields_of(document, loaded)
        return {**found, "masks": ()} if found["every"] else found


def exactly(
    document: Document,
    model: ModelStamp,
    *,
    every: bool = False,
    masks: Sequence[Mask] | None = None,
    lane: str = LANE,
    top_k: int = 5,
) -> Detail:
    """The exact answers about what was asked.

    Args:
        document: That asked.
        model: Who predicts.
        every: About every token, each hidden alone.
        masks: What is hidden; None for the document's masks.
        lane: Tells the answers about several models apart.
        top_k: Words of each distribution.
    """
    hidden = () if every else tuple(document.masks if masks is None else masks)
    request = ExactAnswersRequest(document.text, document.pair, hidden, every, top_k)
    return OPERATION.detail(request, document, model, lane)


def exactly_at_masks(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answers at the masks of an answer, as `Operation.beside` has it."""
    return (exactly(document, result.model),)


def exactly_of_pair(document: Document, model: ModelStamp, lane: str = LANE) -> Detail:
    """The exact answer about a pair of texts."""
    request = ExactAnswersRequest(document.text, document.pair, about=About.PAIR)
    return OPERATION.detail(request, document, model, lane)


def exactly_of_answer(document: Document, question: str, model: ModelStamp) -> Detail:
    """The exact answer to a question about a text."""
    request = ExactAnswersRequest(document.text, about=About.ANSWER, question=question)
    return OPERATION.detail(request, document, model, LANE)


def exactly_next(document: Document, model: ModelStamp, taken: Sequence[str]) -> Detail:
    """What exactly comes next at each step of a continuation."""
    request = ExactAnswersRequest(
        document.text, masks=tuple(document.masks), about=About.NEXT, taken=tuple(taken)
    )
    return OPERATION.detail(request, document, model, LANE)


@dataclass(frozen=True)
class ExactWord:
    """A piece and what it is worth at a place; or a class of pairs, or a span of the text.

    Attributes:
        token: As the tokenizer writes it; the class's name, or the span's text, "" for no answer.
        id: Its number in the vocabulary; the class's, or the span's first character, -1 for no
            answer.
        word: As a person writes it.
        exact: Its exact probability; 0 for what can't stand there.
        model: The model's.
        rank: In the model's distribution, 1 for the most probable.
        is_original: It is what stands in the text.
        exact_rank: Among the exact ones, 1 for the most probable; 0 for what can't stand there, and
            in answers of before this was told.
    """

    token: str
    id: int
    word: str
    exact: float
    model: float
    rank: int
    is_original: bool = False
    exact_rank: int = 0

    @property
    def error(self) -> float:
        """How much too probable the model takes it for."""
        return self.model - self.exact


LEFT_OVER = 1e-9
"""What rounding leaves of 1 where all words that may stand at a place are told."""


@dataclass(frozen=True)
class ExactPlace:
    """Both distributions at one place.

    Attributes:
        position: In the input; 0 for what is said of the whole of it.
        words: The likeliest of both, and the original: the exact ones first, likeliest first.
        entropy: Of the exact distribution, in nats: no model's expected loss is below it.
        divergence: KL(exact || model), in nats: what the model's expected loss is above it.
        original: Exact probability of what stands in the text; None where that is hidden.
        about: What is predicted there.
    """

    position: int
    words: tuple[ExactWord, ...]
    entropy: float
    divergence: float
    original: float | None = None
    about: About = About.WORDS

    def worth(self, word: str) -> float | None:
        """The exact probability of a word; None where it may be among those that are not told."""
        found = [one.exact for one in self.words if one.word == word]
        told = sum(one.exact for one in self.words)
        return found[0] if found else 0.0 if told > 1.0 - LEFT_OVER else None

    @property
    def worst(self) -> tuple[ExactWord, ...]:
        """The words on which the model is most wrong, the worst first."""
        return tuple(sorted(self.words, key=lambda one: -abs(one.error)))

    @property
    def first(self) -> ExactWord:
        """The model's most probable word."""
        return min(self.words, key=lambda one: (one.rank, -one.model))


@dataclass(frozen=True)
class ExactAnswersResult:
    """Exact answers beside a model's.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it.
        places: In the order of the input; none where the text is not of the world.
        outside: Position of the first token that the grammar can't read; None where it reads all.
        word: The word at that position, as it is written.
        is_beginning: The text is the beginning of a longer one of the world, and was read so.
        from_left: The exact answers go by what stands before a place only, as the model does.
        why: Why there is no exact answer, where that is not for the text; "" else.
        left_out: What did not fit, or None.
        also: Further spans that answer the question; the first one counts, as in training.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    places: tuple[ExactPlace, ...]
    outside: int | None = None
    word: str = ""
    is_beginning: bool = False
    from_left: bool = False
    why: str = ""
    left_out: LeftOut | None = None
    also: tuple[str, ...] = ()

    @property
    def divergence(self) -> float:
        """Mean of KL(exact || model) over the places, in nats; 0 without one."""
        values = [place.divergence for place in self.places]
        return sum(values) / len(values) if values else 0.0

    @property
    def floor(self) -> float:
        """Mean of the exact entropies, in nats; 0 without a place."""
        values = [place.entropy for place in self.places]
        return sum(values) / len(values) if values else 0.0

    @property
    def note(self) -> str:
        """What must be known before the numbers: why there are none, or how the text was read."""
        if self.is_beginning:
            return Phrase(
                N_("The world has longer texts that begin so; it is read as their beginning.")
            )
        if self.also:
            return Phrase(
                N_("The text answers a second time: “{answer}”. In training the first one counts."),
                answer="”, “".join(self.also),
            )
        return outside_said(self)

    def at(self, position: int) -> ExactPlace | None:
        """What is known of a place; None for nothing."""
        return next((place for place in self.places if place.position == position), None)


def outside_said(result: ExactAnswersResult) -> str:
    """Where a text leaves the world, or why else there is no exact answer; "" where there is."""
    if result.outside is None or result.why:
        return Phrase(result.why)
    return Phrase(
        N_("The world of the miniatures has no such text: its grammar can't read “{word}” there."),
        word=result.word,
    )


@dataclass(frozen=True)
class ExactRow:
    """A word at a place, as it is exact and as the model has it."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int | None = column(N_("id"), compared=False)
    exact: float = column(N_("exact"), written=in_digits)
    model: float = column(N_("model"), written=in_digits)
    rank: int = column(N_("rank"))
    is_original: bool = column(N_("original"), compared=False)
    exact_entropy: float = column(N_("exact entropy"), unit=N_("nats"), digits=3)
    divergence: float = column(N_("KL divergence"), unit=N_("nats"), digits=3)


def rows(result: ExactAnswersResult) -> Iterator[ExactRow]:
    """One row a word at a place."""
    for place in result.places:
        for one in place.words:
            yield ExactRow(
                *(place.position, one.word, one.token, one.id, one.exact, one.model, one.rank),
                *(one.is_original, place.entropy, place.divergence),
            )


COLUMN_TITLES = {
    "places": N_("places"),
    "floor": N_("exact entropy, nats"),
    "divergence": N_("divergence, nats"),
    "worst_divergence": N_("largest divergence, nats"),
    "outside": N_("outside the world"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: ExactAnswersResult) -> Mapping[str, Cell]:
    """Means over the places, and the greatest divergence."""
    worst = max((place.divergence for place in result.places), default=None)
    return {
        "places": len(result.places),
        "floor": result.floor if result.places else None,
        "divergence": result.divergence if result.places else None,
        "worst_divergence": worst,
        "outside": result.word,
    }


def of_sentence(request: ExactAnswersRequest, _line: int) -> ExactAnswersRequest:
    """A sentence of a file that has no mask is asked about every token."""
    is_masked = any(MASK_LITERAL in text for text in (request.text, request.pair or ""))
    return request if is_masked else replace(request, every=True)


def kept(result: ExactAnswersResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of its places."""
    return pooling.place_cells(
        pooling.PlaceNumbers(
            place.first.model,
            place.first.exact,
            None if place.original is None else place.first.is_original,
            place.divergence,
            place.entropy,
        )
        for place in result.places
    )


def answers_only(card: ModelCard) -> bool:
    """Whether a model answers questions about a text and predicts no words."""
    return "answer_span" in card.operations and "masked_tokens" not in card.operations


def _only_answers(cards: Sequence[ModelCard]) -> bool:
    return bool(cards) and all(map(answers_only, cards))


OPERATION = Operation(
    name="exact_answers",
    title=N_("Exact answers"),
    question=N_("What is exactly probable here, in the world of the miniatures?"),
    listing=Listing(N_("Masking"), 15, "target", "Alt+5"),
    found_by=("ground truth", "true probability", "Bayes", "정답 확률", "실제 확률"),
    request=ExactAnswersRequest,
    result=ExactAnswersResult,
    drawn_beside=beside(__name__, "beside", "laid_beside"),
    summary=summary,
    column_titles=COLUMN_TITLES,
    about=N_(
        "The miniatures were trained on texts that a grammar writes, so the exact probability of "
        "every word is known: a sum over all texts of that world that agree with what is seen. No "
        "model can do better than these."
    ),
    worst="divergence",
    pool=Pool(
        kept,
        pooling.COLUMNS,
        pooling.gather,
        pooling.told,
        of_sentence,
        table=pooling.table,
        parts=pooled,
    ),
    roles={MODEL: (any_of(Predictor, SpanExtractor),)},
    conditions=(
        a_text(N_("Type a sentence of the miniatures' world; Samples holds some.")),
        a_mask(
            N_("Mask a word, or choose “Every token”."),
            spared=lambda document, cards: EVERY.of(document) or _only_answers(cards),
        ),
        Condition(
            lambda document: bool(question_of(document)),
            N_("Add the question as a second text: its answer is looked for in the first."),
            spared=lambda _document, cards: not _only_answers(cards),
        ),
    ),
    upgrades=(spaces_stay_visible,),
)
