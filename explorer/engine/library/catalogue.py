"""Every checkpoint the program knows: bundled, in folders, in the hub's cache, published.

Listing reads headers only; neither torch nor the hub's library is imported, and the network is
never asked.
"""

import contextlib
import errno
import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault, ExplorerError, Family, Files, UserMistake
from explorer.api.family.checkpoint import Checkpoint, Published, Source
from explorer.api.family.load_options import BITS, numbers_of
from explorer.engine.library.hub_cache import (
    commit_of,
    default_hub_cache,
    is_revision,
    repositories,
    revision_of,
    revisions,
    snapshot_of,
    with_revision,
)
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.library.kept_series import KeptSeries
from explorer.engine.library.pairing import generator_file, other_halves
from explorer.engine.library.rows import (
    DTYPE_BYTES,
    broken,
    faulty,
    presentable,
    published_heads,
    to_download,
    weights_bytes,
    with_tokenizer_alone,
)
from explorer.engine.library.training_notes import with_training
from explorer.engine.plugins.host import PluginHost
from explorer.files.typed_paths import refuse_impossible, typed_path
from explorer.hf.loading.config_fields import CORRECT_IT, at_fault
from explorer.hf.loading.memory.room import sizes_of
from explorer.questions import answered_with
from explorer.series.frame_folders import frame_title, last_frame
from explorer.series.steps import step_of
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

LENGTHS = (128, 512)
"""Lengths in tokens for which the memory of the attentions is stated."""

NOT_RELEASED = Phrase(N_("Its weights were never published, only its architecture."))
READ_IT = Phrase(N_("Its config can be read: ask for its architecture."))

FILMS = "films"
HUB = frozenset({Source.HUB, Source.CACHE})

SHOWN_DIGITS = 10
"""Of a commit, in a title."""


