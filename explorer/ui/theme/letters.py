"""Which letters no font on this computer can draw, and what would bring them."""

import shutil
import unicodedata
from collections.abc import Callable, Iterable

from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication

from explorer.system_libraries import INSTALL_LINES
from explorer.text import N_, Phrase

CJK = frozenset({"HANGUL", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO"})
"""Scripts as Unicode names letters of them, which one large font has."""
PACKAGES = {
    "Noto Sans CJK": {
        "apt-get": "fonts-noto-cjk",
        "dnf": "google-noto-sans-cjk-fonts",
        "pacman": "noto-fonts-cjk",
        "apk": "font-noto-cjk",
    },
    "Noto Sans": {"apt-get": "fonts-noto-core", "pacman": "noto-fonts", "apk": "font-noto"},
}
"""By the font and the program that installs packages. Where a system has a package for each script,
or we did not look it up, none is named; macOS and Windows have such fonts."""


def without_font(letters: Iterable[str]) -> str:
    """Those of some letters that would be drawn as boxes."""
    return "".join(one for one in letters if not _is_drawn(one))


def script_of(letter: str) -> str:
    """What Unicode calls the script of a letter: "HANGUL"."""
    return unicodedata.name(letter, "").partition(" ")[0]


def letters_by_script(texts: Iterable[str]) -> dict[str, str]:
    """The first letter of each script that stands in some texts; none of plain ASCII."""
    found: dict[str, str] = {}
    for letter in "".join(one for one in texts if not one.isascii()):
        if letter.isalpha() and (script := script_of(letter)):
            found.setdefault(script, letter)
    return found


def words_on_lacking(letter: str) -> tuple[Phrase, Phrase]:
    """That no font has the script of a letter, and what brings one."""
    font = font_for(letter)
    line = install_line(font)
    problem = Phrase(
        N_(
            "No font on this computer has the letters of the script {script}, which are drawn as "
            "boxes."
        ),
        script=script_of(letter).capitalize(),
    )
    if line:
        return problem, Phrase(
            N_("Install one, as with `{command}`, and start the program again."), command=line
        )
    return problem, Phrase(
        N_("Install one, such as {font}, and start the program again."), font=font
    )


def font_for(letter: str) -> str:
    """The family that is known to have a letter's script."""
    return "Noto Sans CJK" if script_of(letter) in CJK else "Noto Sans"


def install_line(font: str, find: Callable[[str], str | None] = shutil.which) -> str:
    """The command that brings a font; "" where the package's name is not known."""
    for tool, line in INSTALL_LINES.items():
        if find(tool):
            package = PACKAGES[font].get(tool, "")
            return f"sudo {line} {package}" if package else ""
    return ""


def _is_drawn(letter: str) -> bool:
    layout = QTextLayout(letter, QApplication.font())
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    # Number nought is what a font draws for what it lacks; Qt has tried all others by then.
    return all(0 not in run.glyphIndexes() for run in layout.glyphRuns())
