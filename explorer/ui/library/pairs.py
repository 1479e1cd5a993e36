"""Models that belong together: a teacher and its student, a discriminator and its generator."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import _


@dataclass(frozen=True)
class ModelPair:
    """Two models that are loaded by one click.

    Attributes:
        first: The teacher, or the discriminator: loaded as A.
        second: The student, or the generator: loaded as B.
        is_taught: One taught the other.
    """

    first: Checkpoint
    second: Checkpoint
    is_taught: bool

    @property
    def both(self) -> tuple[Checkpoint, Checkpoint]:
        """As A and as B."""
        return self.first, self.second

    @property
    def title(self) -> str:
        """Both names."""
        return f"{self.first.title} + {self.second.title}"

    @property
    def about(self) -> str:
        """What they are to each other."""
        return _("teacher and student") if self.is_taught else _("discriminator and generator")


def pairs_of(checkpoints: Iterable[Checkpoint]) -> Iterator[ModelPair]:
    """The pairs of which both are on this machine and can be loaded."""
    here = {
        one.id: one
        for one in checkpoints
        if one.source not in {Source.HUB, Source.CONFIG} and not one.problem
    }
    for one in here.values():
        teacher, partner = here.get(one.teacher), here.get(one.partner)
        if teacher is not None:
            yield ModelPair(teacher, one, is_taught=True)
        if partner is not None and "replaced_tokens" in one.operations:
            yield ModelPair(one, partner, is_taught=False)


def plain_first(checkpoints: Iterable[Checkpoint]) -> list[Checkpoint]:
    """Each model before those that were fine-tuned from it, which have its name and a task's."""
    listed = list(checkpoints)
    bases = {one.id: one.title.partition(", ")[0] for one in listed}
    first: dict[str, int] = {}
    for place, one in enumerate(listed):
        first.setdefault(bases[one.id], place)
    return sorted(
        listed,
        key=lambda one: (first[bases[one.id]], one.title != bases[one.id], not one.partner),
    )
