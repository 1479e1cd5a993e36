"""The whole examples of docs/plugins.md as folders under names of one's own, to begin with."""

import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.api.family import UserMistake
from explorer.engine.plugins.first_family import of_type
from explorer.files.typed_paths import free_folder, unwritable
from explorer.paths import own_docs
from explorer.text import N_

BLOCK = re.compile(r"^```\w+\n# ([^\s/]+)/(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file as the page shows it: its plugin, its place in that, and what it holds."""


@dataclass(frozen=True)
class PluginExample:
    """A plugin of the page.

    Attributes:
        plugin: Its id there.
        said: From a name to what stands for each of its own names.
        allowed: Names that it may have.
        hint: Which these are, in a sentence.
    """

    plugin: str
    said: Callable[[str], Mapping[str, str]]
    allowed: re.Pattern[str]
    hint: str


def _names_of_question(name: str) -> Mapping[str, str]:
    words = name.split("_")
    title = " ".join(words).capitalize()
    return {
        "expected_length": name,
        "ExpectedLength": "".join(map(str.capitalize, words)),
        'title="Expected length"': f'title="{title}"',
        'title = "Word lengths"': f'title = "{title}"',
    }


EXAMPLES: Mapping[str, PluginExample] = {
    "family": PluginExample(
        "my-xlmr",
        lambda _name: {},
        re.compile(r"[a-z][a-z0-9_-]*"),
        N_("Begin with a small letter; such letters, digits, hyphens and underscores may follow."),
    ),
    "question": PluginExample(
        "word-lengths",
        _names_of_question,
        re.compile(r"[a-z][a-z0-9_]*"),
        N_("Begin with a small letter; such letters, digits and underscores may follow."),
    ),
}
"""By what they are an example of."""


def files_of(kind: str, name: str) -> Mapping[str, str]:
    """What an example's files hold, by their places in its folder.

    Args:
        kind: One of EXAMPLES.
        name: What it is to be called.

    Raises:
        UserMistake: Nothing can be called so.
    """
    example = EXAMPLES[kind]
    if not example.allowed.fullmatch(name) or keyword.iskeyword(name):
        raise UserMistake(N_("A plugin can't be called {name}."), example.hint, name=repr(name))
    said = {example.plugin: name, **example.said(name)}
    one_of_them = re.compile("|".join(map(re.escape, said)))

    def renamed(text: str) -> str:
        return one_of_them.sub(lambda found: said[found[0]], text)

    page = (own_docs() / "plugins.md").read_text("utf-8")
    return {
        renamed(place): renamed(content)
        for plugin, place, content in BLOCK.findall(page)
        if plugin == example.plugin
    }


def write_example(
    kind: str, name: str, into: Path, model_type: str | None = None
) -> tuple[Path, ...]:
    """Write an example into a folder of its name; returns its files.

    Args:
        kind: One of EXAMPLES.
        name: What it is to be called.
        into: Where its folder is made.
        model_type: Of a family the kind of model, as in config.json; None where it is its name.

    Raises:
        UserMistake: Nothing can be called so, there is something of that name, or no such model.
        MachineFault: A file can't be written.
    """
    files = files_of(kind, name)
    folder = free_folder(into / name)
    if kind == "family":
        files = of_type(model_type or name, files)
    written = []
    for place, content in files.items():
        path = folder / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            raise unwritable(path, error) from error
        written.append(path)
    return tuple(written)
