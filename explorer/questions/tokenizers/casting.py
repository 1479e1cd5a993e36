"""Who is asked for a tokenizer where nothing is chosen: the active model, or nobody."""

from collections.abc import Mapping

from explorer.api import MODEL, Cast, ModelCard
from explorer.api.question.roles import Options


def casting(cards: Mapping[str, ModelCard], active: str, _document: Options) -> Cast:
    """The active model where one is loaded: without one, tokenizers are looked up all the same."""
    return {MODEL: active} if active in cards else {}
