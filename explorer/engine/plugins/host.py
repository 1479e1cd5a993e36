"""Finds the families' plugins and loads each only when it is needed.

A plugin is a folder with a plugin.toml, which is read without importing anything, and an
__init__.py that holds FAMILY. Whatever is wrong with one is a sentence in its record; the others
go on.
"""

import importlib
import importlib.metadata
import importlib.util
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from types import MappingProxyType, ModuleType

from explorer.api import (
    API_VERSION,
    CheckpointFault,
    Family,
    Files,
    PluginFault,
    Published,
    Recognition,
)
from explorer.engine.library.file_limits import shown
from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.code import CheckedFamily, in_words, run_plugin
from explorer.engine.plugins.manifest import Manifest, Miniature, missing_requirement, read_manifest

ENTRY_POINTS = "plm_explorer.families"
MODULE_PREFIX = "plm_explorer_plugin_"


@dataclass
class _Plugin:
    """One plugin: what its manifest says, and its family once that was asked for."""

    record: PluginRecord
    manifest: Manifest | None = None
    module: str = ""
    folder: Path | None = None
    family: Family | None = None
    loaded: bool = field(default=False)

    @property
    def usable(self) -> bool:
        return self.record.enabled and not self.record.problem and self.manifest is not None

    def fail(self, problem: str, error: BaseException | None = None) -> None:
        details = "".join(traceback.format_exception(error)) if error is not None else ""
        self.record = replace(self.record, problem=problem, traceback=details)


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
        self._found: tuple[_Plugin, ...] | None = None

    @property
    def _plugins(self) -> tuple[_Plugin, ...]:
        with self._importing:  # several threads may be the first to ask
            if self._found is None:
                self._found = self._find()
            return self._found

    def _find(self) -> tuple[_Plugin, ...]:
        plugins = [self._read(folder, "bundled") for folder in _folders(self._bundled)]
        plugins += [self._read(folder, "folder") for folder in _folders(self._user)]
        if self._entry_points:
            plugins += self._installed()
        taken: dict[str, _Plugin] = {}
        for plugin in plugins:
            if not plugin.usable:
                continue
            first = taken.setdefault(plugin.record.id, plugin)
            if first is not plugin:
                where = first.record.location
                plugin.fail(f"Another plugin is named {plugin.record.id} too ({where}).")
        return tuple(plugins)

    @property
    def records(self) -> tuple[PluginRecord, ...]:
        """Every plugin found, each tried; what is wrong with one is in its record."""
        for plugin in self._plugins:
            self._family_of(plugin)
        return tuple(plugin.record for plugin in self._plugins)

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

    def _manifests(self) -> Iterator[tuple[_Plugin, Manifest]]:
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
                problem = plugin.record.problem or f"The plugin {name} is switched off."
                raise PluginFault(problem, "See the Plugins dialog.")
        raise PluginFault(f"There is no plugin named {name}.", "See the Plugins dialog.")

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
                "config.json names no model_type, so the model's family is unknown.",
                'Add "model_type" to config.json ("bert" for BERT).',
            )
        raise CheckpointFault(
            f'No plugin knows models of type "{shown(model_type)}".',
            "Add a plugin for this family; docs/plugins.md shows how.",
        )

    def is_foreign(self, family: Family) -> bool:
        """Whether a family is not one of the program's own."""
        return any(p.family is family and p.record.source != "bundled" for p in self._plugins)

    def _claim(self, plugin: _Plugin, files: Files) -> tuple[Family, Recognition] | None:
        family = self._family_of(plugin)
        if family is None:
            return None
        try:
            recognition = family.recognise(files)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            said = error.message.rstrip(".") if isinstance(error, PluginFault) else in_words(error)
            plugin.fail(f"It failed to look at {files.name} ({said}).", error)
            return None
        return (family, recognition) if recognition is not None else None

    def _read(self, folder: Path, source: str) -> _Plugin:
        record = PluginRecord(folder.name, folder.name, source, str(folder))
        return self._described(_Plugin(record, folder=folder), folder / "plugin.toml")

    def _described(self, plugin: _Plugin, path: Path) -> _Plugin:
        """Fill in what the manifest says."""
        try:
            manifest = read_manifest(path)
            missing = missing_requirement(manifest.requires)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
            plugin.record = replace(
                plugin.record, enabled=self._enabled(plugin.record.id, plugin.record.source)
            )
            plugin.fail(f"Its plugin.toml can't be read ({in_words(error)}).", error)
            return plugin
        plugin.manifest = manifest
        plugin.record = replace(
            plugin.record,
            id=manifest.id,
            title=manifest.title,
            version=manifest.version,
            model_types=manifest.model_types,
            enabled=self._enabled(manifest.id, plugin.record.source),
        )
        if manifest.api > API_VERSION:
            plugin.fail(
                f"It needs a newer PLM Explorer (plugin api {manifest.api}; this one has "
                f"{API_VERSION})."
            )
        elif missing:
            plugin.fail(f"It needs {missing}, which is not installed.")
        return plugin

    def _enabled(self, name: str, source: str) -> bool:
        return name not in self._disabled and (source == "bundled" or not self._safe_mode)

    def _installed(self) -> list[_Plugin]:
        """Plugins among the installed packages, found without importing them."""
        plugins = []
        for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
            location = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
            record = PluginRecord(entry.name, entry.name, "package", location)
            plugin = _Plugin(record, module=entry.module)
            try:
                path = _package_folder(entry.module) / "plugin.toml"
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the rest go on
                plugin.fail(f"Its package can't be found ({in_words(error)}).", error)
            else:
                plugin = self._described(plugin, path)
            plugins.append(plugin)
        return plugins

    def _family_of(self, plugin: _Plugin) -> Family | None:
        with self._importing:  # the library is listed on one thread while another one loads
            if plugin.usable and not plugin.loaded:
                plugin.loaded = True
                try:
                    plugin.family = run_plugin(
                        plugin.record.title, lambda: _family_of_plugin(plugin)
                    )
                except PluginFault as fault:
                    if fault.__cause__ is None:
                        plugin.fail(fault.message)
                    else:
                        said = in_words(fault.__cause__)
                        plugin.fail(f"It can't be imported ({said}).", fault.__cause__)
                except Exception as error:  # noqa: BLE001 - plugins raise anything
                    plugin.fail(f"It can't be imported ({in_words(error)}).", error)
            return plugin.family if plugin.usable else None


