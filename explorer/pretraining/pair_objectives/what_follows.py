"""A task of the world for the encoders: which happening follows the last one of a document?

Read by a linear classifier from the mean of the frozen last states, the document read as one text.
What follows is certain by the tables, so that all could be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.linear_reading import ridge_scores
from explorer.objectives.pairs.next_sentence import alone
from explorer.pretraining.pair_objectives.measuring import BATCH, Pairs, laid_out
from explorer.world.corpus import CorpusDocument, sentence_words
from explorer.world.courses.order import Happening, following_of, happening
from explorer.world.courses.tables import TOPICS, happenings

PENALTY: Final = 10.0


@dataclass(frozen=True, slots=True)
class Continuations:
    """Documents that go on, and what happens next in each, as a number of all happenings."""

    texts: Pairs
    following: NDArray[np.int64]


def draw_continuations(tokenizer: Any, documents: Sequence[CorpusDocument]) -> Continuations:
    """Of the documents that do not tell their topic to its end."""
    known = (Happening(topic, n) for topic in TOPICS for n in range(happenings(topic)))
    numbers = {one: n for n, one in enumerate(known)}
    texts, following = [], []
    for document in documents:
        after = following_of(happening(list(sentence_words(document.words))[-1]))
        if after is not None:
            pieces = tokenizer(list(document.sentences), add_special_tokens=False)["input_ids"]
            texts.append(alone(pieces))
            following.append(numbers[after])
    return Continuations(Pairs(texts), np.array(following))


def mean_states(model: Any, tokenizer: Any, texts: Pairs) -> NDArray[np.float64]:
    """The mean of each text's last states, special tokens too, shape [texts, hidden]."""
    import torch

    found = []
    for start in range(0, len(texts.rows), BATCH):
        inputs = laid_out(tokenizer, Pairs(texts.rows[start : start + BATCH]))
        seen = inputs["attention_mask"][..., None]
        with torch.inference_mode():
            states = model.bert(**inputs).last_hidden_state
            found.append(((states * seen).sum(1) / seen.sum(1)).double().numpy())
    return np.concatenate(found)


def accuracy(model: Any, tokenizer: Any, known: Continuations, unseen: Continuations) -> float:
    """Share of the unseen documents whose continuation a ridge regression finds.

    Args:
        model: stays as it is.
        tokenizer: its tokenizer.
        known: what the classifier is fitted to.
        unseen: what it is asked.
    """
    states, others = (mean_states(model, tokenizer, one.texts) for one in (known, unseen))
    classes = np.unique(known.following)
    wanted = (known.following[:, None] == classes).astype(np.float64)
    said = classes[ridge_scores(states, wanted, others, PENALTY).argmax(axis=1)]
    return float((said == unseen.following).mean())
