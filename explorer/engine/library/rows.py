"""A row of the library as it may leave the engine, whatever the files and plugins said.

What a row says is printed, painted and sent as JSON together with every other row's, so a text
that cannot be written, or a number without end, would cost all of them.
"""

from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from pathlib import Path

from explorer.api.family import ExplorerError, Family, Head, PluginFault
from explorer.api.family.checkpoint import Checkpoint
from explorer.engine.library.file_limits import AGAIN, LARGEST_NUMBER, shown
from explorer.engine.plugins.border.code import HINT
from explorer.hf.family.specs import HeadSpec
from explorer.text import N_, Phrase

LONGEST_TEXT = 300
"""Characters of what a row says of itself; a path and a name are kept whole."""

PATHS = frozenset({"id", "folder", "tokenizer_folder", "partner", "teacher"})
DTYPE_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
ONLY_TOKENIZER = Phrase(N_("Only its tokenizer is on this computer."))


def presentable(row: Checkpoint) -> Checkpoint:
    """A row with texts that can be written and numbers that can be read.

    Raises:
        PluginFault: A plugin put something else in the place of a text or a number.
    """
    if not all(_is_writable(path) for path in (row.id, row.folder or "")):
        return replace(
            _bare(row),
            id=shown(row.id, len(row.id)),
            folder=None,
            problem=Phrase(
                N_("Its path holds characters that are none, and can't be opened here.")
            ),
            hint=Phrase(N_("Give the folder another name.")),
        )
    numbers = (row.parameters, row.size_bytes, row.max_length)
    if not _are_sensible(numbers) or not _are_sensible(
        [*row.weights_bytes.values(), *row.attention_bytes.values()]
    ):
        row = replace(
            _bare(row),
            problem=row.problem
            or Phrase(N_("Its files give the model a size beyond any machine's.")),
            hint=row.hint or Phrase(AGAIN),
        )
    texts: dict[str, str] = {}
    for field in fields(row):
        value = getattr(row, field.name)
        if field.type in (str, Phrase) and field.name not in PATHS:
            if not isinstance(value, str):
                raise PluginFault(
                    N_("The plugin {family} gives no text for the {name}."),
                    N_("Update or switch off the plugin."),
                    family=row.family or "asked",
                    name=field.name,
                )
            texts[field.name] = (
                _printable(value) if field.type is Phrase else shown(value, LONGEST_TEXT)
            )
    return replace(row, **texts)  # type: ignore[arg-type]  # texts only


def broken(row: Checkpoint, error: Exception) -> Checkpoint:
    """A row of what could not be read for a reason that nobody thought of."""
    if isinstance(error, ExplorerError):
        problem, hint = error.problem, error.remedy
    else:
        what = shown(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        problem = Phrase(N_("{title} can't be read ({what})."), title=shown(row.title), what=what)
        hint = Phrase(AGAIN)
    return presentable(replace(_bare(row), problem=problem, hint=hint))


def to_download(row: Checkpoint, *, offline: bool) -> Checkpoint:
    """A row of the hub's; offline it says that it can't be had."""
    if not offline:
        return row
    return replace(
        row,
        problem=Phrase(N_("It is not on this machine, and the program is offline.")),
        hint=Phrase(N_("Start the program without --offline to download it.")),
    )


def published_heads(family: Family, names: Collection[str]) -> tuple[Head, ...]:
    """The heads of a published model, as its family calls them.

    Args:
        family: Its family.
        names: Of the heads that its files hold.
    """
    known: tuple[HeadSpec, ...] = getattr(family, "heads_known", ())
    return tuple(Head(one.name, one.title, True) for one in known if one.name in names)


def with_tokenizer_alone(row: Checkpoint, folder: Path) -> Checkpoint:
    """A row of the hub's whose tokenizer is here, in a folder, and says so."""
    note = Phrase.joined([part for part in (ONLY_TOKENIZER, row.note) if part])
    return presentable(replace(row, tokenizer_folder=str(folder), note=note))


def faulty(row: Checkpoint, error: Exception) -> Checkpoint:
    """A row with what is at fault: its files, or the plugin of its family."""
    if isinstance(error, ExplorerError):
        return replace(row, problem=error.problem, hint=error.remedy)
    return replace(
        row,
        problem=Phrase(
            N_("The plugin {family} failed to read it ({error})."),
            family=row.family or "asked",
            error=error,
        ),
        hint=Phrase(HINT),
    )


def _printable(text: str) -> Phrase:
    """A text with its codes, or, where a file's own words make it too long, without."""
    short = shown(text, LONGEST_TEXT)
    return Phrase.joined([text]) if short == text else Phrase(short)


def _bare(row: Checkpoint) -> Checkpoint:
    """What identifies a row, without what was read."""
    return Checkpoint(row.id, row.title, row.source, row.folder, family=row.family)


def _is_writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _are_sensible(numbers: Iterable[int | None]) -> bool:
    return all(number is None or -LARGEST_NUMBER < number < LARGEST_NUMBER for number in numbers)


def weights_bytes(parameters: int) -> dict[str, int]:
    """What so many numbers take, by their type."""
    return {dtype: parameters * size for dtype, size in DTYPE_BYTES.items()}