def _folders(parent: Path | None) -> list[Path]:
    if parent is None or not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir() and path.name[0] not in "._")


def _import(plugin: _Plugin) -> ModuleType:
    """Import a plugin; one in a folder gets a module name that nothing else has."""
    if plugin.folder is None:
        return importlib.import_module(plugin.module)
    name = f"{MODULE_PREFIX}{plugin.record.source}_{plugin.folder.name}".replace("-", "_")
    path = plugin.folder / "__init__.py"
    if not path.is_file():
        raise PluginFault("It has no __init__.py.")
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(plugin.folder)]
    )
    if spec is None or spec.loader is None:
        raise PluginFault("Its __init__.py can't be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _family_of_plugin(plugin: _Plugin) -> Family:
    module = _import(plugin)
    family = _family_in(module, plugin.record.id)
    is_own = plugin.record.source == "bundled"
    return family if is_own else CheckedFamily(family, module.__name__)


def _family_in(module: ModuleType, name: str) -> Family:
    family = getattr(module, "FAMILY", None)
    if family is None:
        raise PluginFault("Its module holds no FAMILY.")
    if not isinstance(family, Family):
        lacking = [member for member in _MEMBERS if not hasattr(family, member)]
        raise PluginFault(f"Its FAMILY lacks {', '.join(lacking)}.")
    if not isinstance(family.title, str):
        raise PluginFault("The title of its FAMILY is no text.")
    if family.id != name:
        raise PluginFault(f"Its FAMILY is named {family.id}, and its plugin.toml says {name}.")
    return family


_MEMBERS = (
    "id",
    "title",
    "recognise",
    "heads",
    "offers",
    "offers_with",
    "architecture",
    "attention_shape",
    "max_length",
    "parameters",
    "load",
)


def _package_folder(module: str) -> Path:
    """Where a package lies; a parent package is looked up, never imported."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise PluginFault(f"there is no package {top}")
    return Path(places[0], *rest)
