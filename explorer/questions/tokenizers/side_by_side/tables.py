"""Numbers of every tokenizer, of one text and of a file, and what each changes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Cell, Manner, Rows, Said, Table, column
from explorer.api.question.parts.part import table_of
from explorer.questions.tokenizers.algorithms import algorithm_said
from explorer.questions.tokenizers.side_by_side.pooling import Pooled, Total
from explorer.questions.tokenizers.side_by_side.question import (
    Cutting,
    SideBySideResult,
    differs_at,
    places_table,
)
from explorer.questions.tokenizers.side_by_side.wording import (
    about,
    changes_said,
    read_back_said,
    title_of,
)
from explorer.text import N_, NN_, Phrase, said, verbatim
from explorer.text.formatting.numbers import percent
from explorer.text.pieces import visible

ABOUT_FILE = N_(
    "All sentences of the file together. Rényi efficiency (order 2.5) says how evenly the pieces "
    "of the whole file are used."
)
FERTILITY = N_("Pieces a word: fertility.")
CUT_WORDS = N_("Words that are split into several tokens.")
CHARACTERS = N_("Characters a piece.")
UNKNOWN = N_("Share of the pieces that stand for nothing known.")
RENYI = N_("Rényi efficiency of order 2.5.")
PREMIUM = N_("Pieces of this text, divided by those of the same text in English.")
KINDS = N_("Pieces of the vocabulary that occur in the file.")


@dataclass(frozen=True)
class TokenizerNumbersRow:
    """What is counted of a tokenizer."""

    name: str = column(N_("tokenizer"), filed=False)
    tokenizer: str = column(N_("tokenizer"), key=True, shown=False)
    algorithm: str = column(N_("algorithm"), shown=False, compared=False)
    vocabulary: int = column(N_("vocabulary"), shown=False)
    pieces: int = column(N_("pieces"))
    words: int = column(N_("words"), shown=False)
    pieces_per_word: float | None = column(N_("pieces per word"), digits=2, tip=FERTILITY)
    cut_words: float | None = column(N_("split words"), filed=False, written=percent, tip=CUT_WORDS)
    characters_per_piece: float | None = column(
        N_("characters per piece"), digits=2, tip=CHARACTERS, dispensable=True
    )
    unknown_share: float | None = column(N_("unknown"), filed=False, written=percent, tip=UNKNOWN)
    unknown: int = column(N_("unknown"), shown=False)
    continued_words: int = column(N_("words split into several"), shown=False)
    renyi_efficiency: float | None = column(
        N_("Rényi efficiency"), digits=2, tip=RENYI, dispensable=True
    )
    premium: float | None = column(N_("times English"), digits=2, tip=PREMIUM, dispensable=True)
    read_back: str = column(N_("read back"), shown=False, written=visible, compared=False)
    differs_at: int | None = column(N_("differs from character"), shown=False, compared=False)


def numbers(result: SideBySideResult, named: Callable[[str], str] = verbatim) -> Rows:
    """A row a tokenizer, with its pieces as bars.

    Args:
        result: The text as every tokenizer cuts it.
        named: What makes a text of a tokenizer's title.
    """
    told = {one.checkpoint: about(one) for one in result.cuttings}
    return Rows(
        TokenizerNumbersRow,
        tuple(
            TokenizerNumbersRow(
                named(title_of(one)),
                one.checkpoint,
                one.algorithm,
                one.vocabulary,
                one.pieces,
                one.words,
                one.fertility,
                one.continued_share,
                len(result.text) / one.pieces if one.pieces else None,
                one.unknown / one.pieces if one.pieces else None,
                one.unknown,
                one.continued,
                one.efficiency,
                one.premium,
                one.read_back,
                differs_at(result, one),
            )
            for one in result.cuttings
        ),
        "pieces",
        words=lambda row: told[row.tokenizer],
        chosen=lambda row: len(told) > 1 and row.tokenizer == result.model.id,
        file=N_("numbers"),
    )


def derived(result: SideBySideResult) -> Mapping[str, Any]:
    """The numbers of every tokenizer, and its pieces with their ids and characters."""
    rows, pieces = numbers_table(result), places_table(result)
    own: dict[str, list[dict[str, Cell]]] = {one.checkpoint: [] for one in result.cuttings}
    for name, *cells in pieces.rows:
        own[str(name)].append(dict(zip(pieces.columns[1:], cells, strict=True)))
    return {
        "tokenizers": [
            {**dict(zip(rows.columns, row, strict=True)), "tokens": own[str(row[0])]}
            for row in rows.rows
        ]
    }


def numbers_table(result: SideBySideResult) -> Table:
    """One row a tokenizer: what is counted."""
    return numbers(result).table()


@dataclass(frozen=True)
class ChangesRow:
    """How a tokenizer finds its pieces, what it changes before, and whether the text comes back."""

    name: str = column(N_("tokenizer"))
    tokenizer: str = column(N_("tokenizer"), key=True, shown=False)
    algorithm: str = column(N_("algorithm"), written=said)
    vocabulary: int = column(N_("vocabulary"))
    changed: str = column(N_("changed"), written=said, wraps=True)
    read_back: str = column(N_("read back"), written=said, wraps=True)


def changes(result: SideBySideResult) -> Rows:
    """A row a tokenizer."""
    told = {one.checkpoint: about(one) for one in result.cuttings}
    return Rows(
        ChangesRow,
        tuple(_changes_of(result, one) for one in result.cuttings),
        words=lambda row: told[row.tokenizer],
        in_files=False,
    )


def _changes_of(result: SideBySideResult, one: Cutting) -> ChangesRow:
    return ChangesRow(
        verbatim(title_of(one)),
        one.checkpoint,
        algorithm_said(one.algorithm),
        one.vocabulary,
        changes_said(one),
        read_back_said(result, one),
    )


@dataclass(frozen=True)
class TotalRow:
    """What is counted of a tokenizer over a file."""

    name: str = column(N_("tokenizer"), filed=False)
    tokenizer: str = column(N_("tokenizer"), key=True, shown=False)
    pieces: int = column(N_("pieces"))
    pieces_per_word: float | None = column(N_("pieces per word"), digits=2, tip=FERTILITY)
    cut_words: float | None = column(N_("split words"), filed=False, written=percent, tip=CUT_WORDS)
    characters_per_piece: float | None = column(
        N_("characters per piece"), digits=2, tip=CHARACTERS, dispensable=True
    )
    unknown_share: float | None = column(N_("unknown"), filed=False, written=percent, tip=UNKNOWN)
    unknown: int = column(N_("unknown"), shown=False)
    continued_words: int = column(N_("words split into several"), shown=False)
    kinds: int = column(N_("kinds"), tip=KINDS, dispensable=True)
    renyi_efficiency: float | None = column(
        N_("Rényi efficiency"), digits=2, tip=RENYI, dispensable=True
    )
    premium: float | None = column(N_("times English"), digits=2, tip=PREMIUM, dispensable=True)
    read_back_exactly: int = column(N_("sentences read back exactly"), shown=False)


@dataclass(frozen=True)
class ReadBackRow:
    """Whether a tokenizer's pieces give every sentence of a file again."""

    name: str = column(N_("tokenizer"), key=True)
    read_back: str = column(N_("read back"), written=said, wraps=True)


