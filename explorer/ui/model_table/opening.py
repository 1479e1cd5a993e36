"""Opens the table of models from the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.choosing.times import KeptTimes, times_file
from explorer.questions import all_questions
from explorer.text import _
from explorer.ui.model_table.dialog import ModelTableDialog

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

COMPARE = "compare_architectures"


def open_model_table(window: HostWindow, question: str) -> ModelTableDialog:
    """Show the table, or bring the one that is open to the front.

    Args:
        window: Over which.
        question: The page in front; "" for none.
    """
    found = window.findChild(ModelTableDialog)
    dialog = found if found is not None else _made(window)
    dialog.ask_of(all_questions().get(question))
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog


def _made(window: HostWindow) -> ModelTableDialog:
    bench = window.bench
    program = bench.program
    kept = None if program is None else KeptTimes(times_file(program.paths.cache))
    dialog = ModelTableDialog(bench.actions, bench.bridge, bench.settings_store, kept, window)

    def compare(first: str, second: str) -> None:
        document = bench.edits.document
        named = document.with_option(f"{COMPARE}.first", first)
        named = named.with_option(f"{COMPARE}.second", second)
        bench.state.edit(_("compare two models"), named)
        window.view_area.bring_forward(COMPARE)

    dialog.compare_wanted.connect(compare)
    return dialog
