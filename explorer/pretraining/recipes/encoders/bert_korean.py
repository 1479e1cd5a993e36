"""BERT in miniature, in Korean: masked words and the next sentence, as in Devlin et al. 2019.

The text is that of `explorer.world.korean.grammar`. Pieces are syllables and what they are joined
to: Hangul is not cut into its letters, and keeps its marks.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.losses import pair_losses, pair_scores
from explorer.learning.batches.pairs import PairReading
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.masked import DYNAMIC_ROW, PAIRS_ROW
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.pretraining.recipes.encoders.bert import sizes
from explorer.world.corpus import CorpusDocument

VOCABULARY: Final = 1800
LENGTH: Final = 96
LAYERS: Final = 3
WIDTH: Final = 96
SECOND: Final = 5000
"""The step from which most texts are read whole: which words fit a verdict takes longest to learn,
and half of all pairs are of two texts."""
PAIRS_THEN: Final = 0.15


class ReadOtherwise(TrainingBatches):
    """Batches of the same texts that are read in another way from a step on.

    Args:
        before: until the step.
        after: from it on.
        step: which one.
    """

    def __init__(self, before: TrainingBatches, after: TrainingBatches, step: int) -> None:
        self.before, self.after, self.step = before, after, step

    def batch(self, step: int) -> Mapping[str, Any]:
        """The tensors of a step."""
        return (self.before if step < self.step else self.after).batch(step)


class BertKoreanRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the Korean BERT miniature."""

    name = "bert-korean-miniature"
    title = "BERT, Korean"
    about = FamilyCard(
        recipe="bert-korean",
        family="BERT",
        tokenizer="WordPiece of Hangul's syllables, uncased",
        loads_with="`AutoTokenizer`, `BertForMaskedLM` and `BertForPreTraining`",
        rows=(
            DYNAMIC_ROW,
            PAIRS_ROW,
            ("Second cycle", f"from step {SECOND:,} on, with fewer pairs"),
        ),
    )
    schedule = Schedule(
        steps=9000,
        examples=48,
        documents=80_000,
        peak_rate=2e-3,
        restarts=((SECOND, 1.5e-3),),
    )
    reading = PairReading(length=LENGTH)

    def documents(self, count: int) -> Sequence[CorpusDocument]:
        """Of the Korean grammar."""
        from explorer.learning.texts.worlds import KoreanWorldText

        text = KoreanWorldText()
        return list(itertools.islice(text.drawn(text.seed), count))

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """WordPiece whose letters are the syllables of the text."""
        from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer, train_wordpiece

        texts = [document.text for document in documents]
        syllables = sorted({sign for text in texts for sign in text if "가" <= sign <= "힣"})
        made = train_wordpiece(texts, VOCABULARY, strip_accents=False, letters=syllables)
        return pretrained_tokenizer(made, LENGTH, strip_accents=False)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Pairs and single texts; later more single texts."""
        before = self.batches(tokenizer, documents, self.schedule.examples, seed, self.reading)
        after = copy.copy(before)
        after.reading = replace(self.reading, pairs=PAIRS_THEN)
        return ReadOtherwise(before, after, SECOND)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with both of BERT's heads."""
        from transformers import BertConfig, BertForPreTraining

        own = {
            "num_hidden_layers": LAYERS,
            "hidden_size": WIDTH,
            "intermediate_size": 4 * WIDTH,
            "max_position_embeddings": LENGTH,
        }
        return BertForPreTraining(BertConfig(**(sizes(tokenizer) | own)))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both heads'."""
        return pair_losses(*pair_scores(model, batch), batch)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it predicts in Korean."""
        from explorer.pretraining.cards.korean import korean_page

        return korean_page(self.about, model, tokenizer)


RECIPE = BertKoreanRecipe()
