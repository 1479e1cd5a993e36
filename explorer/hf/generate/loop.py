"""One text, token by token: the loop that everything which lets a model write is built on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.family import Context, GenerationState
from explorer.hf.generate.rules import Rules
from explorer.hf.generate.warping import RULES, Sampling, Warped, draw, warped
from explorer.text import N_, Phrase

GREEDY = Sampling()


@dataclass(frozen=True)
class GenerationStep:
    """One token that was written.

    Attributes:
        id: The piece.
        warped: What it was chosen from.
        taken: It was given, and not chosen.
        ends: It ends the text.
    """

    id: int
    warped: Warped
    taken: bool
    ends: bool


def most_new(writing: GenerationState, wanted: int) -> int:
    """How many tokens can be written, of so many that are wanted."""
    room = writing.opening.room
    return wanted if room is None else min(wanted, room)


def write(
    writing: GenerationState,
    most: int,
    context: Context,
    *,
    sampling: Sampling = GREEDY,
    seed: int | None = None,
    taken: Sequence[int] = (),
) -> Iterator[GenerationStep]:
    """Write until the text ends, or has as many tokens as it may.

    Between two tokens a cancel is heard, and calls that wait go first.

    Args:
        writing: What is gone on with.
        most: Tokens that are written at most, those that are given among them.
        context: For progress.
        sampling: What a token is drawn from.
        seed: Of all draws; None takes the most probable token each time (greedy).
        taken: The first tokens, given.
    """
    ids = list[int]()
    most = most_new(writing, most)
    warpers = [*ruled(Rules(writing.opening, most)), *sampling.warpers()]
    while len(ids) < most:
        told(context, len(ids), most)
        one = warped(writing.logits([ids], context)[0], warpers, written=ids)
        number = len(ids)
        given = number < len(taken)
        chosen = taken[number] if given else draw(one, None if seed is None else (seed, number))
        ids.append(chosen)
        ends = chosen in writing.opening.ends
        yield GenerationStep(chosen, one, given, ends)
        if ends:
            return


def ruled(rules: Rules) -> list[tuple[str, Rules]]:
    """Rules as what comes first in a chain of warpers; nothing where there are none."""
    return [(RULES, rules)] if rules else []


def told(context: Context, done: int, most: int) -> None:
    """Say which token comes, hear a cancel, and let calls that wait go first."""
    context.check()
    stage = Phrase(N_("writing token {number} of {most}"), number=done + 1, most=most)
    context.progress(stage, float(done), float(most))
    context.give_way()