def table_of_file(found: Pooled) -> Table:
    """One row a tokenizer."""
    return table_of(pooled_parts(found))


def pooled_parts(found: Pooled) -> Iterator[Said | Rows]:
    """The numbers over all sentences, and whose pieces give every sentence again."""
    yield Said(N_("Tokenizers over the file"), Manner.TITLE)
    yield Said(ABOUT_FILE, Manner.EXPLANATION, near=True)
    rows = tuple(_total(found, one) for one in found.totals)
    titles = {one.checkpoint: one.title for one in found.totals}
    words = lambda row: verbatim(titles[row.tokenizer])  # noqa: E731
    yield Rows(TotalRow, rows, "pieces", words=words)
    back = (ReadBackRow(verbatim(title_of(one)), _read_back(found, one)) for one in found.totals)
    yield Rows(ReadBackRow, tuple(back), in_files=False)


def _total(found: Pooled, one: Total) -> TotalRow:
    return TotalRow(
        verbatim(title_of(one)),
        one.checkpoint,
        one.pieces,
        one.fertility,
        one.continued_share,
        found.characters / one.pieces if one.pieces else None,
        one.unknown / one.pieces if one.pieces else None,
        one.unknown,
        one.continued,
        one.kinds,
        one.efficiency,
        one.premium,
        one.exact,
    )


def _read_back(found: Pooled, one: Total) -> Phrase:
    if one.exact == found.sentences:
        return Phrase(N_("every sentence exactly"))
    read, typed = one.differs
    code = NN_(
        "{exact} of {count} sentence exactly; the first other one reads “{read}” for “{typed}”",
        "{exact} of {count} sentences exactly; the first other one reads “{read}” for “{typed}”",
    )
    return Phrase(
        code, count=found.sentences, exact=one.exact, read=visible(read), typed=visible(typed)
    )
