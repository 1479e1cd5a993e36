"""Finds the families' plugins and loads each only when it is needed.

A plugin is a folder with a plugin.toml, which is read without importing anything, and an
__init__.py that holds FAMILY, a folder of questions, or both. Whatever is wrong with one is a
sentence in its record; the others go on.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import RLock
from types import MappingProxyType

from explorer.api.family import CheckpointFault, Family, Files, PluginFault, Recognition
from explorer.api.family.checkpoint import Checkpoint, Published
from explorer.attribution.foreign import ForeignMethod
from explorer.engine.library.file_limits import shown
from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.border.code import in_words, run_plugin
from explorer.engine.plugins.border.looks import look_of
from explorer.engine.plugins.installed import installed
from explorer.engine.plugins.manifest import Manifest, Miniature, missing_requirement, read_manifest
from explorer.engine.plugins.methods import broken_method, load_method, method_files
from explorer.engine.plugins.plugin import (
    Plugin,
    family_of_plugin,
    has_questions_alone,
    package_folder,
)
from explorer.engine.plugins.purpose import asked_of
from explorer.engine.plugins.questions import (
    FOLDER,
    broken_question,
    check_name,
    load_question,
    make_package,
    question_folders,
    samples_of,
    watched,
)
from explorer.files.foreign import Unfit
from explorer.questions.brought import Brought
from explorer.text import N_, Phrase

NOT_IMPORTED = N_("It can't be imported ({error}).")
LONGEST_ABOUT = 300
"""Characters of what a plugin says it is for."""
WRITTEN_FOR = N_(
    "It was written for {face} {wanted} of PLM Explorer, which has {own} now: another version of "
    "it or of the program fits."
)


class PluginHost:
    """The families this program knows.

    Args:
        bundled: The folder of the program's own plugins.
        user: The folder of the user's plugins; need not exist.
        safe_mode: Leave out everything but the program's own.
        disabled: Ids the user switched off.
        entry_points: Look for plugins among the installed packages too.
    """

    def __init__(
        self,
        bundled: Path,
        user: Path | None = None,
        *,
        safe_mode: bool = False,
        disabled: frozenset[str] = frozenset(),
        entry_points: bool = True,
    ) -> None:
        self._bundled = bundled
        self._user = user
        self._safe_mode = safe_mode
        self._disabled = disabled
        self._entry_points = entry_points
        self._importing = RLock()
        self._found: tuple[Plugin, ...] | None = None
        self._questions: tuple[Brought, ...] | None = None
        self._methods: Mapping[str, ForeignMethod] | None = None
        self._broken: list[PluginRecord] = []

    @property
    def _plugins(self) -> tuple[Plugin, ...]:
        with self._importing:  # several threads may be the first to ask
            if self._found is None:
                self._found = self._find()
            return self._found

    def _find(self) -> tuple[Plugin, ...]:
        plugins = [self._read(folder, "bundled") for folder in _folders(self._bundled)]
        plugins += [self._read(folder, "folder") for folder in _folders(self._user)]
        if self._entry_points:
            plugins += self._installed()
        taken: dict[str, Plugin] = {}
        for plugin in plugins:
            if not plugin.usable:
                continue
            first = taken.setdefault(plugin.record.id, plugin)
            if first is not plugin:
                where = first.record.location
                plugin.fail(
                    Phrase(
                        N_("Another plugin is named {name} too ({where})."),
                        name=plugin.record.id,
                        where=where,
                    )
                )
        for plugin in plugins:
            plugin.readable = plugin.usable
        return tuple(plugins)

    @property
    def records(self) -> tuple[PluginRecord, ...]:
        """Every plugin found, each tried; what is wrong with one is in its record.

        A question that does not work has a record of its own behind them.
        """
        _ = self.questions, self.methods
        for plugin in self._plugins:
            self._family_of(plugin)
        return (*(plugin.record for plugin in self._plugins), *self._broken)

    def described(self, known: Iterable[Checkpoint] = ()) -> tuple[PluginRecord, ...]:
        """The records, each with the questions that models of its family can be asked.

        Args:
            known: Checkpoints that are here: what theirs answer counts too.
        """
        found: dict[str, set[str]] = {}
        for one in known:
            found.setdefault(one.family, set()).update(one.operations)
        own = {id(one.record): one for one in self._plugins}
        return tuple(
            replace(record, asked=asked_of(own[id(record)], found.get(record.id, ())))
            if id(record) in own
            else record
            for record in self.records
        )

    @property
    def questions(self) -> tuple[Brought, ...]:
        """The questions that plugins bring and that work; no family is imported for them."""
        with self._importing:
            if self._questions is None:
                found: dict[str, Brought] = {}
                for plugin in self._plugins:
                    if plugin.readable and plugin.package_folder is not None:
                        self._load_questions(plugin, plugin.package_folder, found)
                self._questions = tuple(found.values())
            return self._questions

    def _load_questions(self, plugin: Plugin, folder: Path, found: dict[str, Brought]) -> None:
        record, titles = plugin.record, []
        for place in question_folders(folder):
            if plugin.folder is not None:
                make_package(plugin.package, plugin.folder)
            package = f"{plugin.package}.{FOLDER}.{place.parent.name}.{place.name}"
            try:
                with look_of(record.id, record.title):
                    question = run_plugin(record.title, partial(load_question, package, place))
                check_name(question.name, {name: one.title for name, one in found.items()})
                samples = samples_of(place, question.name)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
                self._broken.append(broken_question(record, place, error))
            else:
                found[question.name] = Brought(
                    watched(question, record.title, plugin.package),
                    package,
                    place,
                    record.id,
                    record.title,
                    record.version,
                    record.source,
                    samples,
                )
                titles.append(question.title)
        if titles:
            plugin.record = replace(record, questions=tuple(titles))

    @property
    def methods(self) -> Mapping[str, ForeignMethod]:
        """The methods of attribution that plugins bring and that work, by name."""
        with self._importing:
            if self._methods is None:
                found: dict[str, ForeignMethod] = {}
                for plugin in self._plugins:
                    if plugin.readable and plugin.package_folder is not None:
                        self._load_methods(plugin.record, plugin.package_folder, found)
                self._methods = MappingProxyType(found)
            return self._methods

    def _load_methods(
        self, record: PluginRecord, folder: Path, found: dict[str, ForeignMethod]
    ) -> None:
        for path in method_files(folder):
            try:
                with look_of(record.id, record.title):
                    one = load_method(path, record.title, frozenset(found))
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
                self._broken.append(broken_method(record, path, error))
            else:
                found[one.method.name] = one

    @property
    def families(self) -> Mapping[str, Family]:
        """The families that work, by id."""
        found = {p.record.id: self._family_of(p) for p in self._plugins}
        return MappingProxyType({name: family for name, family in found.items() if family})

    @property
    def published(self) -> tuple[tuple[str, Published], ...]:
        """Published checkpoints the manifests name, with the family's id."""
        return tuple((p.record.id, one) for p, m in self._manifests() for one in m.published)

    @property
    def miniatures(self) -> tuple[tuple[str, Miniature], ...]:
        """Bundled checkpoints the manifests name, with the family's id."""
        return tuple((p.record.id, one) for p, m in self._manifests() for one in m.miniatures)

    def _manifests(self) -> Iterator[tuple[Plugin, Manifest]]:
        for plugin in self._plugins:
            if plugin.usable and plugin.manifest is not None:
                yield plugin, plugin.manifest

    def family(self, name: str) -> Family:
        """A family by its plugin's id.

        Raises:
            PluginFault: There is no such plugin, or it does not work.
        """
        for plugin in self._plugins:
            if plugin.record.id == name:
                family = self._family_of(plugin)
                if family is not None:
                    return family
                problem = plugin.record.problem or Phrase(
                    N_("The plugin {name} is switched off."), name=name
                )
                raise PluginFault("{problem}", N_("See the Plugins dialog."), problem=problem)
        raise PluginFault(
            N_("There is no plugin named {name}."), N_("See the Plugins dialog."), name=name
        )

    def family_of(self, files: Files) -> tuple[Family, Recognition]:
        """The family with the highest claim on a checkpoint.

        Plugins whose manifest names the config's model_type are asked first; only if none of
        them claims it are the others imported and asked.

        Raises:
            CheckpointFault: No family knows it.
        """
        model_type = str(files.config.get("model_type", ""))
        named = [p for p, m in self._manifests() if model_type in m.model_types]
        others = [p for p, _ in self._manifests() if p not in named]
        for group in (named, others):
            claims = [claim for plugin in group if (claim := self._claim(plugin, files))]
            if claims:
                return max(claims, key=lambda claim: claim[1].score)
        if not model_type:
            raise CheckpointFault(
                N_("config.json names no model_type, so the model's family is unknown."),
                N_('Add "model_type" to config.json ("bert" for BERT).'),
            )
        parts = [
            name
            for name, part in files.config.items()
            if isinstance(part, Mapping) and part.get("model_type")
        ]
        raise CheckpointFault(
            N_(
                'No plugin knows models of type "{shown}", whose config describes several models '
                "({parts}), as of those that also see or hear."
            )
            if parts
            else N_('No plugin knows models of type "{shown}".'),
            N_("Add a plugin for this family; docs/plugins.md shows how."),
            shown=shown(model_type),
            parts=", ".join(sorted(parts)),
        )

    def knows_type(self, model_type: str) -> bool:
        """Whether a family may know models of a type, whose files are elsewhere."""
        if any(model_type in manifest.model_types for _, manifest in self._manifests()):
            return True
        bare = Files(Path(), "", {"model_type": model_type}, {}, (), False, (), 0)
        for family in self.families.values():
            try:
                if family.recognise(bare) is not None:
                    return True
            except Exception:  # noqa: BLE001 - it wants to see more of a checkpoint than a type
                return True
        return False

    def _claim(self, plugin: Plugin, files: Files) -> tuple[Family, Recognition] | None:
        family = self._family_of(plugin)
        if family is None:
            return None
        try:
            recognition = family.recognise(files)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            said = error.message.rstrip(".") if isinstance(error, PluginFault) else in_words(error)
            failed = N_("It failed to look at {name} ({said}).")
            plugin.fail(Phrase(failed, name=files.name, said=said), error)
            return None
        return (family, recognition) if recognition is not None else None

    def _read(self, folder: Path, source: str) -> Plugin:
        record = PluginRecord(folder.name, folder.name, source, str(folder))
        return self._described(Plugin(record, folder=folder), folder / "plugin.toml")

    def _described(self, plugin: Plugin, path: Path) -> Plugin:
        """Fill in what the manifest says."""
        try:
            manifest = read_manifest(path)
            missing = missing_requirement(manifest.requires)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
            plugin.record = replace(
                plugin.record, enabled=self._enabled(plugin.record.id, plugin.record.source)
            )
            unread = N_("Its plugin.toml can't be read ({error}).")
            why = error.problem if isinstance(error, Unfit) else in_words(error)
            plugin.fail(Phrase(unread, error=why), error)
            return plugin
        plugin.manifest = manifest
        plugin.record = replace(
            plugin.record,
            id=manifest.id,
            title=manifest.title,
            version=manifest.version,
            about=Phrase(shown(manifest.about, LONGEST_ABOUT)),
            models=manifest.titles,
            model_types=manifest.model_types,
            enabled=self._enabled(manifest.id, plugin.record.source),
        )
        if misfit := manifest.does_not_fit:
            face, wanted, own = misfit
            plugin.fail(Phrase(WRITTEN_FOR, face=face, wanted=wanted, own=own))
        elif missing:
            plugin.fail(Phrase(N_("It needs {missing}, which is not installed."), missing=missing))
        return plugin

    def _enabled(self, name: str, source: str) -> bool:
        return name not in self._disabled and (source == "bundled" or not self._safe_mode)

    def _installed(self) -> list[Plugin]:
        """Plugins among the installed packages, found without importing them."""
        plugins = []
        for entry in installed():
            location = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
            record = PluginRecord(entry.name, entry.name, "package", location)
            plugin = Plugin(record, module=entry.module)
            try:
                plugin.installed_at = package_folder(entry.module)
                path = plugin.installed_at / "plugin.toml"
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
                lost = N_("Its package can't be found ({error}).")
                plugin.fail(Phrase(lost, error=in_words(error)), error)
            else:
                plugin = self._described(plugin, path)
            plugins.append(plugin)
        return plugins

    def _family_of(self, plugin: Plugin) -> Family | None:
        with self._importing:  # the library is listed on one thread while another one loads
            if plugin.usable and not plugin.loaded:
                plugin.loaded = True
                if has_questions_alone(plugin):
                    return None
                try:
                    with _look_at(plugin):
                        plugin.family = run_plugin(
                            plugin.record.title, lambda: family_of_plugin(plugin)
                        )
                except PluginFault as fault:
                    if fault.__cause__ is None:
                        plugin.fail(fault.problem)
                    else:
                        cause = fault.__cause__
                        plugin.fail(Phrase(NOT_IMPORTED, error=in_words(cause)), cause)
                except Exception as error:  # noqa: BLE001 - plugins raise anything
                    plugin.fail(Phrase(NOT_IMPORTED, error=in_words(error)), error)
            return plugin.family if plugin.usable else None


def _look_at(plugin: Plugin) -> AbstractContextManager[None]:
    """The import of a plugin. The program's own import libraries, which is no sign of a hang."""
    record = plugin.record
    return nullcontext() if record.source == "bundled" else look_of(record.id, record.title)


def _folders(parent: Path | None) -> list[Path]:
    if parent is None or not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir() and path.name[0] not in "._")
