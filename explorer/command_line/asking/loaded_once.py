"""Models that are loaded for the first question that needs them, and kept for the next ones."""

from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from explorer import headless
from explorer.api.question import SLOTS
from explorer.program import Program

if TYPE_CHECKING:
    from explorer.engine.library.catalogue import Catalogue


class ModelsLoadedOnce:
    """Loads who plays the roles of one question after the other, where they are not there yet.

    Args:
        program: Where everything is.
        allow_pickle: Pickled weights may be opened.
    """

    def __init__(self, program: Program, *, allow_pickle: bool) -> None:
        self._program, self._allow_pickle = program, allow_pickle
        self._runner = program.runner()
        # By slot, the one that was asked longest ago first.
        self._loaded: OrderedDict[str, str] = OrderedDict()

    @cached_property
    def catalogue(self) -> "Catalogue":
        """The checkpoints that are here."""
        return self._program.catalogue(self._program.plugin_host())

    def playing(self, named: Mapping[str, str]) -> headless.LoadedModels:
        """The models of a question.

        Args:
            named: The checkpoint of every role.

        Raises:
            ExplorerError: One is unknown, damaged, or needs a consent that was not given.
        """
        cast: dict[str, str] = {}
        for role, name in named.items():
            if alike := [one for one in cast if named[one] == name]:
                cast[role] = cast[alike[0]]
                continue
            free = [slot for slot in self._loaded if slot not in cast.values()]
            slot = next((one for one in free if self._loaded[one] == name), None)
            if slot is None:
                slot = self._slot_for(name, named, free)
                headless.load(
                    self._runner, self._program, name, allow_pickle=self._allow_pickle, slot=slot
                )
                self._loaded[slot] = name
            self._loaded.move_to_end(slot)
            cast[role] = slot
        return headless.LoadedModels(self._runner, self._program, cast)

    def _slot_for(self, name: str, named: Mapping[str, str], free: list[str]) -> str:
        """An empty slot, or the one whose model was asked longest ago and is not wanted now."""
        wanted = {*named.values()} - {name}
        empty = [one for one in SLOTS if one not in self._loaded]
        idle = [one for one in free if self._loaded[one] not in wanted]
        slot = (empty or idle or free)[0]
        if self._loaded.pop(slot, None) is not None:
            # Else there would be one more in memory until the next one is loaded.
            self._runner.unload(slot)
        return slot
