"""Every question's recorded answer as a figure of every size, language and scheme, judged by rule.

`python -m tests.ui.export.gallery [--out FOLDER] [QUESTION ...]` draws and judges the whole of it
and writes the pictures; the suite (test_gallery.py) has each question once at each size.
"""

import argparse
import itertools
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from explorer.export_choices import PictureChoice, Size
from explorer.paths import own_resources
from explorer.text import language, said
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.devices import figure_image, png_bytes
from explorer.ui.export.legibility import faults_in_print
from explorer.ui.export.paper import PaperPicture, printed
from explorer.ui.export.reading import read
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of

SIZES: tuple[Size, ...] = ("column", "columns", "slide")
FOR_THE_SCREEN = re.compile(r"(?i)\b(click|choose one|drag|press|hover|point at)")
DOTS = 150
"""An inch."""
LANGUAGES, SCHEMES = ("en", "ko"), ("light", "dark")


@dataclass(frozen=True)
class Picture:
    """One picture of the gallery.

    Attributes:
        name: Of the recorded answer.
        size: Of the figure.
        language: That it speaks.
        scheme: Of its colours.
    """

    name: str
    size: Size
    language: str
    scheme: str

    @property
    def choice(self) -> PictureChoice:
        dark = self.scheme == "dark"
        explains = self.size != "slide"
        return PictureChoice(
            "png", self.size, title=False, caption=False, dark=dark, explanations=explains
        )

    def png(self) -> bytes:
        """As a file."""
        with self._spoken():
            made = self.drawn()
            return png_bytes(figure_image(made.figure, DOTS, made.millimetres))

    def faults(self) -> list[str]:
        """What is wrong with it, in English."""
        with self._spoken():
            made, whole = self.drawn(), words_on_screen(self.name, self.language)
            found: list[object] = [*faults_in_print(made, self.choice.least_points, whole)]
            written = " ".join(one.text for one in read(made.figure))
            if asked := FOR_THE_SCREEN.search(written):
                found.append(f"“{asked[0]}” can be done on the screen alone.")
        return list(dict.fromkeys(f"{one}" for one in found))

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        """In its language."""
        before = language.use(language.find(self.language, LOCALE) or language.ENGLISH)
        try:
            yield
        finally:
            language.use(before)

    def drawn(self) -> PaperPicture:
        """All parts on paper, on a slide those that it holds."""
        return _laid_out(self.name, self.choice, None if self.size == "slide" else ())


def _laid_out(name: str, choice: PictureChoice, off: tuple[str, ...] | None) -> PaperPicture:
    run = RECORDED[name]
    page = kind_of(run.summary.operation).declared
    shown = Shown(run.result, run.document, run.document)
    return printed(page, shown, Origin.of(run), said(page.of.title), choice, off)


@lru_cache(len(LANGUAGES))
def words_on_screen(name: str, _language: str) -> frozenset[str]:
    """All words of an answer's page as it is on the screen, in the language that is spoken."""
    screen = _laid_out(name, PictureChoice(title=False, caption=False), ())
    return frozenset(word for one in read(screen.figure) for word in one.text.split())


LOCALE = own_resources() / "locale"


def every_picture() -> Iterator[Picture]:
    """All of them."""
    for name, size, code, scheme in itertools.product(RECORDED, SIZES, LANGUAGES, SCHEMES):
        yield Picture(name, size, code, scheme)


def each_once() -> Iterator[Picture]:
    """Every question once at every size, its language and scheme in turns."""
    for number, name in enumerate(RECORDED):
        for at, size in enumerate(SIZES):
            turn = number + at
            yield Picture(name, size, LANGUAGES[turn % 2], SCHEMES[turn // 2 % 2])


def main() -> int:
    """Judge the gallery; the status is 1 where something is wrong."""
    from PySide6.QtWidgets import QApplication

    parser = argparse.ArgumentParser(description="Draw and judge every figure.")
    parser.add_argument("names", nargs="*", metavar="QUESTION")
    parser.add_argument("--out", type=Path, help="a folder for the pictures")
    parser.add_argument("--once", action="store_true", help="as the suite does")
    given = parser.parse_args()
    kept = QApplication.instance() or QApplication([])
    wrong = 0
    for one in each_once() if given.once else every_picture():
        if given.names and one.name.split()[0] not in given.names:
            continue
        place = f"{one.name}, {one.size}, {one.language}, {one.scheme}"
        faults = one.faults()
        wrong += bool(faults)
        for fault in faults:
            sys.stdout.write(f"{place}: {fault}\n")
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"\W+", "-", place)
            (given.out / f"{name}.png").write_bytes(one.png())
    sys.stdout.write(f"{wrong} pictures have faults\n")
    return int(kept is None or wrong > 0)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
