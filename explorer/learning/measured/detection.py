"""How well a discriminator finds what a generator replaced, on unseen documents.

They are masked (15 %), the generator's draws are put in, and every
ordinary token is judged ([CLS] and [SEP] are left out: they are never replaced). A draw that hits
the original token counts as original, so the share of replaced tokens, the base rate, is far below
15 % where the generator is good: who always says "original" is right in 1 - base rate of cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.texts.documents import WrittenDocument
from explorer.objectives.detection.replaced_token_detection import ONLY_MASKS, corrupt, draw
from explorer.objectives.masking.masked_language_model import mask_text


@dataclass(frozen=True, slots=True)
class JudgedTokens:
    """Tokens of many documents, one after the other.

    Attributes:
        scores: the discriminator's logits; above zero means replaced. Shape [tokens].
        replaced: what is true, shape [tokens].
    """

    scores: NDArray[np.float64]
    replaced: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Detection:
    """Figures at a threshold of one half, and over all thresholds; each from 0 to 1.

    Attributes:
        tokens: how many were judged.
        base_rate: share of replaced ones.
        accuracy: share judged rightly.
        precision: share of those called replaced that were; 0 where none was called so.
        recall: share of the replaced that were called so.
        area: area under the ROC curve: how often a replaced token scores above an original one.
    """

    tokens: int
    base_rate: float
    accuracy: float
    precision: float
    recall: float
    area: float


def judge(
    generator: Any,
    discriminator: Any,
    tokenizer: Any,
    documents: Sequence[WrittenDocument],
    seed: int,
) -> JudgedTokens:
    """Replace tokens of each document and ask the discriminator."""
    import torch

    special = set(tokenizer.all_special_ids)
    ordinary = np.array([n for n in range(len(tokenizer)) if n not in special])
    source = torch.Generator().manual_seed(seed)
    rng = np.random.default_rng(seed)
    scores: list[NDArray[np.float64]] = []
    replaced: list[NDArray[np.bool_]] = []
    for document in documents:
        tokens = np.array(tokenizer(document.text)["input_ids"], dtype=np.int64)
        allowed = ~np.isin(tokens, list(special))
        masked = mask_text(tokens, allowed, ordinary, tokenizer.mask_token_id, ONLY_MASKS, rng)
        inputs = torch.from_numpy(masked.inputs)[None]
        labels = torch.from_numpy(masked.labels)[None]
        with torch.inference_mode():
            logits = generator(input_ids=inputs).logits
            corrupted = corrupt(inputs, labels, draw(logits[labels >= 0], source))
            found = discriminator(input_ids=corrupted.inputs).logits[0]
        scores.append(found.double().numpy()[allowed])
        replaced.append(corrupted.replaced[0].numpy()[allowed])
    return JudgedTokens(np.concatenate(scores), np.concatenate(replaced))


def summarise(judged: JudgedTokens) -> Detection:
    """The figures.

    Raises:
        ValueError: no token was replaced, or every one.
    """
    truth, said = judged.replaced, judged.scores > 0.0
    if not truth.any() or truth.all():
        raise ValueError("Figures need replaced tokens and original ones.")
    found = int((said & truth).sum())
    return Detection(
        tokens=len(truth),
        base_rate=float(truth.mean()),
        accuracy=float((said == truth).mean()),
        precision=found / max(1, int(said.sum())),
        recall=found / int(truth.sum()),
        area=area_under_curve(judged.scores, truth),
    )


def area_under_curve(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """Area under the ROC curve by ranks (Mann and Whitney 1947); ties count half."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = (last - (counts - 1) / 2.0)[place]
    count = int(positive.sum())
    above = ranks[positive].sum() - count * (count + 1) / 2.0
    return float(above / (count * (len(scores) - count)))


def suspicion(discriminator: Any, tokenizer: Any, text: str) -> list[tuple[str, float]]:
    """Each ordinary token of a text with the probability that it was replaced."""
    import torch

    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        logits = discriminator(
            input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"]
        ).logits[0]
    special = set(tokenizer.all_special_ids)
    return [
        (tokenizer.convert_ids_to_tokens(int(number)), float(chance))
        for number, chance in zip(encoded["input_ids"][0], torch.sigmoid(logits), strict=True)
        if int(number) not in special
    ]
