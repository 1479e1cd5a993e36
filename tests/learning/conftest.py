import pytest

from explorer.learning.texts import worlds
from tests.small_recipe import _one_thread, quiet_loading, small_recipe, texts, tokenizer  # noqa: F401


@pytest.fixture(scope="session", autouse=True)
def _little_text_for_vocabularies():
    """Vocabularies of tests are made of few documents: each run trains one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worlds, "READ", 400)
        yield
