"""A run's result in a few words, for the list of runs."""

from collections.abc import Mapping
from typing import Any

from explorer.api.question import Cell, Failure, Question
from explorer.api.question.rows.column_titles import titled
from explorer.document import Document, Mask, ranges_of
from explorer.serialise import from_json
from explorer.sessions.records import LoggedRun, RunSummary
from explorer.text import NN_, Phrase, said
from explorer.text.lists import one_after_another
from explorer.text.phrase import NOTHING
from explorer.text.printable import shortened

LENGTH = 200
"""Characters: a sentence of thirty words, which is the longest that stands above an answer."""
CELLS = 4
CELL = 60
"""Characters of one, as of all labels of a sentence."""


def headline_of(run: LoggedRun) -> Phrase:
    """The answer in a few words: "soup 0.31, meal 0.20, tea 0.11", or "12 rows".

    What its page says first, by the settings of the document; where nothing stands out the first
    cells of its summary are told by name, and without a summary the number of rows; where there
    are none, the note that says why. A failure gives its message. Whoever reads the log reads it
    in a language of their own.
    """
    if run.failure is not None:
        return _of_failure(run.failure)
    if run.result is None:
        return NOTHING
    settings = run.question.settings_of(run.document)
    words: str = run.question.headline_of(run.result, **settings).sentence
    count = 0 if run.table is None else len(run.table.rows)
    if not words and not count:
        words = getattr(run.result, "note", "")
    words = words or told(run.summary, run.question.titles)
    if words:
        return words if isinstance(words, Phrase) else Phrase(shortened(words, LENGTH))
    return Phrase(NN_("{count} row", "{count} rows"), count=count)


def _of_failure(failure: Failure) -> Phrase:
    if failure.code:
        return Phrase(failure.code, **failure.values)
    return Phrase(failure.message)


def answer_said(question: Question[Any, Any], result: Any, sentence: str) -> str:
    """An answer on a page in the same words, in the reader's language; no row is made for it.

    Args:
        question: What was asked.
        result: The answer.
        sentence: What its page says first; "" where nothing stands out.
    """
    words = sentence or told(LoggedRun(question, Document(), None, result).summary, question.titles)
    return shortened(said(words or getattr(result, "note", "")), LENGTH)


def headline_said(run: RunSummary) -> str:
    """A run's answer in a few words, in the reader's language."""
    return shortened(said(run.headline), LENGTH)


def told(summary: Mapping[str, Cell], titles: Mapping[str, str]) -> str:
    """The first cells of a summary, each with its title; with its name where it has none."""
    cells = [(name, cell) for name, cell in summary.items() if cell not in (None, "")]
    return one_after_another(
        Phrase("{title} {cell}", title=_title(name, titles), cell=_cell(name, cell, titles))
        for name, cell in cells[:CELLS]
    )


def _title(name: str, titles: Mapping[str, str]) -> str:
    title = titled(name, titles)
    # A title may be the name itself in English, and other words elsewhere.
    return name.replace("_", " ") if title.parts == titled(name, {}).parts else title


def _cell(name: str, cell: Cell, titles: Mapping[str, str]) -> str | float | Phrase:
    if (word := f"{name}: {cell}") in titles:
        return Phrase(titles[word])
    if isinstance(cell, float):
        # The number itself: how it is written is the reader's language's.
        return float(f"{cell:.3g}")
    is_count = isinstance(cell, int) and not isinstance(cell, bool)
    return f"{cell:,}" if is_count else shortened(str(cell), CELL)


def marked(text: str, pair: str | None, ranges: str) -> str:
    """A text with brackets around what is masked, so that two runs of one sentence look apart.

    Args:
        text: The text.
        pair: The second text, or None; it is added where something in it is masked.
        ranges: The masks as they are stored; damaged ones mark nothing.
    """
    try:
        masks = from_json(list[Mask], ranges)
    except ValueError:
        return text
    parts = []
    for part, words in enumerate((text, pair or "")):
        own = sorted(
            (one for one in ranges_of(masks) if one.part == part), key=lambda one: -one.start
        )
        told = words
        for one in own:
            if one.end <= len(words):
                inside = told[one.start : one.end]
                told = f"{told[: one.start]}[{inside}]{told[one.end :]}"
        if own or part == 0:
            parts.append(told)
    return " | ".join(parts)
