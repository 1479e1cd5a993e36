"""Says of each script that no font on this computer has its letters, as long as there are any."""

from contextlib import nullcontext

from PySide6.QtCore import QObject, QTimer

from explorer.text import language
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.theme.letters import (
    letters_by_script,
    script_of,
    without_font,
    words_on_lacking,
)
from explorer.ui.workbench.workbench import Workbench

PAUSE_MS = 600
"""After a change of the text; a font that is looked for may have to be read from the disk."""
KEY = "missing_fonts"


class MissingFonts(QObject):
    """Looks at the letters of the texts, and at those of the language that the window speaks.

    Attributes:
        known: Scripts that were looked at.
    """

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self.known: set[str] = set()
        self._told = ""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(PAUSE_MS)
        self._later.timeout.connect(self.look)
        bench.state.changed.connect(self._plan)
        self._plan()

    def take_over(self, other: "MissingFonts") -> None:
        """Say nothing twice; what is still on screen may be in letters that are missing now."""
        if KEY not in self._notices.keys:
            self.known |= other.known
        self._notices.dismiss(KEY)

    def _plan(self, _document: object = None) -> None:
        self._later.start()

    def look(self) -> None:
        """Look at one letter of each script that has not been looked at."""
        own = language.current()
        document = self._bench.state.document
        # First of all the program's: who can't read it needs to be told in another one.
        new = letters_by_script(
            (language.NAMES.get(own.code, ""), document.text, document.pair or "")
        )
        if self._told and self._told not in new and KEY in self._notices.keys:
            # What was drawn as boxes is gone; of the next such text it is said again.
            self._notices.dismiss(KEY)
            self.known.discard(self._told)
        new = {script: one for script, one in new.items() if script not in self.known}
        self.known |= new.keys()
        lacking = without_font(new.values())
        if not lacking:
            return
        unreadable = lacking[0] in language.NAMES.get(own.code, "")
        with language.for_programs() if unreadable else nullcontext():
            self._tell(lacking[0])

    def _tell(self, letter: str) -> None:
        self._told = script_of(letter)
        problem, remedy = words_on_lacking(letter)
        self._notices.tell(Notice(KEY, problem, remedy, level="warning", stays=True))
