"""The words of prose that pages show: sentences besides values, in sight and behind an (i).

`python -m tests.ui.prose [--texts]` counts those of every recorded answer, the longest first.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.explained import Explanation, behind_marks
from explorer.ui.blocks.page.parts import Parted
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import Text
from explorer.ui.views import page_of_question
from tests.stored_runs.recorded import RECORDED

FEWEST = 4
"""Words from which a paragraph is more than a title or a number."""


@dataclass(frozen=True)
class Prose:
    """What an answer's page says.

    Attributes:
        name: Of the recorded answer.
        notes: Paragraphs in small letters that are in sight, warnings aside.
        others: Further paragraphs in sight: sentences that say the answer, titles, warnings.
        behind: What is behind each (i).
    """

    name: str
    notes: tuple[str, ...]
    others: tuple[str, ...]
    behind: tuple[Explanation, ...]

    @property
    def words(self) -> int:
        """Of the notes."""
        return count(self.notes)

    @property
    def explaining(self) -> int:
        """Of the notes that say no number: they explain."""
        return count(one for one in self.notes if not re.search(r"\d", one))


def count(texts: Iterable[str]) -> int:
    """The words of some texts."""
    return sum(len(text.split()) for text in texts)


def prose_of(name: str) -> Prose:
    """What the page of a recorded answer says."""
    run = RECORDED[name]
    page = page_of_question(run.summary.operation)
    drawn, behind = behind_marks(page.drawn(Shown(run.result, run.document, run.document)))
    texts = [one for one in _texts(drawn) if count([one.text]) >= FEWEST]
    small = [one for one in texts if (one.role, one.colour) == ("small", "muted")]
    others = tuple(one.text for one in texts if one not in small)
    return Prose(name, tuple(one.text for one in small), others, behind)


def _texts(blocks: Iterable[Block]) -> Iterator[Text]:
    for block in blocks:
        if isinstance(block, Text):
            yield block
        elif isinstance(block, Parted):
            for part in block.parts:
                yield from _texts(part.blocks)


def main() -> int:
    """Count and list."""
    from PySide6.QtWidgets import QApplication

    parser = argparse.ArgumentParser(description="Count the words that pages show.")
    parser.add_argument("--texts", action="store_true", help="the paragraphs, too")
    given = parser.parse_args()
    kept = QApplication.instance() or QApplication([])
    every = sorted(map(prose_of, RECORDED), key=lambda one: -one.words)
    sys.stdout.write("notes others behind\n")
    for one in every:
        behind = count(part.text for part in one.behind)
        sys.stdout.write(f"{one.words:5} {count(one.others):6} {behind:6} {one.name}\n")
        for text in (*one.notes, *one.others) if given.texts else ():
            sys.stdout.write(f"    ({count([text])}) {text}\n")
    notes, others = sum(one.words for one in every), sum(count(one.others) for one in every)
    behind = sum(count(part.text for part in one.behind) for one in every)
    sys.stdout.write(f"{notes:5} {others:6} {behind:6} together\n")
    return int(kept is None)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
