"""Both distributions, the exact one and a model's, at the places of a text."""

from dataclasses import dataclass

from explorer.api.question import LeftOut, ModelStamp, Token
from explorer.exact_answers.asking import About
from explorer.text import N_, Phrase


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
