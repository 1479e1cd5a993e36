"""A vocabulary that is asked of the bundled checkpoints, with a folder for its table."""

import pytest

from explorer.api.question import Context
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.questions.tokenizers.vocabulary.question import VocabularyRequest
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    host = tiny.families()
    shelf = CatalogueShelf(host, Catalogue(host, MODELS))
    return Context(shelf=shelf, cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def ask(context):
    """Of a tokenizer alone, or with `loaded` of a model."""

    def run(name="bert-miniature", *, loaded=False, **fields):
        if loaded:
            return tiny.ask(miniature(name), VocabularyRequest(**fields), context)
        return tiny.ask(None, VocabularyRequest(name, **fields), context)

    return run
