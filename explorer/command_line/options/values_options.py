"""Values of models as options: which are written, and into which file."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.api.question import UserMistake
from explorer.document import Document
from explorer.headless import AnsweredRun, LoadedModels
from explorer.text import N_, _
from explorer.values import KINDS

if TYPE_CHECKING:
    from explorer.values.written import ValuesFile

WriteValues = Callable[[LoadedModels, AnsweredRun], None]


def add_values_options(parser: argparse.ArgumentParser) -> None:
    """Declare them."""
    parser.add_argument(
        "--values",
        type=Path,
        metavar="FILE",
        help=_(
            "also write what the models have inside for the text, as float32: hidden states, "
            "logits, attention, queries, keys (.npz, .safetensors or .parquet)"
        ),
    )
    parser.add_argument(
        "--value",
        type=_kinds,
        default=KINDS,
        metavar="V,V",
        help=_("which of these: {kinds} (default: all)", kinds=", ".join(KINDS)),
    )


def _kinds(words: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(one.strip() for one in words.split(",") if one.strip()))
    for one in found:
        if one not in KINDS:
            raise argparse.ArgumentTypeError(
                _("{words} is none of {map}", words=repr(one), map=", ".join(KINDS))
            )
    return found or KINDS


def checked_values_path(args: argparse.Namespace) -> Path | None:
    """The file that was named; told of before anything is asked where it can't be written.

    Raises:
        UserMistake: Its ending is of no kind of values.
        MachineFault: It can't be written.
    """
    path: Path | None = getattr(args, "values", None)
    if path is not None:
        from explorer.sessions.schema.atomic import refuse_unwritable
        from explorer.values.written import check_values_file

        check_values_file(path)
        refuse_unwritable(path)
    return path


def values_writer(args: argparse.Namespace) -> WriteValues | None:
    """What writes the values of an answer's models, where that is asked for.

    Raises:
        UserMistake: As `checked_values_path`.
        MachineFault: As `checked_values_path`.
    """
    path = checked_values_path(args)
    if path is None:
        return None

    def write(models: LoadedModels, answered: AnsweredRun) -> None:
        from explorer.values.written import values_file

        with values_file(path) as file:
            write_values(file, models, answered.run.document, args.value)

    return write


def write_values(
    file: "ValuesFile",
    models: LoadedModels,
    document: Document,
    kinds: tuple[str, ...],
    of: str = "",
) -> None:
    """Write the values of every model that plays a role, by its role where there are several.

    Args:
        file: Into this.
        models: Those that were asked.
        document: With the texts and the masks.
        kinds: Which values.
        of: What their names begin with, where the file holds those of several texts.

    Raises:
        Unavailable: A model has nothing of what was asked for.
        UserMistake: There is no text.
    """
    from explorer.values.taken import take_values

    if not document.text.strip():
        raise UserMistake(N_("There is no text whose values could be written."), N_("Give one."))
    for role, slot in models.cast.items():
        parts = (of, role if len(models.cast) > 1 else "")
        name = ".".join(filter(None, parts))
        model = models.runner.models[slot]
        values = take_values(model, document.text, document.pair, document.masks, kinds=kinds)
        file.add(values, name)
