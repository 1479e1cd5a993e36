"""A model that is at one of several steps of its training, and is put to another one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.api.family import Context, Family, Files, LoadedModel, LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.engine.library.hub_cache import revision_of
from explorer.series.differences import difference
from explorer.series.frame_folders import series_folder_of
from explorer.series.steps import step_of


@dataclass
class LoadedFrame:
    """What a slot's weights came from.

    Attributes:
        checkpoint: The frame, or any other checkpoint.
        files: Its files.
        options: How it was to be loaded.
        names: Which of the files' tensors each of the module's is; None until that was asked.
    """

    checkpoint: Checkpoint
    files: Files
    options: LoadOptions
    names: Mapping[str, str] | None = field(default=None, repr=False)

    def follows(self, other: "LoadedFrame") -> bool:
        """Whether this is another frame of the same series, which differs in its weights alone."""
        return (
            self.options == other.options
            and self.checkpoint.id != other.checkpoint.id
            and self.checkpoint.family == other.checkpoint.family
            and _series_of(self.checkpoint) == _series_of(other.checkpoint) != ""
            and not difference(other.files, self.files)
        )

    def put_into(
        self, model: LoadedModel, family: Family, before: "LoadedFrame", context: Context
    ) -> str | None:
        """Write its weights into the module of a model, and keep nothing of what that was before.

        Args:
            model: As it was loaded from the other frame.
            family: The model's.
            before: The frame whose weights it has.
            context: Of the load.

        Returns:
            The fingerprint of the files; None where the module can't be filled in place.

        Raises:
            CheckpointFault: The files are damaged; the model has the weights that it had.
            Cancelled: Nobody wants it any more.
        """
        plain, read = getattr(family, "plain_name", None), getattr(family, "weights", None)
        if plain is None or read is None or model.stamp.is_offloaded or model.stamp.is_quantised:
            return None
        from explorer.hf.kept import forget_of
        from explorer.hf.loading.fingerprint import fingerprint
        from explorer.hf.loading.refilling import names_in_files, refill

        if before.names is None:
            before.names = names_in_files(
                model.module, read(before.files, before.options), plain, model.report.missing
            )
        self.names = before.names
        if self.names is None:
            return None
        context.check()
        digest = fingerprint(self.files, context.check)
        weights: Mapping[str, Any] = read(self.files, self.options)
        context.check()
        if not refill(model.module, self.names, weights):
            return None
        forget_of(model.module)
        return digest


def _series_of(checkpoint: Checkpoint) -> str:
    """What frames of one series have in common; "" of what is no frame."""
    name, revision = revision_of(checkpoint.id)
    if checkpoint.commit:
        return name if step_of(revision) is not None else ""
    place = series_folder_of(checkpoint.folder)
    return "" if place is None else str(place)
