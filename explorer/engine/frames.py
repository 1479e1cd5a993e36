"""A model that is at one of several steps of its training, and is put to another one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from explorer.api.family import Context, Family, Files, LoadedModel, LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.series.differences import difference
from explorer.series.naming import series_named


@dataclass(frozen=True)
class LoadedFrame:
    """What a slot's weights came from.

    Attributes:
        checkpoint: The frame, or any other checkpoint.
        files: Its files.
        options: How it was to be loaded.
        model: What was made of it, which the model's own ports hold; None before.
        names: Which of the files' tensors each of the module's is; None until that was asked.
    """

    checkpoint: Checkpoint
    files: Files
    options: LoadOptions
    model: LoadedModel | None = None
    names: Mapping[str, str] | None = field(default=None, repr=False)

    @property
    def loaded(self) -> LoadedModel:
        """The model.

        Raises:
            LookupError: There is none yet.
        """
        if self.model is None:
            raise LookupError(self.checkpoint.id)
        return self.model

    def follows(self, other: "LoadedFrame") -> bool:
        """Whether this is another frame of the same series, which differs in its weights alone."""
        return (
            self.options == other.options
            and self.checkpoint.id != other.checkpoint.id
            and self.checkpoint.family == other.checkpoint.family
            and series_named(self.checkpoint.id) == series_named(other.checkpoint.id) != ""
            and not difference(other.files, self.files)
        )

    def put_in_place_of(
        self, before: "LoadedFrame", family: Family, context: Context
    ) -> "LoadedFrame | None":
        """Write its weights into a model's module, and keep nothing of what that was before.

        Args:
            before: The frame whose weights the model has.
            family: The model's.
            context: Of the load.

        Returns:
            The frame with the model, whose stamp is this one's now; None where the module can't
            be filled in place.

        Raises:
            CheckpointFault: The files are damaged; the model has the weights that it had.
            Cancelled: Nobody wants it any more.
        """
        model = before.loaded
        plain, read = getattr(family, "plain_name", None), getattr(family, "weights", None)
        if plain is None or read is None or model.stamp.is_offloaded or model.stamp.is_quantised:
            return None
        from explorer.hf.kept import forget_of
        from explorer.hf.loading.fingerprint import fingerprint
        from explorer.hf.loading.refilling import names_in_files, refill

        names = before.names
        if names is None:
            weights = read(before.files, before.options)
            names = names_in_files(model.module, weights, plain, model.report.missing)
        if names is None:
            return None
        context.check()
        digest = fingerprint(self.files, context.check)
        weights = read(self.files, self.options)
        context.check()
        if not refill(model.module, names, weights):
            return None
        forget_of(model.module)
        model.stamp = replace(model.stamp, id=self.checkpoint.id, fingerprint=digest)
        return replace(self, model=model, names=names)
