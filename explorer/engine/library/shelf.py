"""The catalogue as questions see it: a checkpoint's config and family, without loading it."""

from pathlib import Path

from explorer.api.checkpoint_registry import RegisteredCheckpoint
from explorer.api.family import CheckpointFault, Files
from explorer.api.family.checkpoint import Checkpoint
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.series import series_of
from explorer.engine.plugins.host import PluginHost
from explorer.series.series import CheckpointSeries
from explorer.text import N_


class CatalogueShelf:
    """Looks checkpoints up in the catalogue; published ones whose files are elsewhere too."""

    def __init__(self, host: PluginHost, catalogue: Catalogue) -> None:
        self._host = host
        self._catalogue = catalogue

    def known(self, checkpoint_id: str) -> RegisteredCheckpoint:
        """A checkpoint by its name, hub id or path.

        Raises:
            ExplorerError: There is none, it is damaged, or no plugin knows it.
        """
        checkpoint = self._catalogue.find(checkpoint_id)
        if not checkpoint.family:
            if checkpoint.problem:
                raise CheckpointFault(
                    "{problem}", "{hint}", problem=checkpoint.problem, hint=checkpoint.hint
                )
            raise CheckpointFault(N_("No plugin knows {title}."), title=checkpoint.title)
        published = {one.id: one for _, one in self._host.published}
        miniatures = {one.id: one for _, one in self._host.miniatures}
        one = published.get(checkpoint.id)
        figures = one.figures if one is not None else ()
        if checkpoint.id in miniatures:
            figures = miniatures[checkpoint.id].figures
        family = self._host.family(checkpoint.family)
        if checkpoint.folder is None and checkpoint.tokenizer_folder is not None:
            files = self._catalogue.files(checkpoint, weights=False)
            return RegisteredCheckpoint(
                checkpoint, files, family, one.heads if one is not None else None, figures
            )
        if checkpoint.folder is None:
            if one is None or not one.config:
                raise CheckpointFault(
                    N_("Nothing is known of {title}'s architecture."),
                    N_("Download it, or open a folder with its config.json."),
                    title=checkpoint.title,
                )
            files = Files(Path(), checkpoint.id, one.config, {}, (), False, (), 0)
            return RegisteredCheckpoint(checkpoint, files, family, one.heads, figures)
        files = self._files(checkpoint)
        heads = None
        if files.tensors:
            heads = tuple(head.name for head in family.heads(files) if head.present)
        return RegisteredCheckpoint(checkpoint, files, family, heads, figures)

    def bundled(self) -> tuple[str, ...]:
        """Names of the checkpoints that come with the program, those of mere configs too."""
        return self._catalogue.bundled()

    def cached(self) -> tuple[str, ...]:
        """Names of the checkpoints in the Hugging Face cache, those of mere tokenizers too."""
        return self._catalogue.cached()

    def series(self, name: str) -> CheckpointSeries | None:
        """The series that a checkpoint is a frame of, or that is called so; None for none."""
        return series_of(self._catalogue, name)

    def _files(self, checkpoint: Checkpoint) -> Files:
        try:
            return self._catalogue.files(checkpoint)
        except CheckpointFault:
            # Weights that are damaged do not keep the config from being read.
            return self._catalogue.files(checkpoint, weights=False)
