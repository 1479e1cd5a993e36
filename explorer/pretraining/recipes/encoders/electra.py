"""ELECTRA in miniature: a generator and a discriminator, trained together.

Clark et al. 2020. The generator is half as wide as the discriminator (the paper's advice is a
quarter to a half) and shares its embeddings, which are as wide as the discriminator; it is thrown
away after training there, and kept here, to be looked at. What differs from the paper's recipe:
sizes, and no dropout, because no text is met often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.learning.batches.losses import encode, replaced_losses, selected_states
from explorer.learning.batches.pairs import PairReading
from explorer.learning.recipe import Schedule
from explorer.objectives.detection.replaced_token_detection import DETECTION_WEIGHT, ONLY_MASKS
from explorer.pretraining.cards.masked import masked_page
from explorer.pretraining.cards.page import FamilyCard, write_card
from explorer.pretraining.cards.replaced_tokens import replaced_token_page
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.pretraining.recipes.encoders import bert
from explorer.world.corpus import CorpusDocument

GENERATOR_WIDTH = 64
# What the name of its folder ends in.
GENERATOR = "-generator"
TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")


class ElectraRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the ELECTRA miniatures.

    Args:
        sharing: how the two share embeddings, a value of `embedding_sharing.Sharing`. The
            miniatures share them outright; the other ways are there to be compared.
    """

    name = "electra-miniature"
    title = "ELECTRA, generator and discriminator"
    # How the embeddings are shared, in the words of the card.
    shared = "the generator's own: tokens, positions, segments, and their norm"
    schedule = Schedule(
        steps=6600,
        examples=32,
        documents=160_000,
        # At 2e-3 the discriminator falls back to the base rate and stays there.
        peak_rate=1e-3,
        # The second cycle is for the generator, which learns slowly beside a loss of 50 times.
        restarts=((3600, 7e-4),),
    )
    # Mostly single texts: nothing is asked about pairs, but their segments are trained.
    reading = PairReading(pairs=0.2, length=bert.LENGTH, masking=ONLY_MASKS)

    def __init__(self, sharing: str = "shared") -> None:
        self.sharing = sharing

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """BERT's, from the same texts: the same vocabulary."""
        return bert.RECIPE.make_tokenizer(documents)

    def make_model(self, tokenizer: Any) -> Any:
        """Both halves in one module, ``generator`` and ``discriminator``."""
        from torch import nn
        from transformers import ElectraConfig, ElectraForMaskedLM, ElectraForPreTraining

        from explorer.objectives.detection.embedding_sharing import Sharing, share

        def config(width: int) -> Any:
            return ElectraConfig(
                vocab_size=len(tokenizer),
                embedding_size=bert.WIDTH,
                hidden_size=width,
                num_hidden_layers=bert.LAYERS,
                num_attention_heads=bert.HEADS,
                intermediate_size=4 * width,
                max_position_embeddings=bert.LENGTH,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
                initializer_range=0.05,
                pad_token_id=tokenizer.pad_token_id,
            )

        generator = ElectraForMaskedLM(config(GENERATOR_WIDTH))
        discriminator = ElectraForPreTraining(config(bert.WIDTH))
        sharing = Sharing(self.sharing)
        if sharing is Sharing.SHARED:
            # Token, position and segment embeddings and their norm, as in the authors' code.
            generator.electra.embeddings = discriminator.electra.embeddings
            generator.tie_weights()
        else:
            for name in TABLES:
                one, other = generator.electra.embeddings, discriminator.electra.embeddings
                share(one, other, name, sharing)
        return nn.ModuleDict({"generator": generator, "discriminator": discriminator})

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The generator's loss and the weighted sum that is trained, in nats."""
        scores = self.generated(model["generator"], batch)
        return replaced_losses(
            scores,
            lambda tokens: self.judged(model["discriminator"], tokens, batch),
            batch,
            DETECTION_WEIGHT,
        )

    def generated(self, generator: Any, batch: Mapping[str, Any]) -> Any:
        """The generator's logits at the selected tokens, shape [selected, vocabulary]."""
        states = selected_states(encode(generator, batch).last_hidden_state, batch)
        return generator.generator_lm_head(generator.generator_predictions(states))

    def judged(self, discriminator: Any, tokens: Any, batch: Mapping[str, Any]) -> Any:
        """The discriminator's logits of tokens with some replaced, shape [batch, length]."""
        rest = {name: batch[name] for name in ("attention_mask", "token_type_ids")}
        return discriminator(tokens, **rest).logits

    def parts(self, model: Any) -> dict[str, Any]:
        """Two checkpoints, as ELECTRA is published."""
        return {GENERATOR: model["generator"], "-discriminator": model["discriminator"]}

    def half(self, part: str) -> FamilyCard:
        """What is said of the generator or the discriminator."""
        own = "ElectraForMaskedLM" if part == GENERATOR else "ElectraForPreTraining"
        return FamilyCard(
            recipe="electra",
            family="ELECTRA's generator" if part == GENERATOR else "ELECTRA",
            tokenizer="WordPiece, uncased, the same as bert-miniature's",
            loads_with=f"`AutoTokenizer` and `{own}`",
            rows=(
                ("Masked language model", "15 %, all of them [MASK], drawn anew each time"),
                ("Trained with", "electra-miniature-discriminator, whose embeddings it shares"),
            ),
        )

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
        """The README of either half."""
        about = self.half(run["part"])
        generator = run["parts"][GENERATOR]
        if run["part"] == GENERATOR:
            page = masked_page(about, model, tokenizer, self.reader(tokenizer))
        else:
            page = replaced_token_page(
                self.name + GENERATOR,
                generator,
                model,
                tokenizer,
                self.shared,
                DETECTION_WEIGHT,
            )
        return write_card(about, page, model, run)


RECIPE = ElectraRecipe()
