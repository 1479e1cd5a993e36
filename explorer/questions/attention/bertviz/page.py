"""bertviz itself, in a browser without a network inside the window."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api.question import READS_ENTITIES, ModelCard
from explorer.document import Document
from explorer.questions.attention.bertviz.colours import in_dark
from explorer.questions.attention.bertviz.question import KIND, MODEL_VIEW, QUESTION, BertvizResult
from explorer.sessions.export.tables import write_atomically
from explorer.text import N_, _
from explorer.ui.blocks import (
    Block,
    Offer,
    SavedFile,
    Shown,
    Web,
    WebBlock,
    page_of_parts,
    remembered,
)

MODEL_WIDTH = 1060
"""Pixels that bertviz' model view takes."""


def drawn(shown: Shown) -> Iterator[Block]:
    """Bertviz' page."""
    result: BertvizResult = shown.result
    is_model = result.view == MODEL_VIEW
    yield WebBlock(
        Web(
            html_of(result),
            _("The page that bertviz made"),
            MODEL_WIDTH if is_model else 0,
            in_dark,
            _("bertviz is drawing…"),
        )
    )


@remembered()
def html_of(result: BertvizResult) -> str:
    """The page, unpacked once."""
    return result.html


class PageFile:
    """The page as a file that stands alone."""

    def __init__(self, shown: Shown, path: Path) -> None:
        self._html, self._path = html_of(shown.result), path

    def take(self, _result: object) -> None:
        """It has no parts."""

    def finish(self) -> None:
        """Write it whole."""
        write_atomically(self._path, self._html.encode("utf-8"))

    def abandon(self) -> None:
        """Nothing was written."""


def file_name(shown: Shown) -> str:
    """What is suggested: the view and the model in it."""
    model = shown.result.model.name.replace("/", "-").strip("-.") or "model"
    return f"bertviz-{shown.result.view}-{model[-60:]}.html"


def offers(_now: Document, _shown: Shown | None, card: ModelCard | None) -> Mapping[str, Offer]:
    """The attention of entities, where the model reads any."""
    return {KIND.key: Offer(there=card is not None and READS_ENTITIES in card.operations)}


PAGE = page_of_parts(
    QUESTION,
    {"page": drawn},
    offers=offers,
    saves=(
        SavedFile(
            "saveBertvizPage",
            N_("Save the page"),
            N_("Save the page as one HTML file that needs no network"),
            N_("Web page (*.html)"),
            file_name,
            PageFile,
        ),
    ),
)
