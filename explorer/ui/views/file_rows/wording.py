"""What the view of a file of sentences says in words."""

from collections.abc import Sequence

from explorer.questions import all_operations
from explorer.questions.many.file_of_sentences.question import OverFileResult
from explorer.questions.many.file_of_sentences.rows import Spread
from explorer.sessions.log.headline import shorten
from explorer.ui.views.file_rows.table import written

EMPTY = (
    "Open a file, or drop one here: a text with a sentence on every line (.txt), or a table "
    "(.csv, .tsv). Then choose what to ask; every sentence becomes a row."
)


def about_file(result: OverFileResult, done: int, *, running: bool = False) -> str:
    """What is asked, of how many sentences, and how far it is."""
    operation = all_operations().get(result.operation)
    asked = operation.title if operation is not None else result.operation
    said = f"“{asked}” of {result.count:,} sentence{'' if result.count == 1 else 's'}"
    said += f" in {result.source}"
    if result.column:
        said += f", column {result.column}"
    if result.pair_column:
        said += f" with {result.pair_column} as the second text"
    said += "."
    if result.left_out:
        said += (
            f" {result.left_out:,} more are left out: {result.count:,} are read of one file at "
            "most."
        )
    if running or done >= result.count:
        return said
    if not done:
        first = f" The first: “{shorten(result.first[0].text, 80)}”" if result.first else ""
        said += f"{first} Press Run; it can be stopped, and later goes on where it was."
    else:
        said += f" {done:,} are done; the others can follow at any time."
    return said


def about_rows(shown: int, done: int, failed: int) -> str:
    """How many rows there are, and how many of them are shown."""
    said = f"{done:,} row{'' if done == 1 else 's'}" if shown == done else f"{shown:,} of {done:,}"
    return said + (f", {failed:,} failed" if failed else "")


def caption_of(result: OverFileResult, done: int, plain: str) -> str:
    """A view's caption with the file in the place of the window's sentence."""
    before, text, after = plain.partition(" Text: ")
    if not text:
        return plain
    about = f"{about_file(result, done, running=True)} {done:,} rows."
    return f"{before} {about} Seed {after.rpartition(' Seed ')[2]}"


def means_said(spreads: Sequence[Spread]) -> tuple[str, ...]:
    """Mean and bounds of each column of numbers that are not all the same."""
    return tuple(
        f"{one.column}: mean {written(one.mean)} ({_short(one.minimum)} to {_short(one.maximum)})"
        for one in spreads
        if one.minimum != one.maximum
    )


def _short(number: float) -> str:
    return f"{number:,.0f}" if number == round(number) else written(number)
