"""What a family has to say to have its miniature trained and written with its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.learning.recipe import Recipe
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage, write_card
from explorer.world.corpus import CorpusDocument, training_documents


class MiniatureRecipe(Recipe):
    """One family's miniature; its name is that of its folder under resources/models."""

    about: FamilyCard  # what its README says of the family
    # What config.json says otherwise than transformers writes it; None leaves a key out.
    config_changes: Mapping[str, Any] = {}

    def documents(self, count: int) -> Sequence[CorpusDocument]:
        """The first texts that it is trained on; by default the small world's."""
        return training_documents(count)

    @property
    def folder(self) -> str:
        """The folder under resources/models that is written."""
        return self.name

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:  # noqa: ARG002
        """Measurements of the finished model's other heads, a paragraph each."""
        return ()

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well the finished model predicts, in words; by default as one that fills masks."""
        from explorer.pretraining.cards.masked import masked_page

        notes = self.notes(model, tokenizer)
        return masked_page(self.about, model, tokenizer, self.reader(tokenizer), notes)

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
        """The README of the finished miniature.

        Args:
            model: the weights as they were written, ready to predict.
            tokenizer: its tokenizer.
            run: what `publish` knows of the training.
        """
        return write_card(self.about, self.page(model, tokenizer), model, run)

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:
        """What a family does when its miniature has been written to a folder."""
