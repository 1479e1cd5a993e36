"""Hidden states, logits, attention, queries and keys of a text, as a loaded model has them.

Whoever asks: the command line, a file of sentences, a script. Everything is float32; what a model
kept in fewer bits because there is much of it is named in `rounded`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    AttentionModules,
    Attentions,
    Context,
    Direction,
    Discriminator,
    Encoded,
    HiddenStates,
    LoadedModel,
    Mask,
    ModelStamp,
    PairClassifier,
    Predictor,
    Query,
    SpanExtractor,
    Token,
    TokenClassifier,
    Unavailable,
)
from explorer.text import N_
from explorer.values import ATTENTION, KEYS, KINDS, LOGITS, QUERIES, STATES

LAYER, HEAD, TOKEN, KEY = "layer", "head", "token", "key"
"""What is counted along an axis; any other axis holds one vector's numbers."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ValueArray:
    """One array of a model's numbers.

    Attributes:
        values: float32.
        axes: What is counted along each axis, from 0; of states, the first row are the embeddings.
        places: Where an axis counts some tokens of the input alone, which, from 0.
        tokens: What is along the axis of tokens, where that is not what the model read: the pieces
            that a decoder wrote.
        keys: The pieces that are looked at, likewise.
    """

    values: Floats
    axes: tuple[str, ...]
    places: tuple[int, ...] = ()
    tokens: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ModelValues:
    """The numbers of one text in one model.

    Attributes:
        model: Whose they are.
        text: The text.
        pair: The second one, or None.
        tokens: What the model read.
        arrays: By name: "states", "log_probabilities" (the logits of a head that predicts words,
            less one number for each token), "logits.replaced", "logits.classes", "logits.labels",
            "logits.start", "logits.end", "attention.encoder", "queries.decoder", ...
        missing: Why the model has not what was asked for, by kind.
        rounded: Names of the arrays that the model kept as float16.
    """

    model: ModelStamp
    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    arrays: Mapping[str, ValueArray]
    missing: Mapping[str, str] = field(default_factory=dict)
    rounded: tuple[str, ...] = ()


def take_values(
    model: LoadedModel,
    text: str,
    pair: str | None = None,
    masks: Sequence[Mask] = (),
    *,
    kinds: Collection[str] = KINDS,
    context: Context | None = None,
) -> ModelValues:
    """Run a model over a text and keep its numbers.

    Args:
        model: Loaded.
        text: The text; a [MASK] in it is a mask.
        pair: The second one; None for none.
        masks: Masked ranges of characters.
        kinds: Which of KINDS. What the model has not is told in `missing`.
        context: Can stop it.

    Raises:
        Unavailable: The model has nothing of what was asked for.
        UserMistake: The text can't be read, or not be foretold as it is.
        Cancelled: The run was cancelled.
    """
    context = context or Context()
    encoded = model.encode(text, pair, masks)
    arrays: dict[str, ValueArray] = {}
    missing: dict[str, str] = {}
    rounded: list[str] = []
    takers = {
        STATES: _states,
        LOGITS: _logits,
        ATTENTION: _attention,
        QUERIES: _queries_keys,
        KEYS: _queries_keys,
    }
    for kind in (one for one in KINDS if one in kinds):
        context.check()
        try:
            found = dict(takers[kind](model, encoded, context, kind))
        except Unavailable as error:
            missing[kind] = str(error)
            continue
        if not found:
            missing[kind] = N_("It gives none for this text without a mask or a second text.")
        for name, array in found.items():
            if array.values.dtype == np.float16:
                rounded.append(name)
            arrays[name] = replace(array, values=array.values.astype(np.float32))
    if not arrays:
        raise Unavailable(next(iter(missing.values()), N_("Nothing of this model was asked for.")))
    return ModelValues(
        model.stamp, text, pair, tuple(encoded.tokens), arrays, missing, tuple(rounded)
    )


_Found = Iterator[tuple[str, ValueArray]]


def _states(model: LoadedModel, encoded: Encoded, context: Context, _kind: str) -> _Found:
    (states,) = model.port(HiddenStates).states([encoded], context)
    yield STATES, ValueArray(_array(states), (LAYER, TOKEN, "width"))


