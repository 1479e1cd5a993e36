"""Names of scripts as the language in use has them: "Latin", "로마자"."""

from functools import cache

from explorer.text.language import current


def named(script: str) -> str:
    """A script's name.

    Args:
        script: As Unicode's property has it: "Latin", "Old_Italic".
    """
    english = script.replace("_", " ")
    return english if current().is_source else _named(script, current().locale) or english


@cache
def _named(script: str, locale: str) -> str | None:
    # Both bring large tables, which an English window never needs.
    from babel import Locale
    from fontTools.unicodedata import script_code

    code = script_code(script, default="")
    return Locale.parse(locale).scripts.get(code) if code else None
