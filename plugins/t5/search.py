"""The most probable spans at one sentinel, found by beam search."""

from dataclasses import dataclass
from typing import Any

from explorer.api.family import Context, MachineFault, SpanCandidate, SpansFound
from explorer.text import N_

LONGEST = 12
"""Pieces of a span that the search looks for; T5 was trained on spans of three on average."""

WIDTH = 16
"""Spans kept open at every step, where fewer answers are asked for."""


@dataclass(frozen=True)
class SpanQuery:
    """One sentinel to be filled.

    Attributes:
        module: The transformers model.
        states: The encoder's last hidden state (1 x tokens x width).
        prefix: What the decoder has written so far, the sentinel last.
        ends: Pieces that end the span: the next sentinel, or the end of the text.
        barred: Pieces that no span has: the other sentinels, padding.
    """

    module: Any
    states: Any
    prefix: tuple[int, ...]
    ends: tuple[int, ...]
    barred: tuple[int, ...]


def best_spans(question: SpanQuery, count: int, context: Context) -> SpansFound:
    """Search for the most probable spans of at least one piece and at most LONGEST.

    The search keeps the most probable unfinished spans of every length (a beam). It ends as soon
    as no unfinished span is more probable than the last one asked for, as a longer span can only
    be less probable than its beginning.
    """
    import torch
    from transformers import DynamicCache, EncoderDecoderCache

    width = max(count, WIDTH)
    cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
    device = question.states.device
    tokens = torch.tensor([question.prefix], dtype=torch.long, device=device)
    log_all = _last(question, tokens, cache)
    unsure = float(torch.special.entr(log_all[0].double().exp()).sum())
    closed = torch.tensor(question.ends + question.barred, dtype=torch.long, device=device)
    opened: list[SpanCandidate] = [SpanCandidate((), 0.0)]
    done: list[SpanCandidate] = []
    for length in range(LONGEST + 1):
        context.check()
        so_far = torch.tensor([span.log_probability for span in opened], device=device)
        if length:
            ends = torch.logsumexp(log_all[:, list(question.ends)], dim=-1) + so_far
            done += [
                SpanCandidate(span.ids, value)
                for span, value in zip(opened, ends.tolist(), strict=True)
            ]
            done.sort(key=lambda span: -span.log_probability)
        if length == LONGEST:
            break
        log_all[:, closed] = float("-inf")
        scores = (log_all + so_far[:, None]).flatten()
        top, places = torch.topk(scores, min(width, int(torch.isfinite(scores).sum())))
        pieces = log_all.shape[-1]
        parents, chosen = places // pieces, places % pieces
        best = float(top[0]) if len(top) else float("-inf")
        if best == float("-inf") or (len(done) >= count and done[count - 1].log_probability > best):
            break
        opened = [
            SpanCandidate((*opened[parent].ids, piece), value)
            for parent, piece, value in zip(
                parents.tolist(), chosen.tolist(), top.tolist(), strict=True
            )
        ]
        cache.reorder_cache(parents)
        log_all = _last(question, chosen[:, None], cache)
    return SpansFound(tuple(done), unsure)


def _last(question: SpanQuery, tokens: Any, cache: Any) -> Any:
    """Log-probabilities of the next piece (beams x vocabulary)."""
    return logits_of(question, tokens, cache)[:, -1].log_softmax(-1)


def logits_of(question: SpanQuery, tokens: Any, cache: Any) -> Any:
    """Logits (beams x tokens x vocabulary), float32.

    Raises:
        MachineFault: They are not numbers.
    """
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    states = question.states.expand(len(tokens), -1, -1)
    logits = question.module(
        encoder_outputs=BaseModelOutput(last_hidden_state=states),
        decoder_input_ids=tokens,
        past_key_values=cache,
        use_cache=cache is not None,
    ).logits.float()
    if bool(torch.isnan(logits[:, -1]).any()):
        raise MachineFault(
            N_("The model's numbers overflow in {split}."),
            N_("Load it as float32."),
            split=str(states.dtype).split(".")[-1],
        )
    return logits
