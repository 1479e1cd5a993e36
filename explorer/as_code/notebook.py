"""Runs of the log as a notebook, a script or a document: a cell each, with what was answered then.

The notebook's JSON (nbformat 4.5) is written here: it is twenty lines, and a library would bring a
validator of everybody's notebooks with it.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer import __version__
from explorer.api.question import MachineFault, Table, UserMistake
from explorer.as_code.asked import AskedRun
from explorer.as_code.in_python import IMPORT, in_python
from explorer.headless import AnsweredRun, caption_now
from explorer.lectures.playing import Played
from explorer.scripting.notebook import in_notebook
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.log.headline import headline_of
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import N_, _, said

ROWS = 20
"""Rows of an answer that stand in a script or a document; a notebook's page has more."""


@dataclass(frozen=True)
class NotebookCell:
    """A cell.

    Attributes:
        source: Its words, or its code.
        is_code: Which of the two.
        shown: What its code showed then, by kinds of content; none where it showed nothing.
        table: The rows of that.
    """

    source: str
    is_code: bool = False
    shown: Mapping[str, str] = field(default_factory=dict)
    table: Table | None = None


BEGINNING = NotebookCell(IMPORT, is_code=True)


def write_runs(
    database: Path,
    run_ids: Sequence[str],
    target: Path,
    form: str = "",
    tell: Callable[[int], None] = lambda _done: None,
) -> dict[str, Any]:
    """Write runs in the order of their ids.

    Args:
        database: The log.
        run_ids: Which runs.
        target: A file; "-" with a form for the standard output.
        form: "ipynb", "py" or "md"; "" as the file ends.
        tell: Hears how many runs are read.

    Returns:
        {"file", "runs", "rows", "skipped"}: what is damaged is skipped.

    Raises:
        UserMistake: The file's ending is another.
        MachineFault: The database can't be read or the file can't be written.
    """
    form = form or _ending(target)
    if form not in WRITERS:
        raise UserMistake(
            N_("Runs can't be written as {form}."),
            N_("Choose a name that ends in .ipynb, .py or .md."),
            form=form or "a file without an ending",
        )
    reader, cells, rows, skipped = SessionReader(database), [BEGINNING], 0, 0
    for number, run in enumerate(reader.stored(run_ids)):
        tell(number)
        if isinstance(run, MachineFault):
            skipped += 1
            continue
        cells += _cells(run, drawn=form == "ipynb")
        rows += 0 if run.table is None else len(run.table.rows)
    _put(target, WRITERS[form](cells))
    read = len(run_ids) - skipped
    return {"file": str(target), "runs": read, "rows": rows, "skipped": skipped}


def write_scenes(played: Iterable[Played], target: Path, form: str = "") -> None:
    """Write scenes that were played: what each step says, asks, and was answered.

    Args:
        played: In their order.
        target: A file; "-" with a form for the standard output.
        form: As `write_runs` has it.

    Raises:
        MachineFault: The file can't be written.
    """
    form = form or _ending(target)
    cells = [BEGINNING]
    for one in played:
        cells.append(NotebookCell(f"# {one.scene.title()}"))
        for step in one.steps:
            claim = step.step.claim()
            words = (*(f"- {line}" for line in step.step.look()), *((claim,) if claim else ()))
            cells.append(NotebookCell("\n\n".join(words)))
            asked = None if step.answered is None else AskedRun.of(step.answered.run)
            if step.answered is not None and asked is not None:
                caption = caption_now(step.answered.run)
                cells.append(_answer(asked, step.answered, caption, drawn=form == "ipynb"))
    _put(target, WRITERS[form](cells))


def _ending(target: Path) -> str:
    return target.suffix.lower().removeprefix(".")


def _put(target: Path, words: str) -> None:
    if str(target) == "-":
        sys.stdout.write(words)
    else:
        write_atomically(target, words.encode("utf-8"))


def _cells(run: StoredRun, *, drawn: bool) -> Iterator[NotebookCell]:
    """What was asked, in words and as code, and what was answered."""
    asked, provenance = AskedRun.of(run), Provenance.of_stored(run)
    title = run.summary.operation if asked is None else _(asked.question.title)
    told = (f"## {title}", said(run.summary.headline), provenance.said(), run.summary.note)
    yield NotebookCell("\n\n".join(filter(None, told)))
    if asked is None or run.summary.failed:
        return
    logged = LoggedRun(
        asked.question,
        run.document,
        run.request,
        run.result,
        run.models,
        run.seed,
        run.summary.duration,
        run.versions,
    )
    answered = AnsweredRun(run.result, logged, run.summary.id)
    yield _answer(asked, answered, provenance.said(), drawn=drawn, table=run.table)


def _answer(
    asked: AskedRun,
    answered: AnsweredRun,
    caption: str,
    *,
    drawn: bool,
    table: Table | None = None,
) -> NotebookCell:
    """The code of an answer, and what it showed."""
    rows = table or answered.run.table
    shown = {"text/plain": said(headline_of(answered.run))}
    if drawn:
        shown["text/html"] = in_notebook.page(answered, None, rows, caption)
    program = in_python(asked).removeprefix(IMPORT).split("\nprint(")[0]
    return NotebookCell(f"{program.strip()}\nanswer", True, shown, rows)


def _as_notebook(cells: Sequence[NotebookCell]) -> str:
    written = []
    for number, cell in enumerate(cells):
        kind = "code" if cell.is_code else "markdown"
        one: dict[str, Any] = {
            "cell_type": kind,
            "id": f"cell-{number}",
            "metadata": {},
            "source": cell.source,
        }
        if cell.is_code:
            data = {"output_type": "display_data", "data": dict(cell.shown), "metadata": {}}
            one |= {"execution_count": None, "outputs": [data] if cell.shown else []}
        written.append(one)
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    about = {"kernelspec": python, "language_info": {"name": "python"}, "explorer": __version__}
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": about, "cells": written}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _as_script(cells: Sequence[NotebookCell]) -> str:
    """In cells as editors know them, behind %%."""
    parts = []
    for cell in cells:
        told = _commented(_rows(cell.table))
        if not cell.is_code:
            parts.append(f"# %% [markdown]\n{_commented(cell.source)}")
        elif cell.table is None:
            parts.append(f"# %%\n{cell.source.strip()}\n")
        else:
            source = cell.source.removesuffix("\nanswer")
            parts.append(f"# %%\n{source}\nprint(answer.headline)\n{told}")
    return "\n".join(parts)


def _as_document(cells: Sequence[NotebookCell]) -> str:
    parts = []
    for cell in cells:
        source = cell.source.removesuffix("\nanswer").strip()
        parts.append(f"```python\n{source}\n```\n" if cell.is_code else f"{source}\n")
        parts += [_rows(cell.table)] if cell.table is not None else []
    return "\n".join(parts)


def _commented(words: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in words.splitlines())


def _rows(table: Table | None) -> str:
    """The first rows as Markdown has a table."""
    if table is None:
        return ""
    names = table.columns
    lines = [names, ["---"] * len(names), *table.rows[:ROWS]]
    written = "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)
    more = len(table.rows) - ROWS
    return written + ("\n" + _("… {count} more rows", count=more) + "\n" if more > 0 else "")


def _cell(value: object) -> str:
    if value is None:
        return ""
    return " ".join(str(value).replace("|", "\\|").split())


WRITERS: Mapping[str, Callable[[Sequence[NotebookCell]], str]] = {
    "ipynb": _as_notebook,
    "py": _as_script,
    "md": _as_document,
}
"""By the endings of files."""
