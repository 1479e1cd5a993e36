"""A model's own attention: every layer and head, exactly as transformers computes it.

transformers runs most families with kernels that never make the attention's matrix, and then
returns an empty tuple with no more than a line in a log. So the plain implementation is switched
on while attention is asked for, and what comes back is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.api.family import (
    CheckpointFault,
    Context,
    Encoded,
    LoadedModel,
    MachineFault,
    Predictor,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.hf.attention.layout import AttentionLayout
from explorer.hf.attention.modules import depth_of
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.guessing import guessed
from explorer.hf.text.causal import NO_PIECE
from explorer.hf.text.vocabularies.pieces import WORD_START, special_pieces
from explorer.text import N_

if TYPE_CHECKING:
    import numpy as np

KINDS = ("encoder", "decoder", "cross")
"""A stack's attention to itself, that of a stack that writes, and from the second to the first."""

FULL_PRECISION = 256 * 2**20
"""Bytes of attention up to which float32 is kept; beyond it float16 is (11 bits)."""

IMPLEMENTATION = "_attn_implementation_internal"
"""Where transformers' configs hold the name of their kernels. The public setter warns and gives
up for families that know only one implementation."""

LONGEST_ANSWER = 32
"""Pieces a decoder writes at most where no text is given for it."""


@dataclass(frozen=True)
class AttendingStack:
    """The attention of one stack of layers.

    Attributes:
        kind: One of KINDS.
        weights: A layer each: heads x queries x keys, after the softmax; float32, or float16
            where all layers together would be larger than FULL_PRECISION.
        queries: The tokens that look; one a row.
        keys: The tokens that are looked at; one a column.
        causal: No token gives weight to one that comes later, in any layer or head.
    """

    kind: str
    weights: "tuple[np.ndarray[Any, Any], ...]"
    queries: tuple[Token, ...]
    keys: tuple[Token, ...]
    causal: bool

    @property
    def layers(self) -> int:
        """How many."""
        return len(self.weights)

    @property
    def heads(self) -> int:
        """In a layer."""
        return int(self.weights[0].shape[0])

    @property
    def nbytes(self) -> int:
        """Memory of the weights."""
        return sum(int(layer.nbytes) for layer in self.weights)


@contextmanager
def eager_attention(module: Any) -> Iterator[None]:
    """Let a transformers module compute attention in full, and put back what it had before.

    Args:
        module: Of transformers; its config says how attention is computed.
    """
    configs = {
        id(part.config): part.config
        for part in module.modules()
        if hasattr(getattr(part, "config", None), IMPLEMENTATION)
    }
    before = {key: getattr(config, IMPLEMENTATION) for key, config in configs.items()}
    try:
        for config in configs.values():
            setattr(config, IMPLEMENTATION, "eager")
        yield
    finally:
        for key, config in configs.items():
            setattr(config, IMPLEMENTATION, before[key])


