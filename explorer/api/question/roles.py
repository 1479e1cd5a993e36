"""What a model does in a question, and which loaded model does it.

Requests name roles. Which model plays a role is bound when a question is asked and recorded with
its run, so that a logged question means the same whatever lies in the slots later.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.model import ModelCard, ModelStamp
from explorer.text import N_, NN_, Phrase

MODEL = "model"
"""The only role of a question that one model answers."""
FIRST, SECOND = "first", "second"
"""Of two models that are compared, in the order of their slots."""
TEACHER, STUDENT = "teacher", "student"
"""Whose distribution is to be learnt, and who learnt it."""
DISCRIMINATOR, GENERATOR = "discriminator", "generator"
"""What tells replaced tokens, and what makes the replacements."""
REASONER, ENCODER = "reasoner", "encoder"
"""What reads a graph, and what reads the text beside it."""
REFERENCE, ROUNDED = "reference", "rounded"
"""Of two models of the same weights: as they are, and in coarser numbers."""

TITLES = {
    MODEL: N_("Model"),
    FIRST: N_("First model"),
    SECOND: N_("Second model"),
    TEACHER: N_("Teacher"),
    STUDENT: N_("Student"),
    DISCRIMINATOR: N_("Discriminator"),
    GENERATOR: N_("Generator"),
    REASONER: N_("Reasoner"),
    ENCODER: N_("Encoder"),
    REFERENCE: N_("Reference"),
    ROUNDED: N_("Rounded"),
}
"""What a role is called before who plays it; one of a plugin's is called by its name."""

SLOTS = ("A", "B")
"""Where models lie while they are loaded."""


def other_slot(slot: str) -> str:
    """The one that is not this one."""
    return SLOTS[1] if slot == SLOTS[0] else SLOTS[0]


RoleBinding = Mapping[str, str]
"""The slot of each role, in the order of the roles."""


class Options(Protocol):
    """What a casting reads of a document."""

    @property
    def text(self) -> str:
        """The sentence."""

    def option(self, key: str, default: Any = None) -> Any:
        """What a tool is set to."""


Casting = Callable[[Mapping[str, ModelCard], str, Options], RoleBinding]
"""From the loaded models by slot, the active slot and the document's options to the cast."""


@dataclass(frozen=True)
class BySlot:
    """A casting: the active model plays the only role; of two, A plays the first and B the second.

    Attributes:
        roles: In order.
        swap: The option of a document by which A and B swap their roles; "" for none.
    """

    roles: tuple[str, ...]
    swap: str = ""

    def __call__(
        self, _cards: Mapping[str, ModelCard], active: str, document: Options
    ) -> RoleBinding:
        """Who plays which role, loaded or not."""
        if len(self.roles) < 2:
            return dict.fromkeys(self.roles, active)
        is_swapped = bool(self.swap) and document.option(self.swap, False) is True
        slots = reversed(SLOTS) if is_swapped else SLOTS
        return dict(zip(self.roles, slots, strict=True))


def cast_of(models: Mapping[str, ModelStamp], cards: Mapping[str, ModelCard]) -> RoleBinding:
    """Where the models of a run lie today; roles whose model is not loaded are left out.

    The fingerprint decides; of two slots with the same weights, the one on the same device in
    the same precision, and one that plays no other role yet.
    """
    found: dict[str, str] = {}
    for role, stamp in models.items():
        alike = [s for s in cards if cards[s].stamp.fingerprint == stamp.fingerprint]
        alike.sort(key=lambda slot: (cards[slot].stamp != stamp, slot in found.values()))
        if alike:
            found[role] = alike[0]
    return found


def missing_of(
    models: Mapping[str, ModelStamp], cards: Mapping[str, ModelCard]
) -> dict[str, ModelStamp]:
    """The models of a run that are not loaded, by role."""
    found = cast_of(models, cards)
    return {role: stamp for role, stamp in models.items() if role not in found}


PLAYED_BY = {
    FIRST: N_("{model} as the first model"),
    SECOND: N_("{model} as the second model"),
    TEACHER: N_("{model} as the teacher"),
    STUDENT: N_("{model} as the student"),
    DISCRIMINATOR: N_("{model} as the discriminator"),
    GENERATOR: N_("{model} as the generator"),
    REASONER: N_("{model} as the reasoner"),
    ENCODER: N_("{model} as the encoder"),
    REFERENCE: N_("{model} as the reference"),
    ROUNDED: N_("{model} in coarser numbers"),
}


def roles_said(models: Mapping[str, ModelStamp], title_of: Callable[[ModelStamp], str]) -> Phrase:
    """Models with what they do: "BERT, base as the teacher and ... as the student".

    Args:
        models: By role.
        title_of: What people read for a model.
    """
    said = [
        Phrase(PLAYED_BY.get(role, "{model}"), model=title_of(stamp))
        for role, stamp in models.items()
    ]
    whole = said[0]
    for one in said[1:]:
        whole = Phrase(N_("{first} and {second}"), first=whole, second=one)
    return whole


def not_loaded(missing: Mapping[str, ModelStamp], title_of: Callable[[ModelStamp], str]) -> Phrase:
    """A sentence: which models are missing, and what they do."""
    sentence = NN_("{models} is not loaded.", "{models} are not loaded.")
    return Phrase(sentence, models=roles_said(missing, title_of), count=len(missing))
