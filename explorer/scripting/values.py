"""What a model computes of a text, as Python has it: arrays, and a file of them."""

from dataclasses import dataclass
from pathlib import Path

from explorer.files.typed_paths import typed_path
from explorer.scripting.mistakes import advised
from explorer.values.taken import ModelValues
from explorer.values.written import save_values


@dataclass(frozen=True, eq=False)
class TakenValues(ModelValues):
    """The numbers of one text in one model."""

    def save(self, path: str | Path) -> None:
        """Write them as .npz, .safetensors or .parquet, as the file ends.

        Raises:
            Mistake: It ends otherwise, Parquet can't be written, or it is too large.
            Trouble: It can't be written.
        """
        with advised():
            save_values(typed_path(path), self)
