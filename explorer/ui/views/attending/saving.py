"""All weights of all heads as one .npz file, brought layer by layer."""

import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from explorer.api import Failure
from explorer.questions.attention.attention.question import Attention, AttentionResult
from explorer.ui.blocks.shown import Detail
from explorer.ui.export.file_dialogs import FileDialogs

if TYPE_CHECKING:
    from explorer.questions.attention.attention.page import AttentionView

LANE = "all"


class SavingAll(QObject):
    """Writes one layer while the next one is brought, so that no more than one is held."""

    def __init__(self, view: "AttentionView") -> None:
        super().__init__(view)
        self._view = view
        self._dialogs = FileDialogs(view)
        self._file: zipfile.ZipFile | None = None
        self._path = Path()
        self._detail: Detail | None = None
        self._layer = 0
        self._before: AttentionResult | None = None
        self.said = ""

    @property
    def is_busy(self) -> bool:
        """A file is being written."""
        return self._file is not None

    def ask(self) -> None:
        """Ask where to, then begin."""
        if self._view.result is not None and not self.is_busy:
            model = self._view.result.model.id.replace("/", "-").strip("-.") or "model"
            name = f"attention-{model[-60:]}.npz"
            self._dialogs.save("Save all attention", name, "NumPy arrays (*.npz)", self.begin)

    def begin(self, path: Path) -> None:
        """Write what is shown now into a file."""
        result, document = self._view.result, self._view.document
        if result is None or document is None:
            return
        self._path = path
        self._result: AttentionResult = result
        self._request = Attention.of(document)
        try:
            self._file = zipfile.ZipFile(_partial(path), "w", zipfile.ZIP_DEFLATED)
            self._write("query_labels", [place.label for place in result.queries])
            self._write("key_labels", [place.label for place in result.keys])
            self._write("measures", result.measures)
            self._write("measure_names", list(result.measure_names))
            self._write("model", result.model.id)
            self._write("kind", result.kind)
        except OSError as error:
            self._end(f"{path.name} can't be written ({error.strerror or error}).")
            return
        self._layer = 0
        self._next()

    def takes(self, detail: Detail, result: AttentionResult) -> bool:
        """Write a layer that has come; False for what is none."""
        if detail.lane != LANE:
            return False
        if detail == self._detail and self._file is not None:
            try:
                self._write(f"layer_{self._layer}", result.weights)
            except OSError as error:
                self._end(f"{self._path.name} can't be written ({error.strerror or error}).")
                return True
            self._layer += 1
            self._next()
        return True

    def stopped(self, detail: Detail, failure: Failure) -> bool:
        """Give up; False for what is none of its own."""
        if detail.lane != LANE:
            return False
        if detail == self._detail:
            self._end(failure.said)
        return True

    def _next(self) -> None:
        if self._layer == self._result.layers:
            self._end("")
            return
        self._say(f"Saving layer {self._layer + 1} of {self._result.layers}…")
        heads = tuple(f"{self._layer}.{head}" for head in range(self._result.heads))
        self._detail = Detail(replace(self._request, heads=heads), self._result.model, LANE)
        self._view.detail_wanted.emit(self._detail)

    def _write(self, name: str, values: Any) -> None:
        import numpy as np

        assert self._file is not None
        with self._file.open(f"{name}.npy", "w", force_zip64=True) as entry:
            stream: IO[bytes] = entry
            np.lib.format.write_array(stream, np.asanyarray(values), allow_pickle=False)

    def _end(self, problem: str) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        self._file = self._detail = None
        part = _partial(self._path)
        try:
            if problem:
                part.unlink(missing_ok=True)
            else:
                part.replace(self._path)
        except OSError as error:
            problem = f"{self._path.name} can't be written ({error.strerror or error})."
        self._say(f"Not saved: {problem}" if problem else f"Saved {self._path}.")

    def _say(self, words: str) -> None:
        self.said = words
        self._view.heads_tools.save.setToolTip(words)
        self._view.heads_tools.save.setEnabled(not self.is_busy)
        self._view.note.setText(words)
        self._view.note.show()


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
