"""Texts of the program in the user's language.

    _("The text is too long.")
    _("{name} can't be read.", name=path.name)
    ngettext("{count} token", "{count} tokens", len(tokens))

A text that is declared at import, before a language is chosen, is only marked with `N_`, and
translated with `_` where it is shown.
"""

import re
from collections.abc import Mapping

from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import written, written_in_english
from explorer.text.korean import CODE as KOREAN
from explorer.text.language import current
from explorer.text.messages import BETWEEN

_PLACE = re.compile(r"\{(\w+)\}")


def _(message: str, /, **places: object) -> str:
    """A text in the user's language, with values in its named places.

    Args:
        message: The English text; whole, with places such as "{name}".
        places: What stands in them; numbers are written as the language has them.
    """
    # The catalogue's own header stands under the empty text.
    return filled(current().texts.gettext(message), places) if message else ""


def ngettext(singular: str, plural: str, count: int, /, **places: object) -> str:
    """The same with a count, which stands in the place "{count}"."""
    return filled(current().texts.ngettext(singular, plural, count), {"count": count, **places})


def N_(message: str) -> str:  # noqa: N802  gettext's own name for it
    """Mark a text that `_` translates where it is shown."""
    return message


def NN_(singular: str, plural: str) -> str:  # noqa: N802  as N_, for `ngettext`
    """Mark a text with a count that a Phrase says."""
    return f"{singular}{BETWEEN}{plural}"


def in_english(message: str, places: Mapping[str, object]) -> str:
    """A text as it stands in the code, for what programs read."""
    return _filled(message, {name: written_in_english(value) for name, value in places.items()})


def filled(text: str, places: Mapping[str, object]) -> str:
    """A text with values in its places; a place that nothing is known of stays as it is."""
    told = {name: isolated(written(value)) for name, value in places.items()}
    if told and current().code == KOREAN:
        # No other language waits for it at a start.
        from explorer.text.korean import particles

        text = particles.with_particles(text, told)
    return _filled(text, told)


def _filled(text: str, places: Mapping[str, str]) -> str:
    # Not str.format: what a translator wrote must neither raise an error nor reach into objects.
    return _PLACE.sub(lambda place: places.get(place[1], place[0]), text) if places else text
