"""What stands above an answer: who gave it, and what must be known before it is believed."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from explorer.api.question import MODEL, LeftOut, ModelStamp
from explorer.headless import AnsweredRun
from explorer.text import _, said


def print_models(models: Mapping[str, ModelStamp], titles: Mapping[str, str]) -> None:
    """A line for each model: what it does, which it is, where it runs.

    Args:
        models: By role.
        titles: What people read for them, by their ids.
    """
    for role, stamp in models.items():
        does = "" if role == MODEL else f"{role}: "
        print(
            _(
                "{does}{model}  ({family}, {dtype} on {device})",
                does=does,
                model=titles.get(stamp.id, stamp.name),
                family=stamp.family,
                dtype=stamp.dtype,
                device=stamp.device,
            )
        )


def print_text(answered: AnsweredRun) -> None:
    """The text, and the second text behind it."""
    text, pair = answered.run.document.text, answered.run.document.pair
    print(text if pair is None else f"{text}  |  {pair}")


def print_notes(*results: Any) -> None:
    """What results say must be known, each once."""
    for note in dict.fromkeys(note for one in results for note in notes_of(one)):
        print(said(note))


def tell_left_out(result: Any) -> None:
    """Say on standard error what of the text did not fit into the model."""
    left_out = getattr(result, "left_out", None)
    if not isinstance(left_out, LeftOut):
        return
    masks = (
        _("; {masks} of the masks were among them", masks=left_out.masks) if left_out.masks else ""
    )
    sys.stderr.write(
        _(
            "{tokens} tokens did not fit into the model (it takes {limit}){masks}.\n",
            tokens=left_out.tokens,
            limit=left_out.limit,
            masks=masks,
        )
    )


def notes_of(result: Any) -> Iterable[str]:
    """What a result says must be known, in the order in which it says it."""
    yield from (note for note in getattr(result, "notes", ()) if note)
    for one in (result, getattr(result, "changes", None)):
        note = getattr(one, "note", "")
        if isinstance(note, str) and note:
            yield note
