"""Claims that an answer suggests: its largest effect as an inequality over the named cell."""

import keyword
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer.api.question import UserMistake
from explorer.exact_answers import NAME as EXACT_ANSWERS
from explorer.lectures.claims.cells import names_of
from explorer.lectures.claims.claim import judge
from explorer.text.phrase import parts_of

MOST_CELLS = 200_000
"""Cells of an answer that are looked through; attention over long texts has millions."""
COUNTED = 1000
"""From here on a whole number is a size and not a place."""
ROOM = 0.1
"""What a bound leaves of a number, for the last digits of another machine."""
MOST_ALIKE = 2
"""Numbers that may be told as another one is where no word says which of them is meant."""
SMALL = 0.05
"""Below it a number is said to be small."""
NOT_OWN = frozenset({"answer", "before", "steps"})
"""Names that mean something else in a claim than a field of the answer; that is `answer.steps`."""

_NUMBER = re.compile(r"(> )?([+−-]?)(\d[\d,]*(?:\.\d+)?)( ?%)?")
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Cell:
    """A value in an answer.

    Attributes:
        path: What a claim calls it.
        value: The value.
        beside: The texts that stand in the same row, by what a claim calls them.
    """

    path: str
    value: int | float
    beside: Mapping[str, str]


@dataclass(frozen=True)
class _SpokenNumber:
    """A number as a sentence tells it: anything that is written so."""

    value: float
    within: float

    def is_said_of(self, cell: Cell) -> bool:
        is_size = isinstance(cell.value, int) and abs(cell.value) >= COUNTED
        return (isinstance(cell.value, float) or is_size) and (
            abs(cell.value - self.value) <= self.within
        )


def proposed(sentence: str, cells: Mapping[str, object]) -> tuple[str, ...]:
    """Claims that hold in an answer, of what its largest effect is.

    Args:
        sentence: The effect's; a Phrase, so that what stands in its places is known.
        cells: What claims can name of the answer.

    Returns:
        The first number of the sentence as an inequality, and before it the word that it is of
        where one stands beside it. A number of the summary, or of the first row of the table,
        where none of the sentence's is a cell. None at all where the answer has no such number.
    """
    words, numbers = _told_in(sentence)
    every = list(_cells_of(cells))
    found = next(filter(None, (_nearest(number, words, every) for number in numbers)), None)
    if found is None:
        found = _first_number(every, "summary") or _first_number(every, "table[0]")
    if found is None:
        return ()
    named = [path for path, text in found.beside.items() if text.casefold() in words]
    # Of a word and its token, the word: it is what people read.
    of = max(named, key=lambda path: path.endswith("word"), default=None)
    claims = [] if of is None else [f"{of} == {found.beside[of]!r}"]
    claims.append(_inequality(found))
    return tuple(one for one in claims if _is_held(one, cells))


def _told_in(sentence: str) -> tuple[set[str], list[_SpokenNumber]]:
    """The words and the numbers in the places of a sentence, in its order."""
    words: set[str] = set()
    numbers: list[_SpokenNumber] = []
    for code, values in parts_of(sentence):
        for name in _PLACE.findall(code):
            text = str(values.get(name, ""))
            match = _NUMBER.fullmatch(text)
            if match is None:
                words.add(text.casefold())
                continue
            above, sign, digits, percent = match.groups()
            plain = digits.replace(",", "")
            decimals = len(plain.partition(".")[2])
            last = (0.01 if percent else 1.0) * 10.0**-decimals
            value = float(plain) * (0.01 if percent else 1.0) + (last / 2 if above else 0.0)
            if not decimals and not percent and value < COUNTED:
                continue  # a place, a layer or a step
            # A little more than half of the last digit: halves are rounded to even ones.
            numbers.append(_SpokenNumber(-value if sign in ("-", "−") else value, 0.501 * last))
    return words, numbers


def _cells_of(cells: Mapping[str, object]) -> Iterator[Cell]:
    """Every number of an answer, with the texts beside it; the shorter paths first."""
    waiting: list[tuple[str, object]] = [
        (f"answer.{name}" if name in NOT_OWN else name, cells[name])
        for name in cells
        if name.isidentifier() and not keyword.iskeyword(name) and name != EXACT_ANSWERS
    ]
    seen = 0
    while waiting and seen < MOST_CELLS:
        deeper: list[tuple[str, object]] = []
        for path, value in waiting:
            parts = dict(_parts(path, value))
            beside = {at: one for at, one in parts.items() if isinstance(one, str)}
            for at, one in parts.items():
                if isinstance(one, int | float) and not isinstance(one, bool):
                    if not math.isfinite(one):
                        continue
                    yield Cell(at, one, beside)
                elif isinstance(one, Mapping | list | tuple):
                    deeper.append((at, one))
            seen += len(parts)
        waiting = deeper


def _parts(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            name = str(key)
            is_name = name.isidentifier() and not keyword.iskeyword(name)
            yield f"{path}.{name}" if is_name else f"{path}[{name!r}]", one
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, one in enumerate(value):
            yield f"{path}[{number}]", one
    else:
        # A field that is a number itself.
        yield path, value


def _nearest(number: _SpokenNumber, words: set[str], cells: Sequence[Cell]) -> Cell | None:
    """The cell that a number was read from: of those that are told so, the one beside its word."""
    candidates = [one for one in cells if number.is_said_of(one)]

    def known(one: Cell) -> int:
        return sum(text.casefold() in words for text in one.beside.values())

    if not any(map(known, candidates)):
        summed_up = [one for one in candidates if one.path.startswith("summary")]
        if len({one.value for one in candidates}) > MOST_ALIKE and not summed_up:
            return None  # in a matrix any share of two digits is found somewhere
        candidates = summed_up or candidates
    # Rows of the table have other numbers as soon as one is put before them.
    return max(
        candidates,
        key=lambda one: (known(one), not one.path.startswith("table["), -len(one.path)),
        default=None,
    )


def _first_number(cells: Sequence[Cell], beginning: str) -> Cell | None:
    """The first measured number of a row."""
    return next(
        (one for one in cells if one.path.startswith(beginning) and isinstance(one.value, float)),
        None,
    )


def _inequality(cell: Cell) -> str:
    """Above a bound, below one what is small or negative; sizes are what they are."""
    value = cell.value
    if isinstance(value, int) or value == 0.0:
        return f"{cell.path} == {int(value)}"
    is_small = 0 < value < SMALL
    bound = value * (1.0 + ROOM if is_small else 1.0 - ROOM)
    # Two digits, cut so that the room becomes larger.
    digits = 1 - math.floor(math.log10(abs(bound)))
    cut = math.ceil if is_small else math.trunc
    written = cut(bound * 10.0**digits) / 10.0**digits
    return f"{cell.path} {'>' if value > 0 and not is_small else '<'} {written:.6g}"


def _is_held(claim: str, cells: Mapping[str, object]) -> bool:
    try:
        return judge(claim, names_of(cells, [])).holds
    except UserMistake:
        return False
