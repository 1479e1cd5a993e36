"""The bundled films: what is trained, and which of its frames are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS


@dataclass(frozen=True, slots=True)
class FilmRecipe:
    """One film.

    Attributes:
        name: Of its folder under resources/films.
        plan: What is trained.
        steps: The frames that are kept of those that a run leaves.
    """

    name: str
    plan: TrainingPlan
    steps: tuple[int, ...]


FILMS: Final[Mapping[str, FilmRecipe]] = {
    one.name: one
    for one in (
        FilmRecipe(
            "bert-film",
            PRESETS["film"],
            (0, 8, 16, 32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8000),
        ),
    )
}
