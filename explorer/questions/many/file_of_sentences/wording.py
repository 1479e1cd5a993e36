"""What the page of a file of sentences says in words."""

from collections.abc import Sequence
from pathlib import PurePath

from explorer.api.question import Cell
from explorer.files_of_sentences.compared import (
    DIFFERENCE,
    column_of,
    compared_with_first,
    parted,
)
from explorer.files_of_sentences.rows import MOSTLY_UNKNOWN, ColumnSpread
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesResult,
    question_asked,
)
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.sessions.export.provenance import of_model
from explorer.text import N_, _, ngettext
from explorer.text import said as in_words
from explorer.text.formatting.numbers import localised
from explorer.text.lists import all_of
from explorer.text.printable import shortened

QUOTED = 80
"""Characters of a sentence that are quoted."""


def about_file(result: FileOfSentencesResult, done: int, *, running: bool = False) -> str:
    """What is asked, of how many sentences, and how far it is."""
    said = [_what(result)]
    if read := read_as(result):
        said.append(read)
    if result.by_name:
        said.append(_("Each is read with the entities of the model's graph whose names are in it."))
    if result.left_out:
        said.append(
            _(
                "{count} more are left out: {most} are read of one file at most.",
                count=result.left_out,
                most=result.count,
            )
        )
    if not running and done < result.count:
        said += _what_is_left(result, done)
    return " ".join(said)


def made_from(result: FileOfSentencesResult) -> tuple[str, ...]:
    """Of which file, and how far it is, for a caption."""
    rows = ngettext("{count} row.", "{count} rows.", result.done)
    stamps = (one.stamp for one in result.further if one.stamp is not None)
    further = (of_model(N_("Further model"), stamp) for stamp in stamps)
    return about_file(result, result.done, running=True), rows, *further


def read_as(result: FileOfSentencesResult) -> str:
    """What of a table was taken for what; "" of a file without columns."""
    names = result.file_columns
    if result.column not in names:
        return ""
    number = names.index(result.column) + 1
    # Answers of before this was told have numbers for names where there were none.
    plain = tuple(map(str, range(1, len(names) + 1)))
    if result.has_names is False or (result.has_names is None and names == plain):
        if result.pair_column:
            return _(
                "Read as: no header; text from column {column}, second text from column {pair}.",
                column=result.column,
                pair=result.pair_column,
            )
        return _("Read as: no header; text from column {column}.", column=result.column)
    told = {"number": number, "column": result.column}
    if result.pair_column:
        said = _(
            "Read as: a header; text from column {number}, “{column}”, second text from “{pair}”.",
            pair=result.pair_column,
            **told,
        )
    elif result.choices_column:
        said = _(
            "Read as: a header; text from column {number}, “{column}”, with the choices "
            "of “{choices}” after it.",
            choices=result.choices_column,
            **told,
        )
    else:
        said = _("Read as: a header; text from column {number}, “{column}”.", **told)
    if not result.expected_column:
        return said
    right = _("What is right is from “{column}”.", column=result.expected_column)
    return f"{said} {right}"


def _what(result: FileOfSentencesResult) -> str:
    question = question_asked(result.operation)
    return ngettext(
        "“{question}” of {count} sentence in {file}.",
        "“{question}” of {count} sentences in {file}.",
        result.count,
        question=_(question.title) if question is not None else result.operation,
        file=result.source,
    )


def _what_is_left(result: FileOfSentencesResult, done: int) -> list[str]:
    shared = [in_words(result.sharing)] if result.sharing else []
    if done:
        return [_("{count} are done; the others can follow at any time.", count=done), *shared]
    said = []
    kept = [name for name in result.file_columns if name not in (result.column, result.pair_column)]
    if kept:
        said.append(_("Rows keep: {columns}.", columns=", ".join(kept)))
    if result.first:
        said.append(_first_said(result.first[0]))
    return [*said, *shared, _("Press Run; it can be stopped, and later goes on where it was.")]


def _first_said(one: FileSentence) -> str:
    """The first sentence, with all that is read of its row."""
    text, pair = shortened(one.text, QUOTED), shortened(one.pair or "", QUOTED)
    right = shortened(one.expected or "", QUOTED)
    if pair and right:
        said = N_("The first: “{text}”, with “{pair}”; right is “{right}”.")
        return _(said, text=text, pair=pair, right=right)
    if pair:
        return _("The first: “{text}”, with “{pair}”.", text=text, pair=pair)
    if right:
        return _("The first: “{text}”; right is “{right}”.", text=text, right=right)
    return _("The first: “{text}”", text=text)


def about_rows(shown: int, done: int, failed: int) -> str:
    """How many rows there are, and how many of them are shown."""
    said = [
        ngettext("{count} row", "{count} rows", done)
        if shown == done
        else _("{shown} of {done}", shown=shown, done=done)
    ]
    if failed:
        said.append(ngettext("{count} failed", "{count} failed", failed))
    return ", ".join(said)


def means_said(spreads: Sequence[ColumnSpread], question: str) -> tuple[str, ...]:
    """Mean and bounds of each column of numbers that are not all the same."""
    return tuple(
        _(
            "{column}: mean {mean} ({least} to {most})",
            column=column_said(one.column, question),
            mean=written(one.mean),
            least=_short(one.minimum),
            most=_short(one.maximum),
        )
        for one in spreads
        if one.minimum != one.maximum
    )


def means_of_each_said(
    spreads: Sequence[ColumnSpread], names: Sequence[str], question: str
) -> tuple[str, ...]:
    """The means of several models, by whom they are, column by column."""
    means = {one.column: one.mean for one in spreads}
    same = same_columns(spreads)
    models = in_words(all_of(PurePath(name).name for name in names))
    said = [_("Means by {models}", models=models)]
    for column in dict.fromkeys(parted(one.column)[0] for one in spreads):
        each = [means[one] for name in names if (one := column_of(column, name)) in means]
        if len(each) == len(names) and column not in same:
            told = column_said(column, question)
            said.append(f"{told}: {', '.join(map(written, each))}")
    return tuple(said)


def same_columns(spreads: Sequence[ColumnSpread]) -> frozenset[str]:
    """The columns in which all models have the same numbers everywhere."""
    alike: dict[str, bool] = {}
    for one in spreads:
        column, whose = parted(one.column)
        if whose == DIFFERENCE or compared_with_first(whose):
            alike[column] = alike.get(column, True) and not one.minimum and not one.maximum
    return frozenset(column for column, same in alike.items() if same)


def not_counted_said(count: int) -> str:
    """Why rows are left out of the means."""
    return ngettext(
        "{count} row is left out of the means: most of its tokens are unknown to the vocabulary, "
        "so its numbers say next to nothing.",
        "{count} rows are left out of the means: most of their tokens are unknown to the "
        "vocabulary, so their numbers say next to nothing.",
        count,
    )


def _short(number: float) -> str:
    return written(round(number) if number == round(number) else number)


def written(cell: Cell) -> str:
    """A cell as a person reads it."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        number = f"{cell:,.3f}" if abs(cell) < 100_000 else f"{cell:.3g}"
        return localised(number.replace("-", "−"))
    if isinstance(cell, int):
        return localised(f"{cell:,}".replace("-", "−"))
    return _(cell) if cell == MOSTLY_UNKNOWN else " ".join(cell.split())
