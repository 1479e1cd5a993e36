"""A file named on the command line in the place of a command: what the window opens.

A desktop starts the program so when a file of its is opened.
"""

import argparse
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from explorer.command_line.options.global_options import add_global_options

_OPENED = (".toml", ".zip", ".plm")
"""Endings of lectures and documents."""


def path_among(
    arguments: Sequence[str], commands: Collection[str]
) -> tuple[Path, argparse.Namespace] | None:
    """The path that stands where a command might, and the options around it.

    A word is a command before it is a path: a folder called ``ask`` is opened as ``./ask``.

    Args:
        arguments: Without the program's name.
        commands: The names of all commands.

    Returns:
        None where there is no path: the whole parser has the word then.

    Raises:
        UserMistake: Nothing is there, or more is named than one path.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_global_options(parser)
    try:
        options, words = parser.parse_known_args(arguments)
    except argparse.ArgumentError:
        return None
    if not words or words[0].startswith("-") or words[0] in commands:
        return None
    if not _looks_like_a_path(words[0]):
        return None
    return _only(words), options


def _looks_like_a_path(word: str) -> bool:
    separators = {os.sep, os.altsep or os.sep}
    named = Path(word).suffix.lower() in _OPENED or not separators.isdisjoint(word)
    return named or ("\0" not in word and os.path.lexists(word))


def _only(words: Sequence[str]) -> Path:
    from explorer.api.question import UserMistake
    from explorer.files.typed_paths import typed_path
    from explorer.text import N_

    path = typed_path(words[0])
    if not path.exists():
        raise UserMistake(
            N_("There is no file {path}."),
            N_("Check the path; plm-explorer --help lists the commands."),
            path=path,
        )
    if words[1:]:
        raise UserMistake(
            N_("{path} is followed by {word}, and one file is opened at a time."),
            N_("Name one file or folder and no command."),
            path=path,
            word=words[1],
        )
    return path.absolute()
