"""The attention of entities to each other, of a model that reads some, as a stack of its own."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from explorer.api.question import Context, Encoded, Knowledge, LoadedModel, Mention, Token
from explorer.hf.attention.cache import Captured
from explorer.hf.attention.weights import AttendingStack
from explorer.hf.kept import kept
from explorer.questions.attention.stacks import ENTITIES
from explorer.text import N_, Phrase


def entity_stack(
    model: LoadedModel, captured: Captured, context: Context
) -> Mapping[str, AttendingStack]:
    """By its kind; nothing for a model in which entities don't attend.

    It has the layers in which they do, and the tokens that they may look at: those that name an
    entity, by its name, and the first one.
    """
    if Knowledge not in model.ports:
        return {}

    def make() -> Mapping[str, AttendingStack]:
        knowledge = model.port(Knowledge)
        fused = knowledge.fused(captured.encoded, context)
        if not fused.attention:
            return {}
        places = list(fused.counted)
        layers = (fused.attention[n][:, places][:, :, places] for n in sorted(fused.attention))
        weights = tuple(one.cpu().numpy().astype(np.float32) for one in layers)
        tokens = tuple(_named(model, captured.encoded, place) for place in places)
        return {ENTITIES: AttendingStack(ENTITIES, weights, tokens, tokens, causal=False)}

    return kept("attention of entities", make, of=captured, size=_bytes)


def _bytes(stacks: Mapping[str, AttendingStack]) -> int:
    return sum(one.nbytes for one in stacks.values())


def attending_said(
    model: LoadedModel, captured: Captured, stack: AttendingStack, context: Context
) -> Phrase:
    """Which layers of the model these are, and what to do where there is no entity."""
    fused = model.port(Knowledge).fused(captured.encoded, context)
    numbers = sorted(fused.attention)
    layers = Phrase(
        N_(
            "Entities attend to each other in layers {first} to {last} of the model alone, counted "
            "from 0; here these are layers 0 to {highest}. The first token has no entity, but may "
            "be looked at."
        ),
        first=numbers[0],
        last=numbers[-1],
        highest=len(numbers) - 1,
    )
    if len(stack.keys) > 1:
        return layers
    none = Phrase(
        N_(
            "No entity is on this text, so the first token is all there is to look at: put one on "
            "a word with E."
        )
    )
    return Phrase.joined([none, layers])


def _named(model: LoadedModel, encoded: Encoded, place: int) -> Token:
    """A token by the name of its entity."""
    token = encoded.tokens[place]
    mention = next((one for one in model.entities if _touches(one, token)), None)
    if token.special or mention is None:
        return token
    name = model.port(Knowledge).entity(mention.entity).name
    # As it stands: the tokenizer is not to read it, and it is a word of its own.
    return replace(token, text=name, joined=False, reserved=True)


def _touches(mention: Mention, token: Token) -> bool:
    return mention.part == token.part and token.start < mention.end and mention.start < token.end
