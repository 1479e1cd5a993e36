"""Languages that tests speak."""

import gettext

from explorer.text import language as languages
from explorer.text.pseudo import PseudoTranslations


class Some(gettext.NullTranslations):
    """A catalogue of some texts."""

    def __init__(self, texts):
        super().__init__()
        self._texts = texts

    def gettext(self, message):
        return self._texts.get(message, message)

    def ngettext(self, msgid1, msgid2, n):
        return self.gettext(msgid1 if n == 1 else msgid2)


def use(code, **texts):
    """Speak a language; en_XA has every text, others those that are given."""
    found = PseudoTranslations() if code == languages.PSEUDO else Some(texts)
    languages.use(languages.Language(code, code, found))
