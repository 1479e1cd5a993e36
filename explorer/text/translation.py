"""Texts of the program in the user's language.

    _("The text is too long.")
    _("{name} can't be read.", name=path.name)
    ngettext("{count} token", "{count} tokens", len(tokens))

A text that is declared at import, before a language is chosen, is only marked with `N_`, and
translated with `_` where it is shown.
"""

import gettext
import re
import sys
from collections.abc import Mapping

from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import written, written_in_english
from explorer.text.korean import CODE as KOREAN
from explorer.text.language import Language, current
from explorer.text.marked import IN_PLUGINS, Owned, owner_of
from explorer.text.message_files import BETWEEN

_PLACE = re.compile(r"\{(\w+)\}")


def _(message: str, /, **places: object) -> str:
    """A text in the user's language, with values in its named places.

    Args:
        message: The English text; whole, with places such as "{name}".
        places: What stands in them; numbers are written as the language has them.
    """
    # The catalogue's own header stands under the empty text.
    if not message:
        return ""
    language = current()
    own = _own(language, message)
    # What a plugin's catalogue lacks the program may have.
    found = message if own is None else own.gettext(message)
    return filled(language.texts.gettext(message) if found == message else found, places)


def ngettext(singular: str, plural: str, count: int, /, **places: object) -> str:
    """The same with a count, which stands in the place "{count}"."""
    language = current()
    own = _own(language, singular)
    found = singular if own is None else own.ngettext(singular, plural, count)
    if found in (singular, plural):
        found = language.texts.ngettext(singular, plural, count)
    return filled(found, {"count": count, **places})


def N_(message: str) -> str:  # noqa: N802  gettext's own name for it
    """Mark a text that `_` translates where it is shown."""
    owner = _caller()
    return Owned(message, owner) if owner else message


def NN_(singular: str, plural: str) -> str:  # noqa: N802  as N_, for `ngettext`
    """Mark a text with a count that a Phrase says."""
    owner, code = _caller(), f"{singular}{BETWEEN}{plural}"
    return Owned(code, owner) if owner else code


def _own(language: Language, text: str) -> gettext.NullTranslations | None:
    """The catalogue of the plugin whose text it is, or whose code asks; None of the program's."""
    if not language.of_plugins:
        return None
    return language.of_plugins.get(owner_of(text) or _caller(3))


def _caller(depth: int = 2) -> str:
    """The plugin whose code calls, by its folder as modules are called; "" of the program's own."""
    module = str(sys._getframe(depth).f_globals.get("__name__", ""))  # noqa: SLF001  there is no other
    if not module.startswith(IN_PLUGINS):
        return ""
    return module.removeprefix(IN_PLUGINS).partition(".")[0]


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
