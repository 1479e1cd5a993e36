"""The bundled films: what is trained, and which of its frames are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from explorer.learning.distilling.presets import PRESETS as DISTILLATIONS
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning.presets import PRESETS as TUNINGS

SAID: Final = "said"
"""What a row of measures has of each held-out text, which no film keeps."""


@dataclass(frozen=True, slots=True)
class FilmRecipe:
    """One film.

    Attributes:
        name: Of its folder under resources/films.
        plan: What is trained.
        steps: The frames that are kept of those that a run leaves.
        about: What its card says it is, in place of what its kind of plan is told to be; "".
        own: Which plan of the program makes the same film as a run of one's own; "" for none.
        rows: Of the training curve that are kept at most; 0 for all, with the measures of all
            frames of the run.
    """

    name: str
    plan: RunPlan
    steps: tuple[int, ...]
    about: str = ""
    own: str = ""
    rows: int = 0

    def told_of(self, curve: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """The rows of the training curve that the film keeps, the last one among them."""
        every = -(-len(curve) // self.rows) if self.rows else 1
        return curve[::-1][:: max(1, every)][::-1]

    def kept_of(self, measured: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """The measures that the film keeps."""
        if not self.rows:
            return measured
        kept = (row for row in measured if row["step"] in self.steps)
        return [{name: told for name, told in row.items() if name != SAID} for row in kept]


_OWN: Final = """\
In the program, {page} with the plan "{plan}" makes the same film as a run of your own.
"""
_ABOUT_TEACHER: Final = """\
The teacher of bert-student-film: a BERT of {parameters:,} parameters at the end of its training. It
read {smallest}"""
_ABOUT_ALONE: Final = """\
A student that is told nothing but the hidden words themselves, at the end of its training: as large
as that of bert-student-film, trained as long on the same texts. {teacher} lends it its pieces, and
no more. It read {smallest}"""
_ABOUT_SHUFFLED: Final = """\
A model that learnt shuffled labels, at the end of its fine-tuning: {base} and a fresh head, tuned
as long as bert-tuned-film on the same texts, whose labels were dealt out anew among them. Nothing
could be learnt of the texts that are held out. It reads {smallest}"""
_TEACHER: Final = TrainingPlan(width=32, length=48, rate=0.004, steps=2400)
FILMS: Final[Mapping[str, FilmRecipe]] = {
    one.name: one
    for one in (
        FilmRecipe(
            "bert-film",
            PRESETS["film"],
            (0, 8, 16, 32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8000),
            own=_OWN.format(page="Train", plan="film"),
        ),
        FilmRecipe("bert-small-film", _TEACHER, (2400,), about=_ABOUT_TEACHER, rows=20),
        FilmRecipe(
            "bert-student-film",
            DISTILLATIONS["film"],
            (0, 32, 128, 384, 768, 1536, 2400),
            own=_OWN.format(page="Distil", plan="film"),
            rows=20,
        ),
        FilmRecipe(
            "bert-alone-film",
            DISTILLATIONS["alone"],
            (2400,),
            about=_ABOUT_ALONE,
            own=_OWN.format(page="Distil", plan="alone"),
            rows=20,
        ),
        FilmRecipe(
            "bert-tuned-film",
            TUNINGS["film"],
            (0, 8, 16, 32, 64, 96, 160),
            own=_OWN.format(page="Tune", plan="film"),
            rows=20,
        ),
        FilmRecipe(
            "bert-shuffled-film",
            TUNINGS["shuffled"],
            (160,),
            about=_ABOUT_SHUFFLED,
            own=_OWN.format(page="Tune", plan="shuffled"),
            rows=20,
        ),
    )
}
"""In the order in which they are made: who teaches or is tuned is there before."""
