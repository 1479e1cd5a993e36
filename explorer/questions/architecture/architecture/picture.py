"""The picture of a model: the board on which its parts are clicked."""

from collections.abc import Callable, Iterator
from functools import partial

from explorer.api.family import Role
from explorer.architecture.tree import find, flat
from explorer.questions.architecture.architecture.count.blocks import opened_part
from explorer.questions.architecture.architecture.question import PART, ArchitectureResult
from explorer.ui.blocks import Block, ModelPicture, Shown


def board(shown: Shown) -> Iterator[Block]:
    """The board: from the tokens up to the heads."""
    result: ArchitectureResult = shown.result
    opened = partial(opened_part, shown)
    path_of, part = path_finder(result), PART.of(shown.now)
    yield ModelPicture(result.blueprint, result.companion, path_of, opened, part)


def path_finder(result: ArchitectureResult) -> Callable[[tuple[str, ...], str], str]:
    """From the roles of a shape on the board to the part of the tree that has them."""
    # A run of an older version has no roles.
    weights = [(Role(w.role or Role.OTHER).group, w.name) for w in flat(result.tree)]

    def path_of(roles: tuple[str, ...], beginning: str) -> str:
        wanted = {Role(role).group for role in roles}
        names = [
            name.split(".")[:-1]
            for role, name in weights
            if role in wanted and (not beginning or name.startswith((beginning, "shared")))
        ]
        common: list[str] = []
        for segments in zip(*names, strict=False):
            if len(set(segments)) > 1:
                break
            common.append(segments[0])
        while common and find(result.tree, ".".join(common)) is None:
            common.pop()
        return ".".join(common)

    return path_of
