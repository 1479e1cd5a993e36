"""Whose tokenizer it is where nothing is chosen: the active model's, or that of a miniature."""

from collections.abc import Mapping

from explorer.api.question import MODEL, ModelCard
from explorer.api.question.roles import Options, RoleBinding

FIRST = "bert-miniature"
"""Whose tokenizer is looked into while no model is loaded and none is chosen."""


def casting(cards: Mapping[str, ModelCard], active: str, _document: Options) -> RoleBinding:
    """The active model where one is loaded: without one, tokenizers are looked up all the same."""
    return {MODEL: active} if active in cards else {}
