"""A person's own sentence, asked of a model at a frame: what does it say where [MASK] stands?

The exact answer stands beside it where the text is one of the world, or the beginning of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from explorer.learning.measured.predictions import Reading, reading_of
from explorer.world.exact.truth import Truth

BLANK: Final = "[MASK]"
SHOWN: Final = 5

Answers = tuple[tuple[str, float], ...]
"""Pieces with their probabilities, the likeliest first."""


class NothingToAsk(ValueError):
    """A text has no [MASK]."""


@dataclass(frozen=True, slots=True)
class ExactBlank:
    """What may stand at a blank for who knows the grammar.

    Attributes:
        answers: Empty where no text of the world fits.
        is_beginning: The text is one of the world only if it goes on.
    """

    answers: Answers
    is_beginning: bool = False


def watched(model: Any, tokenizer: Any, text: str, count: int = SHOWN) -> list[Answers]:
    """What a model says at each blank of a text, all of them hidden at once.

    A model that reads from the left is asked what stands at the first one, and sees nothing behind
    it; one that writes spans is asked what the span behind the first sentinel begins with.

    Raises:
        NothingToAsk: There is no [MASK].
    """
    import torch

    if BLANK not in text:
        raise NothingToAsk(text)
    reading = reading_of(model)
    if reading is Reading.LEFT:
        before, _, _ = text.partition(BLANK)
        inputs = [tokenizer.convert_tokens_to_ids(tokenizer.tokenize(before))]
        if not inputs[0]:
            return []
        with torch.inference_mode():
            rows = model(input_ids=torch.tensor(inputs)).logits[0, -1:]
    elif reading is Reading.SPANS:
        before, _, behind = text.partition(BLANK)
        rows = _span_begins(model, tokenizer, before, behind.replace(BLANK, ""))
    else:
        masked = text.replace(BLANK, tokenizer.mask_token)
        # What is too long for the model fails there, and is not warned of besides.
        encoded = tokenizer(masked, return_tensors="pt", verbose=False)
        with torch.inference_mode():
            output = model(**encoded)
        scores = getattr(output, "prediction_logits", None)
        scores = output.logits if scores is None else scores
        rows = scores[0, encoded["input_ids"][0] == tokenizer.mask_token_id]
    best = torch.softmax(rows.double(), dim=-1).topk(min(count, rows.shape[-1]))
    return [
        tuple(zip(tokenizer.convert_ids_to_tokens(pieces), shares, strict=True))
        for pieces, shares in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]


def _span_begins(model: Any, tokenizer: Any, before: str, behind: str) -> Any:
    import torch

    sentinel = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    pieces = [
        tokenizer.convert_tokens_to_ids(tokenizer.tokenize(part)) for part in (before, behind)
    ]
    inputs = [[*pieces[0], sentinel, *pieces[1], tokenizer.eos_token_id]]
    written = [[model.config.decoder_start_token_id, sentinel]]
    with torch.inference_mode():
        found = model(input_ids=torch.tensor(inputs), decoder_input_ids=torch.tensor(written))
    return found.logits[0, -1:]


def exact_blanks(
    truth: Truth, tokenizer: Any, text: str, reading: Reading, count: int = SHOWN
) -> list[ExactBlank]:
    """What may stand at each blank that `watched` asks about.

    Args:
        truth: Of the world, in the tokenizer's pieces.
        tokenizer: Cuts the text.
        text: With [MASK].
        reading: How the model reads it.
        count: Answers of each blank.
    """
    pattern: list[str | None] = []
    for number, part in enumerate(text.split(BLANK)):
        if number:
            pattern.append(None)
        pattern += tokenizer.tokenize(part)
    blanks = [place for place, piece in enumerate(pattern) if piece is None]
    if reading is Reading.LEFT:
        pattern, blanks = pattern[: blanks[0] + 1], blanks[:1]
        if not blanks[0]:
            return []
    elif reading is Reading.SPANS:
        blanks = blanks[:1]
    return [_exact(truth, pattern, blank, reading, count) for blank in blanks]


def _exact(
    truth: Truth, pattern: Sequence[str | None], blank: int, reading: Reading, count: int
) -> ExactBlank:
    found = {} if reading is Reading.LEFT else truth.answer(pattern, blank)
    is_beginning = not found
    if is_beginning:
        found = truth.answer(pattern, blank, open_end=True)
    best = sorted(found.items(), key=lambda one: -one[1])[:count]
    return ExactBlank(tuple(best), is_beginning and bool(found))
