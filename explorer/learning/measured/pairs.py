"""Two texts that a head tells of: does the second follow, or do they stand in their order?

Pairs are drawn as in training, of texts that nobody is trained on. Who knows the grammar knows how
probable each answer is (`explorer.world.exact.pairs`), and that is what a head is measured against:
its cross-entropy under the exact answer, and how often its likelier answer is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.measured.floors import Report, standard_error
from explorer.learning.texts.training_text import HeldOutText, LearningText
from explorer.objectives.pairs.next_sentence import SentencePair, draw_pair, lay_out
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.world.corpus import sentence_words
from explorer.world.exact.pairs import follows, in_order
from explorer.world.exact.truth import Truth

Numbered = list[list[int]]
HEADS: Final = ("seq_relationship_logits", "sop_logits")
"""What transformers' classes call a head's answer."""


@dataclass(frozen=True, slots=True)
class EvaluatedPair:
    """A pair, and how probable it is that its texts stand as they stood.

    Attributes:
        pair: In token numbers.
        exact: Probability of label 0: the second follows, or both are in order.
    """

    pair: SentencePair
    exact: float

    @property
    def pieces(self) -> int:
        """Of both texts."""
        return len(self.pair.first) + len(self.pair.second)

    @property
    def entropy(self) -> float:
        """H(p) in nats."""
        shares = (self.exact, 1.0 - self.exact)
        return -math.fsum(p * math.log(p) for p in shares if p > 0.0)


PAIRS: Final = 80
"""Pairs that a head is asked about."""
SEED: Final = 3


def held_out_pairs(
    text: LearningText, tokenizer: Any, *, ordered: bool, count: int = PAIRS
) -> list[EvaluatedPair]:
    """Pairs of a text that nobody is trained on; the same arguments give the same ones.

    Returns:
        None of a text whose grammar nobody knows.
    """
    truth = text.truth(tokenizer.tokenize)
    if truth is None:
        return []
    return draw_pairs(truth, tokenizer, text.held_out(count), SEED, ordered=ordered)


def draw_pairs(
    truth: Truth, tokenizer: Any, texts: Sequence[HeldOutText], seed: int, *, ordered: bool
) -> list[EvaluatedPair]:
    """One pair of each text of two sentences or more.

    Args:
        truth: Of the texts' world, in the tokenizer's pieces.
        tokenizer: Cuts the texts.
        texts: Texts that nobody is trained on.
        seed: Of cuts, of other texts and of which stay.
        ordered: The question is that of order; else that of the next sentence.
    """
    rng = np.random.default_rng(seed)
    numbered = [_numbered(tokenizer, text) for text in texts]
    found: list[EvaluatedPair] = []
    for sentences in numbered:
        if len(sentences) < 2:
            continue
        other = numbered[int(rng.integers(len(numbered)))]
        drawn = draw_ordered_pair(sentences, rng) if ordered else draw_pair(sentences, other, rng)
        first, second = (
            tokenizer.convert_ids_to_tokens(list(side)) for side in (drawn.first, drawn.second)
        )
        exact = (in_order if ordered else follows)(truth, first, second).probability
        if exact is not None:
            found.append(EvaluatedPair(drawn, exact))
    return found


def _numbered(tokenizer: Any, text: HeldOutText) -> Numbered:
    return [
        tokenizer.convert_tokens_to_ids(
            [piece for word in one for piece in tokenizer.tokenize(word)]
        )
        for one in sentence_words(text.words)
    ]


def pair_report(model: Any, tokenizer: Any, pairs: Sequence[EvaluatedPair]) -> Report:
    """The head beside who knows the grammar; nats and shares a pair."""
    import torch

    losses, right = [], []
    for one in pairs:
        laid = lay_out(one.pair, tokenizer.cls_token_id, tokenizer.sep_token_id)
        with torch.inference_mode():
            output = model(
                input_ids=torch.from_numpy(laid.tokens)[None],
                token_type_ids=torch.from_numpy(laid.segments)[None],
            )
        logits = next(output[name] for name in HEADS if name in output)
        logs = torch.log_softmax(logits[0].double(), dim=-1).tolist()
        losses.append(-(one.exact * logs[0] + (1.0 - one.exact) * logs[1]))
        right.append(one.exact if logs[0] >= logs[1] else 1.0 - one.exact)
    floors = [one.entropy for one in pairs]
    return Report(
        places=len(pairs),
        loss=math.fsum(losses) / len(pairs),
        floor=math.fsum(floors) / len(pairs),
        accuracy=math.fsum(right) / len(pairs),
        best_accuracy=math.fsum(max(one.exact, 1.0 - one.exact) for one in pairs) / len(pairs),
        loss_error=standard_error(losses),
        excess_error=standard_error(np.subtract(losses, floors)),
    )
