"""What columns are called where they are read; in files and to scripts they keep their names."""

from collections.abc import Mapping

from explorer.text import Phrase

ANYTHING = "*"


def titled(name: str, titles: Mapping[str, str]) -> Phrase:
    """The title of a column, in any language.

    Args:
        name: The column's.
        titles: Marked for translation, by name. A name with a `*` stands for all that have
            something else there, which the title has as {which}: "mask *" for "mask 1".

    Returns:
        The title; the name itself, where it has none.
    """
    if name in titles:
        return Phrase(titles[name])
    for known, title in titles.items():
        before, found, after = known.partition(ANYTHING)
        which = name.removeprefix(before).removesuffix(after)
        if found and which and name == f"{before}{which}{after}":
            return Phrase(title, which=which) if "{which}" in title else Phrase(title)
    return Phrase("{name}", name=name)
