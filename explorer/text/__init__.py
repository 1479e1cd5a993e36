"""Words for people, free of Qt: translated texts, numbers, dates, durations.

How a text is written is told in docs/texts.md.
"""

from explorer.text.lists import all_of
from explorer.text.phrase import Phrase, said, verbatim
from explorer.text.translation import N_, NN_, _, ngettext

__all__ = ["NN_", "N_", "Phrase", "_", "all_of", "ngettext", "said", "verbatim"]
