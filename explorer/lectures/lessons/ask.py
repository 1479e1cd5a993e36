"""A question of a step that somebody answers, and how an answer is read and checked."""

import enum
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from explorer.api.question import UserMistake
from explorer.document import Document
from explorer.lectures.claims.claim import value_of
from explorer.lectures.claims.expression import Names
from explorer.lectures.words import in_language
from explorer.questions.former_names import question_named
from explorer.text import N_, _
from explorer.text.formatting.numbers import significant, whole

LONGEST_ANSWER = 200
"""Characters of what is typed."""
LARGEST_WHOLE = 1e15
DIGITS = 3
"""Of a number that is told, where it is no whole one."""
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([, \u00a0\u202f]\d{3})+(?!\d)")
"""Groups of three digits, as 204,800; a fraction of three digits after a comma looks the same, and
nobody is asked for one."""
INNER_QUOTES = str.maketrans("“”", "‘’")
_PIECE = re.compile(r"^(##|▁|Ġ| )+|(</w>)$")
"""What tokenizers write before or after a piece, which nobody types."""


class AskKind(enum.StrEnum):
    """How a question is answered."""

    NUMBER = "number"
    WORD = "word"
    CHOICE = "choice"
    DO = "do"


@dataclass(frozen=True)
class AskWords:
    """A question in one language.

    Attributes:
        question: What is asked.
        choices: What can be chosen, of a choice.
        hints: What helps, the least first.
        reveal: What is said with the answer; "{answer}" in it is the answer on the page.
    """

    question: str
    choices: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    reveal: str = ""


@dataclass(frozen=True)
class LessonAsk:
    """What a step asks of whoever looks at it.

    Attributes:
        kind: How it is answered.
        answer: An expression over the answer on the page, as claims have it: the number; the word,
            or a list of words that are all right; the place of the right choice, from 0; or, of
            what is to be done, what must become true.
        first: It is asked before the page shows it: whoever looks predicts.
        within: How far from a number is still right.
        unit: What a number is of, as "%".
        words: By language.
    """

    kind: AskKind
    answer: str
    first: bool = False
    within: float = 0.5
    unit: str = ""
    words: Mapping[str, AskWords] = field(default_factory=dict)

    def said(self, language: str = "") -> AskWords:
        """Its words in a language; "" for the one in use. English where there are none."""
        return in_language(self.words, language, AskWords(""))


def typed_answer(ask: LessonAsk, text: str) -> str:
    """What somebody typed or chose, as it is kept: a number in digits, a word, a choice's place.

    Raises:
        UserMistake: It is empty, or no answer to such a question.
    """
    written = text.strip()
    if not written:
        raise UserMistake(
            N_("Choose one of the answers first.")
            if ask.kind is AskKind.CHOICE
            else N_("Write your answer first.")
        )
    if len(written) > LONGEST_ANSWER:
        raise UserMistake(N_("An answer has at most {most} characters."), most=LONGEST_ANSWER)
    if ask.kind is AskKind.NUMBER:
        bare = written.removesuffix(unit_said(ask)).removesuffix(ask.unit).removesuffix("%")
        bare = bare.strip().replace("−", "-")
        bare = _THOUSANDS.sub(lambda found: re.sub(r"[^\d+-]", "", found[0]), bare)
        if not _NUMBER.fullmatch(bare) or not math.isfinite(float(bare.replace(",", "."))):
            raise UserMistake(N_("“{text}” is no number: write one as 12 or 0.5."), text=written)
        return bare.replace(",", ".")
    if ask.kind is AskKind.CHOICE and not (
        written.isascii() and written.isdigit() and int(written) < len(ask.said().choices)
    ):
        raise UserMistake(N_("Choose one of the answers first."))
    return written


def live_answer(ask: LessonAsk, names: Names) -> object:
    """What is right, in the answer that is on the page.

    Args:
        ask: What is asked.
        names: What names in its expression stand for: the answer's cells, and `here`.

    Raises:
        UserMistake: The expression has no value, or not one of this kind of question.
    """
    value = value_of(ask.answer, names)
    if not _fits(ask, value):
        raise UserMistake(
            N_("The answer {answer} is {value}, which answers no question of the kind {kind}."),
            answer=ask.answer,
            value=repr(value)[:LONGEST_ANSWER],
            kind=ask.kind.value,
        )
    return value


def _fits(ask: LessonAsk, value: object) -> bool:
    match ask.kind:
        case AskKind.NUMBER:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and math.isfinite(float(value))  # type: ignore[arg-type]
        case AskKind.WORD:
            words = [value] if isinstance(value, str) else value
            return isinstance(words, list) and bool(words) and all(map(_is_word, words))
        case AskKind.CHOICE:
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return is_whole and 0 <= value < len(ask.said().choices)  # type: ignore[operator]
    return isinstance(value, bool)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(_bare(value))


def is_right(ask: LessonAsk, given: str, live: object) -> bool:
    """Whether what was given is what is right.

    Args:
        ask: What is asked.
        given: As `typed_answer` has it; of what is to be done nothing is given.
        live: As `live_answer` has it.
    """
    match ask.kind:
        case AskKind.NUMBER:
            assert isinstance(live, int | float)
            # What is within by its last digit on the screen is within.
            return abs(float(given) - live) <= ask.within + 1e-9
        case AskKind.WORD:
            words: Sequence[object] = live if isinstance(live, list) else [live]
            return _bare(given) in {_bare(str(one)) for one in words}
        case AskKind.CHOICE:
            return int(given) == live
    return live is True


def kept_answer(ask: LessonAsk, live: object) -> str:
    """What is right, as whoever answers it gives it; "" of what is to be done.

    Args:
        ask: What is asked.
        live: As `live_answer` has it.
    """
    if ask.kind is AskKind.DO:
        return ""
    return str(live[0] if isinstance(live, list) else live)[:LONGEST_ANSWER]


def _bare(word: str) -> str:
    return _PIECE.sub("", word.strip()).strip(" \"'“”‘’").casefold()


def told_answer(ask: LessonAsk, value: object, language: str = "") -> str:
    """An answer for people: that of the page, or one that was given."""
    match ask.kind:
        case AskKind.NUMBER:
            number = float(str(value))
            is_whole = number == round(number) and abs(number) < LARGEST_WHOLE
            digits = whole(round(number)) if is_whole else significant(number, DIGITS)
            return f"{digits} {unit_said(ask)}".strip()
        case AskKind.WORD:
            return _PIECE.sub("", str(value[0] if isinstance(value, list) else value))
        case AskKind.CHOICE:
            return ask.said(language).choices[int(str(value))]
    return ""


def within_quotes(said: str) -> str:
    """An answer as it stands in quotes: its own become single ones."""
    return said.translate(INNER_QUOTES)


def unit_said(ask: LessonAsk) -> str:
    """What a number is of, in the language in use; as the lesson has it where that has no word."""
    return _(ask.unit) if ask.unit else ""


def here_of(question: str, document: Document) -> Mapping[str, object]:
    """What is on screen besides the answer, which a question can ask to change.

    Returns:
        `text`, `pair` ("" for none), `masked` (the words), and `options` of the question by their
        names, those that were never changed among them.
    """
    of = question_named(question)
    options = (
        {}
        if of is None
        else {one.key.partition(".")[2] or one.key: one.held(document) for one in of.options}
    )
    return {
        "text": document.text,
        "pair": document.pair or "",
        "masked": [document.part(one.part)[one.start : one.end] for one in document.masks],
        "options": options,
    }
