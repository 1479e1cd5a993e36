"""An answer as Python has it: arrays, rows, sentences, pictures."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.api.question import Cell, ModelStamp, Table, UserMistake
from explorer.export_choices import CaptionPlace, Form
from explorer.files.typed_paths import typed_path
from explorer.headless import AnsweredRun, LoadedModels
from explorer.scripting.mistakes import advised
from explorer.scripting.notebook import frames, in_notebook, pictures
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.log.headline import headline_of
from explorer.text import N_, said


class ModelAnswer:
    """What came of a question, asked now or read from the log.

    Attributes:
        result: The question's dataclass, whose arrays are read-only; its fields are documented
            there (`help(answer.result)`). None where an older run can't be read whole.
        request: What was asked.
        table: The rows: `table.columns`, `table.rows`, `table.column(name)`.
        id: Of the run in the log; "" where it was not logged.
        created_at: When it was answered, UTC, in ISO 8601.
    """

    def __init__(
        self,
        answered: AnsweredRun,
        models: LoadedModels | None,
        created_at: str,
        table: Table | None = None,
    ) -> None:
        self._answered, self._models, self._stored = answered, models, table
        self.created_at = created_at
        self.id = answered.run_id
        self.result: Any = answered.result
        self.request: Any = answered.run.request

    def with_rows(self, table: Table) -> "ModelAnswer":
        """The same with other rows."""
        return ModelAnswer(self._answered, self._models, self.created_at, table)

    @property
    def question(self) -> str:
        """The question's name."""
        return self._answered.run.operation

    @property
    def models(self) -> Mapping[str, ModelStamp]:
        """Who played which role: id, family, fingerprint of the weights, number type, device."""
        return self._answered.run.models

    @cached_property
    def table(self) -> Table:
        """The rows, as the window's table and a CSV file have them.

        Raises:
            Mistake: The answer has none.
        """
        found = self._stored or self._answered.run.table
        if found is None:
            raise UserMistake(N_("This answer has no rows."), N_("result has what was answered."))
        return found

    @property
    def summary(self) -> Mapping[str, Cell]:
        """The answer as one row of named cells; empty where the question has none."""
        return self._answered.run.summary

    @property
    def headline(self) -> str:
        """The answer in a sentence, as the log has it."""
        return said(headline_of(self._answered.run))

    @property
    def read_as(self) -> str:
        """What of a file's table was taken for what, in a sentence; "" where no table was read."""
        from explorer.questions.many.file_of_sentences.question import FileOfSentencesResult
        from explorer.questions.many.file_of_sentences.wording import read_as

        return read_as(self.result) if isinstance(self.result, FileOfSentencesResult) else ""

    @property
    def caption(self) -> str:
        """How it came about: models with fingerprints, texts, settings, versions, moment."""
        return Provenance.of(self._answered.run, self.created_at).said()

    @property
    def beside(self) -> tuple[Any, ...]:
        """Results that are laid beside it: the exact answers, where `exact=True` asked for them."""
        return tuple(self._answered.beside.values())

    def frame(self, library: frames.Library | None = None) -> Any:
        """The rows as a frame.

        Args:
            library: "pandas" or "polars"; None for the one that is imported, else installed.

        Raises:
            Mistake: It is not installed.
        """
        with advised():
            return frames.frame_of(self.table.columns, self.table.rows, library, self.caption)

    def to_csv(self, path: str | Path, caption: CaptionPlace = "none") -> None:
        """Write the rows as a table for spreadsheets.

        Args:
            path: The file.
            caption: How the answer came about: in a "file" beside it, as a "comment" before the
                rows, or "none".

        Raises:
            Trouble: The file can't be written.
        """
        from explorer.sessions.export.tables import write_csv

        with advised():
            write_csv(typed_path(path), self.table, self.caption, caption)

    def picture(
        self,
        form: Form = "svg",
        *,
        width_mm: float | None = None,
        dark: bool = False,
        parts: Sequence[str] = (),
        **choices: Any,
    ) -> pictures.DrawnPage:
        """The page as the window shows it.

        Args:
            form: "svg", "png" or "pdf".
            width_mm: In print: 84 is a column of a journal, 174 are two; None as on the screen.
            dark: Light on dark.
            parts: Names of the page's parts that are shown; none for as many as a figure holds.
            choices: `points`, `dpi`, `title`, `caption`, `explanations`, `outlines`.

        Raises:
            Trouble: Qt is not here to draw it; the sentence says what to install.
        """
        with advised():
            choice = pictures.choice_of(form, width_mm=width_mm, dark=dark, **choices)
            return pictures.drawn(self._answered, self._models, [choice], parts)[0]

    def save(self, path: str | Path, parts: Sequence[str] = (), **choices: Any) -> None:
        """Write the page as a picture, or the rows as a table: the ending says the form.

        Args:
            path: It ends in .pdf, .svg or .png; .csv or .parquet for the rows.
            parts: Of a picture, as `picture` has them.
            choices: Of a picture, likewise.

        Raises:
            Mistake: It ends otherwise, a table is to have choices, or pyarrow is not here to write
                Parquet.
            Trouble: The file can't be written, or Qt is not here to draw it.
        """
        with advised():
            target = typed_path(path)
            if target.suffix.lower() not in (".csv", ".parquet"):
                pictures.save(self._answered, self._models, target, parts, **choices)
                return
            for name in (*(("parts",) if parts else ()), *choices):
                raise UserMistake(
                    N_("A table has no option {name}."), N_("Leave it out."), name=name
                )
            if target.suffix.lower() == ".csv":
                self.to_csv(target)
            else:
                self._to_parquet(target)

    def _to_parquet(self, target: Path) -> None:
        from explorer.sessions.export.parquet import require_parquet, write_parquet
        from explorer.sessions.schema.atomic import written_atomically

        require_parquet(target)
        columns = self.table.columns
        rows = [dict(zip(columns, row, strict=True)) for row in self.table.rows]
        with written_atomically(target) as file:
            write_parquet(file, columns, rows, {"caption": self.caption})

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, str]:
        """What a notebook shows: the picture, light or dark as its reader has it, and the rows."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        """The same, for those that ask for this alone."""
        return in_notebook.page(self._answered, self._models, self._table_or_none, self.caption)

    @property
    def _table_or_none(self) -> Table | None:
        return self._stored or self._answered.run.table

    def __repr__(self) -> str:
        who = ", ".join(stamp.id for stamp in self.models.values())
        rows = self._table_or_none
        count = "" if rows is None else f", {len(rows.rows)} rows"
        told = " ".join(filter(None, (self.headline, self.read_as)))
        return f"<{self.question} of {who}{count}: {told}>"
