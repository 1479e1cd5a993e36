"""Which language a text is in, as far as XLM has to be told."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from explorer.api.family import UserMistake
from explorer.text import N_

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "HANGUL": ("ko",),
    "HIRAGANA": ("ja",),
    "KATAKANA": ("ja",),
    "CJK": ("zh",),
    "THAI": ("th",),
    "ARABIC": ("ar", "ur", "fa"),
    "HEBREW": ("he", "yi"),
    "GREEK": ("el",),
    "CYRILLIC": ("ru", "bg", "uk"),
    "DEVANAGARI": ("hi", "mr", "ne"),
}
"""Beginnings of characters' Unicode names, and the languages tried for them, best known first."""


def languages_of(
    texts: Sequence[str], known: Mapping[str, int], default: int, asked: Sequence[str] = ()
) -> tuple[str, ...]:
    """The language of each text, as a code that the checkpoint knows.

    What the user asked for counts first, then the script the text is written in, then English
    (or the checkpoint's own default where it has no English). The second of two texts is in the
    other language where the checkpoint knows just two.

    Args:
        texts: One or two.
        known: Codes and their numbers, config.json's lang2id.
        default: The checkpoint's lang_id.
        asked: A code for each text; missing or empty where the user did not say.

    Raises:
        UserMistake: The checkpoint does not know a language that was asked for.
    """
    names = {number: code for code, number in known.items()}
    usual = "en" if "en" in known or not known else names.get(default, min(known))
    chosen: list[str] = []
    for i, text in enumerate(texts):
        wanted = asked[i] if i < len(asked) else ""
        if wanted and wanted not in known:
            shown = ", ".join(sorted(known)) or "none it was told apart by"
            raise UserMistake(
                N_('This checkpoint does not know the language "{wanted}".'),
                N_("It knows {shown}."),
                wanted=wanted,
                shown=shown,
            )
        by_script = next((code for code in _by_script(text) if code in known), "")
        code = wanted or by_script or usual
        others = [one for one in known if one != chosen[0]] if chosen else []
        if i == 1 and not wanted and not by_script and len(others) == 1 == len(known) - 1:
            code = others[0]
        chosen.append(code)
    return tuple(chosen)


def _by_script(text: str) -> tuple[str, ...]:
    """Languages written in the script that most of a text's letters have."""
    counts: Counter[str] = Counter()
    for character in text:
        if character.isalpha():
            name = unicodedata.name(character, "")
            counts[next((s for s in SCRIPTS if name.startswith(s)), "")] += 1
    if counts["HIRAGANA"] or counts["KATAKANA"]:
        return SCRIPTS["HIRAGANA"]
    most = counts.most_common(1)
    return SCRIPTS.get(most[0][0], ()) if most else ()