class Catalogue:
    """The model library's rows.

    Args:
        host: Knows the families.
        bundled_models: The folder of the miniatures; need not exist. Films are in one beside it.
        hub_cache: The Hugging Face cache; None for the place its library would use.
        offline: Checkpoints that would have to be downloaded say that they can't be.
        training: The folder of the runs of training that were made here; None for none.
    """

    def __init__(
        self,
        host: PluginHost,
        bundled_models: Path,
        hub_cache: Path | None = None,
        *,
        offline: bool = False,
        training: Path | None = None,
    ) -> None:
        self._host = host
        self._bundled = bundled_models
        self._cache = hub_cache if hub_cache is not None else default_hub_cache()
        self._offline = offline
        self.series = KeptSeries(bundled_models.with_name(FILMS).resolve(), training)

    def list(self, folders: tuple[str, ...] = ()) -> tuple[Checkpoint, ...]:
        """Every checkpoint: bundled ones, trained ones, folders given, cached, published ones.

        A folder that is gone or holds no checkpoint is listed with its problem.
        """
        rows = [self._bundled_row(folder) for folder in self._bundled_folders()]
        rows += [self._film_row(frame) for frame in self.series.finished_films()]
        trained = self.series.trained()
        rows += [with_training(self._folder_row(one)) for one in trained]
        named = dict.fromkeys(one for one in folders if Path(one) not in trained)
        rows += [self._folder_row(Path(folder)) for folder in named]
        published = {one.id: (family, one) for family, one in self._host.published}
        for name, folder in (*repositories(self._cache), *revisions(self._cache)):
            row = self._cached_row(name, folder, published)
            if row is not None:
                rows.append(row)
        cached = {row.id for row in rows}
        rows += [
            self._published_row(family, one)
            for name, (family, one) in published.items()
            if name not in cached
        ]
        return tuple(rows)

    def bundled(self) -> tuple[str, ...]:
        """Names of the bundled checkpoints, none of which is read."""
        return tuple(folder.name for folder in self._bundled_folders())

    def cached(self) -> tuple[str, ...]:
        """Hub ids of what is in the Hugging Face cache, none of which is read."""
        return tuple(name for name, _ in repositories(self._cache))

    def cached_revisions(self, name: str) -> tuple[str, ...]:
        """What was downloaded of a repository beside its main branch: NAME@REVISION."""
        return tuple(one for one, _ in revisions(self._cache) if revision_of(one)[0] == name)

    def find(self, checkpoint_id: str) -> Checkpoint:
        """One checkpoint by what a user types: a bundled name, a hub id, a path, a run's name.

        Behind an @ stands a revision, or the step of a frame; of a series without a model of its
        own it is else the last one. A number type after a colon is of its loading alone.

        Raises:
            UserMistake: Nothing is known by this name.
        """
        text = numbers_of(checkpoint_id)[0].strip()
        refuse_impossible(text)
        bundled = self._bundled / text
        if text and Path(text).name == text and bundled.is_dir():
            return self._bundled_row(bundled)
        film = self.series.of_film(text)
        if film is not None:
            return self._film_row(film)
        published = {one.id: (family, one) for family, one in self._host.published}
        base, revision = revision_of(text)
        for one in dict.fromkeys((base, *_full_names(base, published))):
            name = with_revision(one, revision)
            folder = snapshot_of(self._cache, name)
            if folder is not None:
                row = self._cached_row(name, folder, published)
                if row is not None:
                    return row
            if name in published:
                return self._published_row(*published[name])
        if text and typed_path(text).exists():
            return self.inspect(Path(text))
        frame = self.series.frame(text)
        if frame is not None:
            return self.inspect(frame)
        if is_revision(revision):
            return self._revision_to_download(base, revision, published)
        raise UserMistake(
            N_("There is no checkpoint named {text}."),
            N_("Choose one from the model library, or give the path of a folder."),
            text=text or "(nothing)",
        )

    def inspect(self, path: Path) -> Checkpoint:
        """A folder, a config.json, or a weight file.

        A damaged checkpoint comes back with its problem.

        Raises:
            UserMistake: There is no checkpoint at this path.
        """
        try:
            # What can't be looked into is said where it is read.
            with contextlib.suppress(OSError):
                path = last_frame(typed_path(path)) or path
            whole = str(typed_path(path).resolve())
        except (RuntimeError, OSError) as error:
            raise UserMistake(
                N_("{path} is no path on this machine."), N_("Check the path."), path=path
            ) from error
        if self.series.holds_film(whole):
            return self._film_row(Path(whole))
        row = self._from_disk(path, whole, Source.FOLDER)
        title = frame_title(row.folder)
        return replace(row, title=title) if title else row

    def files(self, checkpoint: Checkpoint, *, weights: bool = True) -> Files:
        """Read a checkpoint's folder again, for loading.

        Args:
            checkpoint: A row of the list.
            weights: False leaves the weight files alone; then a tokenizer alone is enough.

        Raises:
            CheckpointFault: It is damaged, or is not on this machine.
        """
        if checkpoint.folder is None:
            if checkpoint.tokenizer_folder is not None and not weights:
                return inspect_folder(Path(checkpoint.tokenizer_folder), weights=False)
            raise CheckpointFault(
                N_("{title} is not on this machine yet."),
                checkpoint.hint or N_("Download it from the model library."),
                title=checkpoint.title,
            )
        path = Path(checkpoint.folder)
        if checkpoint.source is Source.FOLDER and Path(checkpoint.id).is_file():
            path = Path(checkpoint.id)
        return inspect_folder(path, weights=weights)

    def _bundled_folders(self) -> Iterator[Path]:
        if self._bundled.is_dir():
            for folder in sorted(self._bundled.iterdir()):
                if (folder / "config.json").is_file():
                    yield folder

    def _bundled_row(self, folder: Path) -> Checkpoint:
        row = self._from_disk(folder, folder.name, Source.BUNDLED)
        if row.source is Source.CONFIG and not row.size_bytes:
            # Nobody could add the weights to what comes with the program.
            row = replace(row, problem=NOT_RELEASED, hint=READ_IT)
        return self._as_declared(row, folder.name)

    def _film_row(self, frame: Path) -> Checkpoint:
        row = self._from_disk(frame, self.series.frame_id(frame), Source.BUNDLED)
        row = self._as_declared(row, frame.parent.name)
        return replace(row, title=with_revision(row.title, str(step_of(frame.name))))

    def _as_declared(self, row: Checkpoint, name: str) -> Checkpoint:
        """A row of what comes with the program, with what its family's plugin says of it."""
        row = with_training(row)
        for _, miniature in self._host.miniatures:
            if miniature.id == name:
                return replace(
                    row,
                    title=miniature.title,
                    languages=miniature.languages,
                    note=Phrase(miniature.note) or row.note,
                    teacher=miniature.teacher,
                    world=miniature.world,
                )
        return row

    def _folder_row(self, folder: Path) -> Checkpoint:
        try:
            return self.inspect(folder)
        except Exception as error:  # noqa: BLE001 - one bad row is one bad row
            row = Checkpoint(str(folder), folder.name, Source.FOLDER, str(folder))
            return broken(row, error)

    def _cached_row(
        self, name: str, folder: Path, published: dict[str, tuple[str, Published]]
    ) -> Checkpoint | None:
        """A cached repository, or None when no family knows it or only its config is there."""
        base, revision = revision_of(name)
        commit = commit_of(folder)
        if revision and commit.startswith(revision):
            # Digits of a commit: what a record says must name one for ever.
            name, revision = with_revision(base, commit), commit[:SHOWN_DIGITS]
        try:
            row = replace(self._from_disk(folder, name, Source.CACHE), commit=commit)
        except UserMistake:
            return None
        if not row.family:
            return None
        if row.source is Source.CONFIG:
            return self._tokenizer_row(row, folder, published.get(name))
        row = replace(row, title=with_revision(row.title, revision))
        if base not in published:
            return row
        one = published[base][1]
        return replace(
            row,
            title=with_revision(one.title, revision),
            licence=one.licence,
            languages=one.languages,
            note=row.note or Phrase(one.note),
            teacher=one.teacher,
        )

    def _revision_to_download(
        self, name: str, revision: str, published: dict[str, tuple[str, Published]]
    ) -> Checkpoint:
        """A branch, tag or commit that is not here; of a model that nobody here knows nothing.

        Raises:
            UserMistake: It is none that is known.
        """
        full = [one for one in (name, *_full_names(name, published)) if one in published]
        if not full:
            raise UserMistake(
                N_("{name} is not on this machine in the revision {revision}."),
                N_("Fetch it with: download {name} --revision {revision}"),
                name=name,
                revision=revision,
            )
        row = self._published_row(*published[full[0]])
        return replace(
            row, id=with_revision(row.id, revision), title=with_revision(row.title, revision)
        )

    def _tokenizer_row(
        self, row: Checkpoint, folder: Path, published: tuple[str, Published] | None
    ) -> Checkpoint | None:
        """What is still to be downloaded, with the tokenizer that is here; None without one."""
        if not inspect_folder(folder, weights=False).has_tokenizer:
            return None
        if published is None:
            row = replace(row, source=Source.HUB, folder=None, problem=NOTHING, hint=NOTHING)
            row = to_download(row, offline=self._offline)
        else:
            row = self._published_row(*published)
        return with_tokenizer_alone(row, folder)

    def _published_row(self, family_id: str, one: Published) -> Checkpoint:
        row = Checkpoint(
            one.id,
            one.title,
            Source.HUB,
            family=family_id,
            recognition=Phrase(
                N_("Published as a model of the family {family}."), family=family_id
            ),
            parameters=one.parameters,
            size_bytes=one.size_bytes,
            weights_bytes=weights_bytes(one.parameters),
            licence=one.licence,
            languages=one.languages,
            note=Phrase(one.note),
            teacher=one.teacher,
        )
        if not one.released:
            row = replace(row, source=Source.CONFIG, problem=NOT_RELEASED, hint=READ_IT)
        else:
            row = to_download(row, offline=self._offline)
        try:
            family = self._host.family(family_id)
            if one.released:
                row = _offering(row, family.offers_with(set(one.heads)))
                row = replace(row, heads=published_heads(family, one.heads))
            return presentable(self._with_shape(row, family, one.config))
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            return presentable(faulty(row, error))

    def _from_disk(self, path: Path, checkpoint_id: str, source: Source) -> Checkpoint:
        """Read a checkpoint; whatever is wrong with it is a problem of its row alone.

        Raises:
            UserMistake: There is no checkpoint at this path.
        """
        try:
            return presentable(self._read(path, checkpoint_id, source))
        except UserMistake:
            raise
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise UserMistake(
                    N_("A path is longer than this system allows."), N_("Give a shorter one.")
                ) from error
            return self._broken(path, checkpoint_id, source, error)
        except Exception as error:  # noqa: BLE001 - of files that were made to break it
            return self._broken(path, checkpoint_id, source, error)

    @staticmethod
    def _broken(path: Path, checkpoint_id: str, source: Source, error: Exception) -> Checkpoint:
        folder = str(path if os.path.isdir(path) else path.parent)  # noqa: PTH112 - never raises
        return broken(Checkpoint(checkpoint_id, path.name, source, folder), error)

    def _read(self, path: Path, checkpoint_id: str, source: Source) -> Checkpoint:
        """Read a checkpoint; one that is damaged still says what its config says."""
        fault: CheckpointFault | None = None
        try:
            files = inspect_folder(path)
        except CheckpointFault as error:
            fault = error
            try:
                files = inspect_folder(path, weights=False)
            except ExplorerError:
                folder = path if path.is_dir() else path.parent
                row = Checkpoint(checkpoint_id, folder.name, source, str(folder))
                return replace(row, problem=fault.problem, hint=fault.remedy)
        if fault is None and not files.weight_files:
            source = Source.CONFIG
        row = Checkpoint(
            checkpoint_id,
            files.name,
            source,
            str(files.folder),
            size_bytes=files.size_bytes if fault is None else None,
            pickled=files.pickled,
        )
        try:
            family, recognition = self._host.family_of(files)
            # Known from here on, whatever becomes of the rest: the row says whose fault it is.
            row = replace(
                row, family=recognition.family, recognition=Phrase.joined([recognition.reason])
            )
            row = self._described(row, files, family)
        except ExplorerError as error:
            row = faulty(row, error)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            row = self._misread(row, files, error)
        if fault is not None:
            return replace(row, problem=fault.problem, hint=fault.remedy)
        if source is Source.CONFIG and not row.problem:
            return replace(
                row,
                problem=Phrase(N_("There are no weights here, only a config.")),
                hint=Phrase(
                    N_("Its architecture can be read; to ask it anything, add the weights.")
                ),
            )
        return row

    def _misread(self, row: Checkpoint, files: Files, error: Exception) -> Checkpoint:
        """A row that a plugin failed at: for a field of its config, or for whatever reason."""

        def attempt(config: dict[str, Any]) -> None:
            without = replace(files, config=config)
            family, recognition = self._host.family_of(without)
            if recognition.family != row.family:
                raise LookupError(recognition.family)
            self._described(row, without, family)

        fields = at_fault(files.config, attempt)
        if not fields:
            return faulty(row, error)
        return replace(
            row,
            problem=Phrase(N_("config.json describes no model: {fields}."), fields=fields),
            hint=Phrase(CORRECT_IT),
        )

    def _described(self, row: Checkpoint, files: Files, family: Family) -> Checkpoint:
        row = self._with_shape(row, family, files.config)
        if not files.weight_files:
            return row
        if not files.tensors:
            note = Phrase(N_("An old pickle: which heads it holds is known once loaded."))
            return replace(row, note=note)
        parameters = family.parameters(files)
        row = _offering(row, family.offers(files))
        sizes = sizes_of(files.tensors, DTYPE_BYTES["float32"])
        quantised = {
            name: sizes_of(files.tensors, DTYPE_BYTES["float32"], bits).whole
            for name, bits in BITS.items()
        }
        return replace(
            row,
            parameters=parameters,
            weights_bytes=weights_bytes(parameters) | quantised,
            offloaded_bytes=sizes.offloaded,
            heads=family.heads(files),
        )

    def _with_shape(self, row: Checkpoint, family: Family, config: object) -> Checkpoint:
        if not isinstance(config, dict) or not config:
            return row
        layers, heads = family.attention_shape(config)
        return replace(
            row,
            architecture=Phrase.joined([family.architecture(config)]),
            attention_bytes={n: layers * heads * n * n * 4 for n in LENGTHS},
            max_length=family.max_length(config),
            partner=self._partner_of(row),
        )

    def _partner_of(self, row: Checkpoint) -> str:
        """The id of the other half of a generator and a discriminator, where it is known."""
        named = row.source in HUB or row.source is Source.BUNDLED
        base, revision = revision_of(row.id) if named else (row.id, "")
        for half in other_halves(base):
            name = with_revision(half, revision)
            if row.source is Source.BUNDLED:
                known = (self._bundled / name / "config.json").is_file()
                known = known or self.series.of_film(name) is not None
            elif row.source in HUB:
                known = any(one.id == name for _, one in self._host.published)
                known = known or snapshot_of(self._cache, name) is not None
            else:
                known = (Path(name) / "config.json").is_file()
            if known:
                return name
        beside = generator_file(row.folder)
        return beside if beside != row.id else ""


def _offering(row: Checkpoint, ports: Collection[type]) -> Checkpoint:
    """A row with what its model will have and answer."""
    names = tuple(sorted(port.__name__ for port in ports))
    return replace(row, ports=names, operations=answered_with(ports))


def _full_names(text: str, published: dict[str, tuple[str, Published]]) -> list[str]:
    """Published ids whose last part was typed: "bert-base-uncased"."""
    return [name for name in published if text and name.rpartition("/")[2] == text]
