"""What a checkpoint's generation config asks of every text, whichever way tokens are chosen.

A token that must come first or last, phrases that are not repeated, pieces that are never written,
a least length: transformers' `generate` applies them before anything is cut or chosen, and so does
this, with the same classes in the same order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.api.family import CheckpointFault, GenerationPrompt, LoadedModel
from explorer.text import N_

FIRST, LAST = "forced_bos_token_id", "forced_eos_token_id"
NOTHING: Mapping[str, Any] = {
    "repetition_penalty": 1.0,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "bad_words_ids": None,
    "min_length": 0,
    FIRST: None,
    LAST: None,
    "suppress_tokens": None,
}
"""Its fields in the order in which `generate` applies them, and what each asks nothing with."""


def rules_of(model: LoadedModel) -> dict[str, Any]:
    """Fields of its generation config that ask for something."""
    settings = getattr(model.module, "generation_config", None)
    found = {name: getattr(settings, name, None) for name in NOTHING}
    return {name: one for name, one in found.items() if one is not None and one != NOTHING[name]}


def processors(opening: GenerationPrompt, most: int, device: Any) -> list[Any]:
    """Transformers' own, of which each is called with all pieces so far and the scores.

    Args:
        opening: What stands before the text, and its rules.
        most: New tokens at most: the last one may be forced.
        device: Where scores are.

    Raises:
        CheckpointFault: A value is none that a rule can have.
    """
    found = []
    for name in NOTHING:
        if name in opening.rules:
            try:
                one = _processor(name, opening.rules[name], opening, most, device)
            except (TypeError, ValueError) as error:
                raise CheckpointFault(
                    N_("In generation_config.json {name} can't be {value}."),
                    N_("Correct it, or copy the checkpoint again."),
                    name=name,
                    value=str(opening.rules[name])[:80],
                ) from error
            found += [] if one is None else [one]
    return found


def _processor(name: str, value: Any, opening: GenerationPrompt, most: int, device: Any) -> Any:
    import torch
    from transformers.generation import logits_process as own

    ends = list(opening.ends)
    match name:
        case "repetition_penalty":
            return own.RepetitionPenaltyLogitsProcessor(penalty=float(value))
        case "no_repeat_ngram_size":
            return own.NoRepeatNGramLogitsProcessor(value)
        case "encoder_no_repeat_ngram_size":
            read = torch.tensor([[token.id for token in opening.tokens]], device=device)
            return own.EncoderNoRepeatNGramLogitsProcessor(value, read) if opening.apart else None
        case "bad_words_ids":
            return own.NoBadWordsLogitsProcessor(value, ends or None)
        case "min_length":
            return own.MinLengthLogitsProcessor(value, ends, device=device) if ends else None
        case "forced_bos_token_id":
            return own.ForcedBOSTokenLogitsProcessor(value)
        case "forced_eos_token_id":
            last = len(opening.ids) + most
            return own.ForcedEOSTokenLogitsProcessor(last, value, device=device)
    return own.SuppressTokensLogitsProcessor(value, device=device)


def first_of(opening: GenerationPrompt) -> Sequence[int]:
    """The piece that a text must begin with, where there is one: it is no text."""
    forced = opening.rules.get(FIRST)
    return () if forced is None else (int(forced),)


class Rules:
    """All of them as one step in a chain of warpers.

    Args:
        opening: What stands before the text.
        most: New tokens at most.
    """

    def __init__(self, opening: GenerationPrompt, most: int) -> None:
        self._opening, self._most = opening, most
        self._made: list[Any] | None = None

    def __bool__(self) -> bool:
        return bool(self._opening.rules)

    def __call__(self, written: Sequence[Sequence[int]], scores: Any) -> Any:
        """What they leave of scores (continuations x vocabulary)."""
        import torch

        if not self._opening.rules:
            return scores
        if self._made is None:
            self._made = processors(self._opening, self._most, scores.device)
        ids = torch.tensor(
            [(*self._opening.ids, *row) for row in written], device=scores.device, dtype=torch.long
        )
        for one in self._made:
            scores = one(ids, scores)
        return scores
