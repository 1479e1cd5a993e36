"""What a discriminator could know at best: how probable is it that a piece was replaced (ELECTRA)?

Of a text t of the grammar some pieces are hidden, the same number of every text of a length and
all choices M of them alike, and a generator puts draws in their places. It sees t without M, which
is what is seen of x, so the chance of its draws g(M, j, x_j) can be asked. What stood at a place i
of M is, given the rest, drawn as the grammar has it, p(M, i), and apart from what was put there. So
for who sees x, knows the grammar and knows the generator

    w(M) = P(a text agrees with x outside M) * product over j in M of g(M, j, x_j)
    P(i was replaced | x) = sum over M with i of w(M) (1 - p(M, i, x_i)) / sum over M of w(M),

which is exact: a sum over every choice that the text allows. It is what a discriminator's loss is
measured against. As the generator gets better, draws look more like the text, and this best answer
gets less certain: the floor rises.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.measured.floors import Floats, Report, standard_error
from explorer.learning.measured.places import MASKED
from explorer.learning.texts.training_text import HeldOutText
from explorer.world.exact.inside import ExactReader, Pattern

Drawn = Callable[[Sequence[Pattern]], Floats]
"""From patterns to a generator's probabilities, shape [patterns, pieces, vocabulary]."""
LONGEST: Final = 16
"""Pieces of a text that is asked: of a longer one three are hidden, and there are too many ways."""


@dataclass(frozen=True, slots=True)
class ReplacedText:
    """A text with a generator's draws in it.

    Attributes:
        pieces: As a discriminator sees them.
        replaced: Which of them are others than stood there.
        chances: How probable that is for who knows the grammar and the generator.
    """

    pieces: tuple[str, ...]
    replaced: tuple[bool, ...]
    chances: tuple[float, ...]


def chances_replaced(
    reader: ExactReader,
    pieces: Sequence[str],
    hidden: int,
    drawn: Drawn,
    number: Callable[[str], int],
) -> tuple[float, ...]:
    """How probable it is of each piece that a generator put it there in place of another one.

    Args:
        reader: Of the grammar, in the model's pieces.
        pieces: A text with draws in it.
        hidden: How many pieces were hidden.
        drawn: What the generator says.
        number: The place of a piece in the vocabulary.

    Raises:
        ValueError: No text of the grammar can have become this one.
    """
    ways: list[tuple[int, ...]] = []
    patterns: list[Pattern] = []
    seen: list[float] = []
    for way in itertools.combinations(range(len(pieces)), hidden):
        pattern: Pattern = [None if at in way else piece for at, piece in enumerate(pieces)]
        probability = reader.probability(pattern)
        if probability:
            ways.append(way)
            patterns.append(pattern)
            seen.append(probability)
    if not ways:
        raise ValueError("No text of the grammar can have become this one.")
    said = drawn(patterns)
    total, replaced = 0.0, [0.0] * len(pieces)
    for way, pattern, probability, row in zip(ways, patterns, seen, said, strict=True):
        weight = probability * math.prod(float(row[at, number(pieces[at])]) for at in way)
        total += weight
        for at in way:
            replaced[at] += weight * (1.0 - reader.posterior(pattern, at).get(pieces[at], 0.0))
    return tuple(min(1.0, one / total) for one in replaced)


def generator_draws(generator: Any, tokenizer: Any) -> Drawn:
    """A transformers generator as `chances_replaced` asks it."""
    import torch

    def drawn(patterns: Sequence[Pattern]) -> Floats:
        rows = [
            [tokenizer.mask_token if piece is None else piece for piece in pattern]
            for pattern in patterns
        ]
        inputs = [
            [
                tokenizer.cls_token_id,
                *tokenizer.convert_tokens_to_ids(row),
                tokenizer.sep_token_id,
            ]
            for row in rows
        ]
        with torch.inference_mode():
            logits = generator(input_ids=torch.tensor(inputs)).logits[:, 1:-1]
        found: Floats = logits.double().softmax(dim=-1).numpy()
        return found

    return drawn


def replace(
    generator: Any,
    tokenizer: Any,
    reader: ExactReader,
    texts: Sequence[HeldOutText],
    seed: int,
    count: int,
) -> list[ReplacedText]:
    """Put a generator's draws into the first texts that are short enough.

    Args:
        generator: A transformers model; its draws are those of its softmax.
        tokenizer: The models' own.
        reader: Of the grammar, in its pieces.
        texts: Texts that nobody is trained on.
        seed: Of masks and draws.
        count: How many texts; each takes some tenths of a second.
    """
    rng = random.Random(seed)  # noqa: S311
    drawn = generator_draws(generator, tokenizer)
    vocabulary = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    found: list[ReplacedText] = []
    for text in texts:
        if len(found) == count:
            break
        pieces = [piece for word in text.words for piece in reader.split(word)]
        if len(pieces) > LONGEST:
            continue
        hidden = max(1, round(MASKED * len(pieces)))
        way = sorted(rng.sample(range(len(pieces)), hidden))
        pattern = [None if at in way else piece for at, piece in enumerate(pieces)]
        said = drawn([pattern])[0]
        shown = list(pieces)
        for at in way:
            (number,) = rng.choices(range(len(vocabulary)), weights=said[at].tolist())
            shown[at] = vocabulary[number]
        chances = chances_replaced(reader, shown, hidden, drawn, tokenizer.convert_tokens_to_ids)
        replaced = tuple(one != other for one, other in zip(pieces, shown, strict=True))
        found.append(ReplacedText(tuple(shown), replaced, chances))
    return found


def detection_report(discriminator: Any, tokenizer: Any, texts: Sequence[ReplacedText]) -> Report:
    """A discriminator beside who knows the grammar and the generator; nats and shares a piece.

    Its logits are above zero where it says that a piece was replaced.
    """
    import torch

    losses, floors, right, best, by_text = [], [], [], [], []
    for text in texts:
        numbers = tokenizer.convert_tokens_to_ids(list(text.pieces))
        inputs = [[tokenizer.cls_token_id, *numbers, tokenizer.sep_token_id]]
        with torch.inference_mode():
            logits = discriminator(input_ids=torch.tensor(inputs)).logits[0, 1:-1].double().numpy()
        p = np.array(text.chances)
        # Softplus is the loss of either answer, and finite for any logit.
        own = p * np.logaddexp(0.0, -logits) + (1.0 - p) * np.logaddexp(0.0, logits)
        both = np.stack([p, 1.0 - p])
        floor = -np.sum(both * np.log(np.where(both > 0.0, both, 1.0)), axis=0)
        losses += own.tolist()
        floors += floor.tolist()
        right += np.where(logits > 0.0, p, 1.0 - p).tolist()
        best += np.maximum(p, 1.0 - p).tolist()
        by_text.append((float(own.mean()), float((own - floor).mean())))
    count = len(losses)
    return Report(
        places=count,
        loss=math.fsum(losses) / count,
        floor=math.fsum(floors) / count,
        accuracy=math.fsum(right) / count,
        best_accuracy=math.fsum(best) / count,
        # Pieces of one text say much the same.
        loss_error=standard_error([loss for loss, _ in by_text]),
        excess_error=standard_error([excess for _, excess in by_text]),
    )