def capture(
    model: LoadedModel,
    layout: AttentionLayout,
    encoded: Encoded,
    context: Context,
    answer: Sequence[int] | None = None,
) -> Mapping[str, AttendingStack]:
    """Every attention of a model for one input, by kind.

    A model that reads in both directions has "encoder", one that reads from the left "decoder",
    and one with both stacks "encoder", "decoder" and "cross". Where a model that reads from the
    left has masks, its own best guesses stand in their place, as for its predictions.

    Args:
        model: Who attends.
        layout: Its family's.
        encoded: What it reads.
        context: Cancels.
        answer: What the decoder of a model with two stacks reads, without the token that starts
            it; None for what it writes itself (`greedy_answer`).

    Raises:
        UserMistake: The input is empty, or a mask stands where nothing can be guessed.
        Unavailable: transformers gives no attention, another number of arrays than there are
            layers, or no matrix from every token to every other.
        MachineFault: The weights are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if not encoded.tokens:
        raise UserMistake(N_("There is no token to attend to."), N_("Type a sentence."))
    encoded = without_masks(model, encoded, context)
    with torch.inference_mode(), cancellable(context), eager_attention(model.module):
        if layout.two_stacks:
            return _two_stacks(model, layout, encoded, context, answer)
        base = model.module.base_model
        output = base(**encoded.inputs, output_attentions=True)
        layers = depth_of(layout, layout.stacks[0], model.config)
        weights = _checked(getattr(output, "attentions", None), layers, model)
        size = encoded.input_ids.shape[-1]
        for layer in weights:
            if layer.shape[1:] != (size, size):
                raise no_matrix(layer.shape, size)
        del output
        causal = _is_causal(weights, lambda: _doubled(model, encoded))
        kind = "decoder" if causal else "encoder"
        return {kind: _stack(kind, weights, encoded.tokens, encoded.tokens, causal)}


def without_masks(model: LoadedModel, encoded: Encoded, context: Context) -> Encoded:
    """The input of a model that reads from the left, with its own guesses for what is masked.

    Any other model's input is returned as it is: it has a mask token.

    Raises:
        UserMistake: The first token is masked: nothing stands before it.
        Unavailable: The model has no head to guess with.
    """
    if not any(encoded.tokens[i].id == NO_PIECE.id for i in encoded.mask_positions):
        return encoded
    if Predictor not in model.ports:
        raise Unavailable(
            N_("This model reads from the left and has no head that could fill the masks."),
            N_("Unmask the words."),
        )
    return guessed(model.port(Predictor), encoded, context)


def greedy_answer(
    model: LoadedModel, encoded: Encoded, context: Context, longest: int = LONGEST_ANSWER
) -> tuple[int, ...]:
    """What the decoder writes, the most probable piece first, up to and without the end (</s>)."""
    import torch

    written: list[int] = []
    if model.max_length:  # rows of a table of places, which a decoder may have too
        longest = min(longest, model.max_length - 1)
    end = model.tokenizer.eos_token_id
    with torch.inference_mode(), cancellable(context):
        states = model.module.get_encoder()(**encoded.inputs)
        for _ in range(longest):
            context.check()
            ids = torch.tensor([[decoder_start(model), *written]], device=encoded.input_ids.device)
            logits = model.module(encoder_outputs=states, decoder_input_ids=ids).logits[0, -1]
            best = int(logits[: len(model.tokenizer)].argmax())
            if best == end:
                break
            written.append(best)
    return tuple(written)


def _two_stacks(
    model: LoadedModel,
    layout: AttentionLayout,
    encoded: Encoded,
    context: Context,
    answer: Sequence[int] | None,
) -> Mapping[str, AttendingStack]:
    import torch

    if answer is None:
        answer = greedy_answer(model, encoded, context)
    ids = [decoder_start(model), *answer]
    device = encoded.input_ids.device
    output = model.module(
        **encoded.inputs,
        decoder_input_ids=torch.tensor([ids], device=device),
        output_attentions=True,
    )
    below, above, across = (depth_of(layout, stack, model.config) for stack in layout.stacks)
    encoder = _checked(output.encoder_attentions, below, model)
    decoder = _checked(output.decoder_attentions, above, model)
    cross = _checked(output.cross_attentions, across, model)
    del output
    told = decoder_tokens(model, ids)
    return {
        "encoder": _stack("encoder", encoder, encoded.tokens, encoded.tokens, False),
        "decoder": _stack("decoder", decoder, told, told, True),
        "cross": _stack("cross", cross, told, encoded.tokens, False),
    }


def decoder_start(model: LoadedModel) -> int:
    """The token that begins everything a decoder writes: what begins a text, or else padding.

    Args:
        model: Whose generation config, config and tokenizer are asked, in this order.

    Raises:
        CheckpointFault: There is no padding either.
    """
    settings = getattr(model.module, "generation_config", None)
    start = getattr(settings, "decoder_start_token_id", None)
    if start is None:
        start = getattr(model.config, "decoder_start_token_id", None)
    if start is None:  # as transformers' own `generate` takes it
        start = getattr(settings, "bos_token_id", None)
    start = model.tokenizer.pad_token_id if start is None else start
    if start is None:
        raise CheckpointFault(
            N_("config.json does not say what the decoder starts with: decoder_start_token_id."),
            N_("Copy the checkpoint's config.json again."),
        )
    return int(start)


def decoder_tokens(model: LoadedModel, ids: Sequence[int]) -> tuple[Token, ...]:
    """Tokens of the decoder's text; they stand for no characters of the user's.

    Args:
        model: Whose tokenizer cut them.
        ids: Their numbers in the vocabulary, in the order of the text.
    """
    special = special_pieces(model.tokenizer)
    tokens: list[Token] = []
    pieces = model.tokenizer.convert_ids_to_tokens(list(ids))
    for piece, number in zip(pieces, ids, strict=True):
        own = piece in special
        continues = bool(tokens) and not own and not tokens[-1].special
        joined = continues and not piece.startswith(WORD_START)
        tokens.append(Token(piece, number, 0, 0, special=own, joined=joined))
    return tuple(tokens)


def _checked(given: Any, layers: int, model: LoadedModel) -> list[Any]:
    """One tensor a layer (heads x queries x keys), or a failure that says what came instead."""
    import torch

    arrays = [layer for layer in given or () if isinstance(layer, torch.Tensor)]
    if not arrays:
        raise Unavailable(N_("transformers gives no attention of this model's layers."))
    if len(arrays) != layers:
        raise Unavailable(
            N_(
                "transformers gives {count} attention arrays for the {layers} layers of this "
                "model, and does not say of which."
            ),
            count=len(arrays),
            layers=layers,
        )
    found = []
    for layer in arrays:
        # Every row is a softmax: where any number is none, neither is the sum.
        if not bool(torch.isfinite(layer.sum(dtype=torch.float32))):
            raise MachineFault(
                N_("The model's numbers overflow in {dtype}."),
                N_("Load it as float32."),
                dtype=model.stamp.dtype,
            )
        found.append(layer[0])
    return found


def no_matrix(shape: Sequence[int], size: int) -> Unavailable:
    """What is said of attention that is not from every token to every other.

    Args:
        shape: What transformers gives of a layer.
        size: How many tokens there are.
    """
    return Unavailable(
        N_(
            "transformers gives its attention as {shape} numbers for {size} tokens: no matrix from "
            "every token to every other."
        ),
        shape=" × ".join(str(one) for one in shape),
        size=size,
    )


def _stack(
    kind: str,
    weights: list[Any],
    queries: tuple[Token, ...],
    keys: tuple[Token, ...],
    causal: bool,
) -> AttendingStack:
    import torch

    size = sum(int(layer.numel()) for layer in weights) * 4
    dtype = torch.float32 if size <= FULL_PRECISION else torch.float16
    arrays = []
    while weights:
        # One layer after the other is given back as soon as its copy stands.
        arrays.append(weights.pop(0).to(dtype).cpu().contiguous().numpy().copy())
    return AttendingStack(kind, tuple(arrays), queries, keys, causal)


def _is_causal(weights: list[Any], doubled: Any) -> bool:
    """Whether every weight from a token to a later one is exactly zero."""
    import torch

    if weights[0].shape[-1] == 1:
        weights = doubled()
    return not any(bool(torch.triu(layer, diagonal=1).any()) for layer in weights)


def _doubled(model: LoadedModel, encoded: Encoded) -> list[Any]:
    """Attention to one token standing twice: a single one can't show what it may not see."""
    import torch

    twice = {name: torch.cat((one, one), dim=1) for name, one in encoded.inputs.items()}
    output = model.module.base_model(**twice, output_attentions=True)
    return [layer[0] for layer in output.attentions]
