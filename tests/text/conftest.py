import gettext

import pytest

from explorer.text import language as languages


@pytest.fixture(autouse=True)
def english_again():
    """Leave the language as it was."""
    before = languages.current()
    yield
    languages.use(before)


@pytest.fixture
def speak():
    """Speak a language, with a catalogue made of some translations."""

    def speak(code, **texts):
        languages.use(languages.Language(code, code, Some(texts)))

    return speak


class Some(gettext.NullTranslations):
    def __init__(self, texts):
        super().__init__()
        self._texts = texts

    def gettext(self, message):
        return self._texts.get(message, message)
