"""How well a model labels the words of unseen documents, beside what could be known at best.

Every document has a sentence that is in no training text. A word has the label of its first piece.
The ceiling is exact: the inside algorithm says how probable each label is for one who knows the
text and the grammar (`explorer.world.labelling.tags`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.learning.batches.labels import read
from explorer.numerics.evaluation.label_ranges import Labels, range_f1
from explorer.world.corpus import CorpusDocument, held_out_documents
from explorer.world.labelling.tags import KINDS, OUTSIDE, TAGGED, TagReader, tags


@dataclass(frozen=True, slots=True)
class LabelScores:
    """Each from 0 to 1.

    Attributes:
        accuracy: share of the words whose label is right.
        f1: of whole ranges with their kind (Tjong Kim Sang and De Meulder 2003), over all kinds.
        kinds: the same of one kind each.
        whole: share of the documents of which every label is right.
    """

    accuracy: float
    f1: float
    kinds: dict[str, float]
    whole: float


def unseen_documents(count: int) -> list[CorpusDocument]:
    """Documents with a withheld sentence whose labels are all known."""
    # Some are about what has no labels.
    return [one for one in held_out_documents(count * 5 // 4) if one.kind in TAGGED][:count]


def label(model: Any, tokenizer: Any, document: CorpusDocument) -> Labels:
    """What a model says of each word."""
    import torch

    row = read(tokenizer, [document], tokenizer.model_max_length)
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([row.tokens])).logits[0]
    said: dict[int, str] = {}
    for word, number in zip(row.words, logits.argmax(-1).tolist(), strict=True):
        if word is not None:
            said.setdefault(word, model.config.id2label[number])
    return tuple(said[word] for word in range(len(document.words)))


def usual_labels(documents: Sequence[CorpusDocument]) -> dict[str, str]:
    """The label that each word has most often: what is known without a look around it."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for word, tag in zip(document.words, tags(document), strict=True):
            counted[word][tag] += 1
    return {word: found.most_common(1)[0][0] for word, found in counted.items()}


def compare(documents: Sequence[CorpusDocument], said: Sequence[Labels]) -> LabelScores:
    """What was said with what is right."""
    right = [tags(document) for document in documents]
    words = [
        one == other
        for ours, theirs in zip(right, said, strict=True)
        for one, other in zip(ours, theirs, strict=True)
    ]
    kinds = {
        kind: range_f1([_kept(one, kind) for one in right], [_kept(one, kind) for one in said])
        for kind in KINDS
    }
    whole = [ours == theirs for ours, theirs in zip(right, said, strict=True)]
    accuracy, f1 = sum(words) / len(words), range_f1(right, said)
    return LabelScores(accuracy, f1, kinds, sum(whole) / len(whole))


def best_possible(documents: Sequence[CorpusDocument]) -> float:
    """The greatest accuracy that anyone can expect who knows the text and the grammar."""
    reader = TagReader()
    likeliest = [one for document in documents for one in reader.certainty(document)]
    return math.fsum(likeliest) / len(likeliest)


def _kept(labels: Labels, kind: str) -> Labels:
    return tuple(one if one.endswith(f"-{kind}") else OUTSIDE for one in labels)
