"""Decoders that write, and how those that write a text anew read its masks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.family import CausalLM, Encoded, GenerativeQA, LoadedModel, Mask, Token
from explorer.hf import DecoderNextTokens, LaidOutAnswers, input_of, tokens_of

from .configs import DENOISERS, written_length


def fills_anew(model: LoadedModel) -> bool:
    """Whether its type was trained to write its text anew."""
    return model.config.model_type in DENOISERS


def writer_ports(model: LoadedModel) -> dict[type, Any]:
    """The decoder's texts."""
    writer = DecoderNextTokens(
        model,
        "This model",
        denoises=fills_anew(model),
        longest=written_length(model.config.to_dict()),
    )
    mask = model.tokenizer.mask_token_id
    answers = LaidOutAnswers(model, writer, lambda piece: piece == mask)
    return {CausalLM: writer, GenerativeQA: answers}


def encode_runs(model: LoadedModel, text: str, pair: str | None, masks: Sequence[Mask]) -> Encoded:
    """Text to input ids with one mask for every run of masked tokens, as in training.

    Lewis et al. 2020, section 2.2: text infilling.
    """
    tokens, types, left_out = tokens_of(model.tokenizer, text, pair, masks, model.max_length)
    merged: list[Token] = []
    kept: list[int] = []
    for token, kind in zip(tokens, types, strict=True):
        before = merged[-1] if merged else None
        if before is not None and token.masked and before.masked and token.part == before.part:
            merged[-1] = replace(before, end=token.end, original=None)
            continue
        merged.append(token)
        kept.append(kind)
    return input_of(model, tuple(merged), kept, left_out)
