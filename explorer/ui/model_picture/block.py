"""The picture of a model as a block."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Blueprint
from explorer.architecture.sketch import fills, sketch_of
from explorer.text import _
from explorer.ui.blocks.block import PlacedBlock
from explorer.ui.blocks.spacing import Space
from explorer.ui.model_picture.board import Board


@dataclass(frozen=True)
class ModelPicture:
    """The block.

    Attributes:
        blueprint: The model's architecture.
        companion: That of the other half, where two were trained together.
        path_of: From the roles of a shape, and the beginning of its weights' names, to a part.
        open_part: The gesture that shows a part in full, by its path.
        part: The one that is open; "" for none.
        above: The room above it.
    """

    blueprint: Blueprint
    companion: Blueprint | None
    path_of: Callable[[tuple[str, ...], str], str]
    open_part: Callable[[str], Any]
    part: str = ""
    above: Space = Space.APART

    @property
    def called(self) -> str:
        """How a scene calls it, which has no title of its own."""
        return _("Picture")

    def at(self, width: float) -> PlacedBlock:
        """From the tokens up to the heads."""
        blueprint = self.blueprint
        sketch = sketch_of(blueprint, self.companion, mine_first=fills(blueprint))
        traits = blueprint.traits
        return Board(sketch, traits, width, self.path_of, self.open_part, self.part)
