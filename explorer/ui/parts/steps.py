"""How the steps of a pass look on a page: one of them large, in a film of all."""

from collections.abc import Iterator

from explorer.api.question.parts.steps import STEP, Steps
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.document.gestures import Edit
from explorer.ui.parts.looking import Looking
from explorer.ui.pass_film.film import FilmBlock
from explorer.ui.pass_film.scene import PassFilm


def blocks(part: Steps, looking: Looking) -> Iterator[Block]:
    """The step that the page stands at, and the way to all others."""

    def stop(name: str) -> Edit | None:
        return looking.setting(STEP, name, _("go to a step of the pass"))

    at = part.number(looking.value(STEP))
    yield FilmBlock(PassFilm(part.scenes, at, None if looking.shown.alone else stop))
