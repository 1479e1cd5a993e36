"""Tokenizers of checkpoints that need not be loaded, read once for as long as their files stay."""

from typing import Any

from explorer.api.checkpoint_registry import CheckpointRegistry, RegisteredCheckpoint
from explorer.api.family import (
    CheckpointFault,
    Context,
    ModelStamp,
    ReadsTokenizers,
    Unavailable,
    UserMistake,
)
from explorer.hf.kept import kept
from explorer.hf.loading.checkpoint import refuse_far_numbers
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.text import N_

MOST = 64
"""Tokenizers that are kept."""

ROOM = 2**30
A_PIECE = 400
"""Bytes: a tokenizer of 250,000 pieces takes some 100 MB."""


def shelf_of(context: Context) -> CheckpointRegistry:
    """Where checkpoints are looked up whose weights nobody needs.

    Raises:
        Unavailable: Outside the engine there is none.
    """
    if context.shelf is None:
        raise Unavailable(N_("There is no model library to look tokenizers up in."))
    return context.shelf


def tokenizer_of(known: RegisteredCheckpoint) -> Any:
    """The tokenizer of a checkpoint.

    Args:
        known: What the library knows of it.

    Raises:
        UserMistake: Its family's plugin can't read a tokenizer alone.
        CheckpointFault: Its files are not here, or are damaged.
    """
    if known.checkpoint.folder is None and not known.files.has_tokenizer:
        if known.checkpoint.problem:  # the program is offline, say
            raise CheckpointFault(
                "{problem}", "{hint}", problem=known.checkpoint.problem, hint=known.checkpoint.hint
            )
        raise CheckpointFault(
            N_("{title} is not on this machine yet."),
            N_(
                "Download it, or its tokenizer alone: in the model library, or by main.py download "
                "{id} --tokenizer."
            ),
            title=known.checkpoint.title,
            id=known.checkpoint.id,
        )
    family: Any = known.family
    if not isinstance(family, ReadsTokenizers):
        raise UserMistake(
            N_("The plugin {title} can't read a tokenizer alone."), title=known.family.title
        )
    files = known.files

    def make() -> Any:
        tokenizer = family.tokenizer(files)
        refuse_far_numbers(tokenizer, files)
        return tokenizer

    return kept(
        "tokenizer of a folder",
        make,
        of=tuple(files.tokenizer_folder / name for name in files.tokenizer_files),
        asked=(known.family.id, str(files.tokenizer_folder), tuple(files.tokenizer_files)),
        most=MOST,
        room=ROOM,
        size=lambda tokenizer: A_PIECE * len(tokenizer),
    )


def stamp_alone(known: RegisteredCheckpoint, tokenizer: Any) -> ModelStamp:
    """What identifies a tokenizer whose model is not loaded."""
    checkpoint, told = known.checkpoint, tokenizer_fingerprint(tokenizer)
    return ModelStamp(checkpoint.id, checkpoint.family, told, "meta", "")
