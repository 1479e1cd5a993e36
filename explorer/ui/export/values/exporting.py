"""Writes what the model that answers computes of the text, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.serialise import to_builtins
from explorer.sessions.schema.atomic import remove_unfinished
from explorer.text import N_, _
from explorer.text.printable import shortened
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.notices.notices import Notice
from explorer.ui.own_process import OwnProcess
from explorer.values import KINDS

if TYPE_CHECKING:
    from explorer.ui.views.page_view import PageView
    from explorer.ui.window.host import HostWindow

WORKER = "explorer.command_line.workers.values_worker"
FILES = N_("NumPy arrays (*.npz);;safetensors (*.safetensors);;Parquet (*.parquet)")
STAGES = {"computing": N_("computing"), "writing": N_("writing the file")}
NOTICE = "values"
QUOTED = 80


@dataclass(frozen=True)
class _WantedValues:
    """Whose values of what."""

    slot: str
    card: ModelCard
    document: Document
    kinds: Sequence[str]


class ValuesExporter(QObject):
    """One export at a time; the window goes on meanwhile."""

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._kinds: tuple[str, ...] = KINDS
        self._process: OwnProcess | None = None
        self._file = Path()
        self._last: dict[str, Any] = {}

    @property
    def is_under_way(self) -> bool:
        """One is being written."""
        return self._process is not None

    def pick(self) -> None:
        """Ask which values of the text of now, and where to, and write them."""
        bench = self._window.bench
        self._pick(bench.models.active, bench.state.document)

    def pick_of(self, view: PageView) -> None:
        """The same of the answer of a page: of the model that gave it, and the text it is of."""
        stamps = [*view.origin.models.values()]
        cards = self._window.bench.models.cards
        slot = next((slot for slot, one in cards.items() if one.stamp in stamps), "")
        self._pick(slot, view.document or Document())

    def _pick(self, slot: str, document: Document) -> None:
        from explorer.ui.export.values.dialog import ValuesDialog

        say, card = self._window.notifications.say, self._window.bench.models.cards.get(slot)
        if card is None:
            say(NOTICE, _("There is no model whose values could be written."), _("Load one."))
        elif not document.text.strip():
            say(NOTICE, _("There is no text whose values could be written."), _("Give one."))
        elif self._process is not None:
            say(NOTICE, _("Values are being written."), _("Wait for them, or cancel that."))
        else:
            text = shortened(document.text, QUOTED)
            dialog = ValuesDialog(card.title, text, self._kinds, self._window)
            dialog.save_wanted.connect(partial(self._save, slot, card, document))
            dialog.open()

    def _save(self, slot: str, card: ModelCard, document: Document, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds
        asked = _WantedValues(slot, card, document, kinds)
        name = f"{PurePath(card.stamp.id).name}.npz"
        write = partial(self._write, asked)
        self._window.dialogs.save(_("Export values"), name, _(FILES), write)

    def _write(self, asked: _WantedValues, path: Path) -> None:
        bench = self._window.bench
        if bench.program is None or self._process is not None:
            return
        options = bench.models.options_of(asked.slot)
        program = replace(bench.program, device=options.device, dtype=options.dtype)
        wanted = {
            "file": str(path),
            "model": asked.card.stamp.id,
            "allow_pickle": options.allow_pickle,
            "text": asked.document.text,
            "pair": asked.document.pair,
            "masks": to_builtins(asked.document.masks),
            "kinds": asked.kinds,
        }
        self._file, self._last = path, {}
        self._process = OwnProcess(WORKER, program, wanted, self)
        self._process.told.connect(self._hear)
        self._process.ended.connect(self._finished)
        self._say(_("loading the model"))
        self._process.start()

    def cancel(self) -> None:
        """Stop; nothing is written."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
            remove_unfinished(self._file)
        self._window.notices.dismiss(NOTICE)

    def _say(self, stage: str) -> None:
        words = _("Exporting values to {name}: {stage}", name=self._file.name, stage=stage)
        ways = ((_("Cancel"), self.cancel),)
        notice = Notice(NOTICE, words, actions=ways, dismissed=self.cancel, is_spoken=False)
        self._window.notices.tell(notice)

    def _hear(self, told: dict[str, Any]) -> None:
        self._last = told
        stage = STAGES.get(told.get("stage", ""))
        if stage is not None:
            self._say(_(stage))

    def _finished(self) -> None:
        self._process = None
        told, notices = self._last, self._window.notices
        if "written" not in told:
            remove_unfinished(self._file)
            words = told.get("failed") or _("The values could not be exported.")
            advice = told.get("advice") or _("Try again; the program's log says more.")
            notices.tell(Notice(NOTICE, words, advice, level="warning"))
            return
        hints = [
            _("Without {kind}: {why}", kind=kind, why=why) for kind, why in told["missing"].items()
        ]
        if told["rounded"]:
            names = ", ".join(told["rounded"])
            hints.append(_("The model kept these as float16: {names}.", names=names))
        words = _("Exported to {path}: {names}.", path=self._file, names=", ".join(told["written"]))
        show = partial(open_in_system, self._file.parent)
        ways = ((_("Show in file manager"), show),)
        notices.tell(Notice(NOTICE, words, " ".join(hints), actions=ways))