def _logits(model: LoadedModel, encoded: Encoded, context: Context, _kind: str) -> _Found:
    """What the heads give, of those that read one text as it is."""
    ports = model.ports
    heads = (Predictor, Discriminator, PairClassifier, TokenClassifier, SpanExtractor)
    if not any(one in ports for one in heads):
        raise Unavailable(model.refused.get(Predictor, N_("This model can't answer this.")))
    if Predictor in ports:
        predictor = model.port(Predictor)
        asked = _foretold(predictor.direction, encoded)
        if asked:
            (found,) = predictor.log_probabilities([Query(encoded, asked)], context)
            yield "log_probabilities", ValueArray(_array(found), (TOKEN, "vocabulary"), asked)
    if Discriminator in ports:
        found = model.port(Discriminator).logits(encoded, context)
        yield "logits.replaced", ValueArray(_array(found), (TOKEN,))
    if PairClassifier in ports and encoded.tokens and encoded.tokens[-1].part:
        found = model.port(PairClassifier).logits(encoded, context)
        yield "logits.classes", ValueArray(_array(found), ("class",))
    if TokenClassifier in ports:
        found = model.port(TokenClassifier).logits(encoded, context)
        yield "logits.labels", ValueArray(_array(found), (TOKEN, "label"))
    if SpanExtractor in ports:
        spans = model.port(SpanExtractor).logits(encoded, context)
        # Where the end depends on the start there is a row for each start.
        axes = (TOKEN,) if _array(spans.ends).ndim == 1 else (TOKEN, "end")
        yield "logits.start", ValueArray(_array(spans.starts), (TOKEN,))
        yield "logits.end", ValueArray(_array(spans.ends), axes)


def _foretold(direction: Direction, encoded: Encoded) -> tuple[int, ...]:
    """The tokens that a head which predicts words can be asked about."""
    every = tuple(range(len(encoded.tokens)))
    if direction is Direction.BOTH:
        return every
    if direction is Direction.CAUSAL:
        return every[1:]
    return tuple(place for place in every if encoded.tokens[place].masked)


def _attention(model: LoadedModel, encoded: Encoded, context: Context, _kind: str) -> _Found:
    for kind, stack in model.port(Attentions).capture(encoded, context).items():
        tokens, keys = _unlike(stack.queries, encoded), _unlike(stack.keys, encoded)
        axes = (HEAD, TOKEN, KEY)
        yield from _stacked(f"{ATTENTION}.{kind}", stack.weights, axes, tokens, keys)


def _queries_keys(model: LoadedModel, encoded: Encoded, context: Context, kind: str) -> _Found:
    layers = model.port(AttentionModules).queries_and_keys(encoded, context)
    for stack in dict.fromkeys(one.kind for one in layers):
        some = [one for one in layers if one.kind == stack]
        read = some[0].query_tokens if kind == QUERIES else some[0].key_tokens
        values = [getattr(one, kind) for one in some]
        axes = (HEAD, TOKEN, "width")
        yield from _stacked(f"{kind}.{stack.value}", values, axes, _unlike(read, encoded))


def _unlike(tokens: Sequence[Token], encoded: Encoded) -> tuple[str, ...]:
    """The pieces of some tokens, where they are not the input's."""
    same = [one.id for one in tokens] == [one.id for one in encoded.tokens]
    return () if same else tuple(one.text for one in tokens)


def _stacked(
    name: str,
    layers: Sequence[Any],
    axes: tuple[str, ...],
    tokens: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
) -> _Found:
    """Layers as one array; as one each where they are of several sizes."""
    arrays = [_array(one) for one in layers]
    if len({one.shape for one in arrays}) == 1:
        yield name, ValueArray(np.stack(arrays), (LAYER, *axes), (), tokens, keys)
        return
    for number, one in enumerate(arrays):
        yield f"{name}.{number}", ValueArray(one, axes, (), tokens, keys)


def _array(values: Any) -> NDArray[Any]:
    """A tensor's numbers, on whichever device they are; numpy's own as they are."""
    if isinstance(values, np.ndarray):
        return values
    found: NDArray[Any] = values.detach().float().cpu().numpy()
    return found
