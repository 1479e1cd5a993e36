"""Which bundled models a question is shown with: those that answer it, and who belongs to them."""

from collections.abc import Sequence

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question.needs import are_met
from explorer.questions import all_questions

USUAL = "bert-miniature"


def models_for(question: str, library: Sequence[Checkpoint], made_for: str = "") -> tuple[str, ...]:
    """Ids of the checkpoints to load, A before B.

    The one that its sample is made for, if that is for one. Else the usual one where it answers,
    else the one that answers the fewest questions besides: it was made for this one. Beside it
    stands its partner, as a generator, or its first student; else, in a question of several roles,
    whoever can play the second.

    Args:
        question: Its name.
        library: What the program knows; only what comes with it is taken.
        made_for: The id of the one that the question's sample is made for; "" for any.
    """
    here = [one for one in library if one.source is Source.BUNDLED and one.folder]
    usual = next((one for one in here if one.id == (made_for or USUAL)), None)
    able = [one for one in here if question in one.operations]
    if usual is None or (able and usual not in able):
        usual = min(able, key=lambda one: len(one.operations))
    beside = [one.id for one in here if usual.partner == one.id or one.teacher == usual.id]
    if not beside:
        others = tuple(all_questions()[question].roles.values())[1:2]
        able = [one for one in here if any(are_met(needs, one.ports) for needs in others)]
        able.sort(key=lambda one: one.id != USUAL)
        beside = [one.id for one in able if one is not usual]
    return (usual.id, *beside[:1])
