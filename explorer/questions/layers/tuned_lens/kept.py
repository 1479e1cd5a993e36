"""Where lenses are: those that came with the program, and those that were trained here."""

from pathlib import Path

from explorer.api.question import ModelStamp
from explorer.paths import own_resources
from explorer.questions.layers.tuned_lens import lens as lens_file
from explorer.questions.layers.tuned_lens.lens import ENDING, Lens
from explorer.questions.layers.tuned_lens.texts import digest_of

FOLDER = "lenses"


def find(stamp: ModelStamp, sentences: str, cache: Path | None) -> Lens | None:
    """A model's lens; None where none was trained on these texts.

    Args:
        stamp: Whose.
        sentences: The file that it was trained on; "" for the small world, whose lenses of some
            of the bundled models came with the program.
        cache: The user's folder of what can be made again; None for none.

    Raises:
        UserMistake: The file of sentences can't be read.
        MachineFault: The lens can't be read.
    """
    if not sentences:
        for path in sorted(shipped_in().glob(f"*{ENDING}")):
            if lens_file.fingerprint_in(path) == stamp.fingerprint:
                return lens_file.read(path, stamp.fingerprint)
    if cache is None:
        return None
    path = place_of(stamp, digest_of(sentences), cache)
    return lens_file.read(path, stamp.fingerprint) if path.is_file() else None


def keep(lens: Lens, stamp: ModelStamp, sentences: str, cache: Path | None) -> bool:
    """Keep a lens for the next question.

    Returns:
        Whether there is a folder for it that can be written.
    """
    if cache is None:
        return False
    digest = digest_of(sentences)
    try:
        lens_file.write(lens, stamp.fingerprint, digest, place_of(stamp, digest, cache))
    except OSError:
        return False
    return True


def place_of(stamp: ModelStamp, digest: str, cache: Path) -> Path:
    """Where a model's lens is kept."""
    return cache / FOLDER / f"{stamp.fingerprint}-{digest}{ENDING}"


def shipped_in() -> Path:
    """Where the lenses are that came with the program."""
    return own_resources() / FOLDER
