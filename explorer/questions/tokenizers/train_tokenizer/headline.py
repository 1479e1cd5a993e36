"""What to look at first: the tokenizer for which the size of its vocabulary matters most."""

import math

from explorer.api.question import Headline
from explorer.questions.tokenizers.train_tokenizer.options import NAMES
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerResult
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import TrainedVocabulary
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

SMALL = 0.05
"""Pieces a word that size saves without standing out."""
LACKED = 0.01
"""Of pieces that are unknown, the share from which pieces a word mean little: a whole word that
is unknown is one piece."""


def headline(result: TrainTokenizerResult, **_looked_at: object) -> Headline:
    """Pieces a word with the smallest vocabulary and with the largest, of text kept aside."""
    if not result.trained:
        return Headline(NOTHING)
    kept_aside = all(not math.isnan(float(one.fertility[1, -1])) for one in result.trained)
    part = 1 if kept_aside else 0
    poorest = max(result.trained, key=lambda one: float(one.unknown[part, -1]))
    lacked = float(poorest.unknown[part, -1])
    if lacked >= LACKED:
        sentence = Phrase(
            N_(
                "{algorithm} can't spell the text: with all {size} pieces {share} of what it makes "
                "of it is unknown."
            ),
            algorithm=Phrase(NAMES[poorest.algorithm]),
            size=int(poorest.sizes[-1]),
            share=in_percent(lacked),
        )
        return Headline(sentence)
    sized = [one for one in result.trained if len(one.sizes) > 1 and one.unknown[part, 0] < LACKED]
    if not sized:
        return Headline(NOTHING)
    best = max(sized, key=lambda one: _saved(one, part))
    values = {
        "algorithm": Phrase(NAMES[best.algorithm]),
        "few": int(best.sizes[0]),
        "many": int(best.sizes[-1]),
        "before": decimal(float(best.fertility[part, 0]), 2),
        "after": decimal(float(best.fertility[part, -1]), 2),
    }
    if not _saved(best, part) >= SMALL:
        return Headline()
    if kept_aside:
        sentence = Phrase(
            N_(
                "Size matters most to {algorithm}: of text kept aside, it makes {before} "
                "pieces a word with a vocabulary of {few}, and {after} with {many}."
            ),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "Size matters most to {algorithm}: of its own text, it makes {before} pieces a "
                "word with a vocabulary of {few}, and {after} with {many}."
            ),
            **values,
        )
    return Headline(sentence)


def _saved(one: TrainedVocabulary, part: int) -> float:
    return float(one.fertility[part, 0] - one.fertility[part, -1])
