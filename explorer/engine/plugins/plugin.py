"""One plugin: what its manifest says, and its code, imported when it is asked for."""

import importlib
import importlib.util
import sys
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from explorer.api.family import Family, PluginFault
from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.border.code import CheckedFamily
from explorer.engine.plugins.installed import forget_installed
from explorer.engine.plugins.manifest import Manifest
from explorer.engine.plugins.methods import method_files
from explorer.engine.plugins.questions import make_package, question_folders
from explorer.text import N_, Phrase

MODULE_PREFIX = "plm_explorer_plugin_"
BUNDLED = f"{MODULE_PREFIX}bundled_"


@dataclass
class Plugin:
    """One plugin: what its manifest says, and its family once that was asked for.

    Attributes:
        record: The row of the dialog.
        manifest: Its plugin.toml; None where that can't be read.
        module: Of a plugin in an installed package: its name.
        folder: Of a plugin in a folder: where that is.
        family: None before it was imported, and where there is none.
        loaded: It was tried.
        installed_at: The folder of `module`.
        readable: It is switched on, and its manifest is sound: whatever its family is like, its
            questions may be.
    """

    record: PluginRecord
    manifest: Manifest | None = None
    module: str = ""
    folder: Path | None = None
    family: Family | None = None
    loaded: bool = False
    installed_at: Path | None = None
    readable: bool = False

    @property
    def package(self) -> str:
        """Its module's name; of one in a folder a name that nothing else has."""
        if self.folder is None:
            return self.module
        return f"{MODULE_PREFIX}{self.record.source}_{self.folder.name}".replace("-", "_")

    @property
    def package_folder(self) -> Path | None:
        """Where its files are."""
        return self.folder if self.folder is not None else self.installed_at

    @property
    def usable(self) -> bool:
        """Whether it is switched on and nothing is known to be wrong with it."""
        return self.record.enabled and not self.record.problem and self.manifest is not None

    def fail(self, problem: Phrase, error: BaseException | None = None) -> None:
        """Say what is wrong with it."""
        details = "".join(traceback.format_exception(error)) if error is not None else ""
        self.record = replace(self.record, problem=problem, traceback=details)


def _import(plugin: Plugin) -> ModuleType:
    """Import a plugin; one in a folder gets a module name that nothing else has."""
    if plugin.folder is None:
        return importlib.import_module(plugin.module)
    name = plugin.package
    path = plugin.folder / "__init__.py"
    if not path.is_file():
        raise PluginFault(N_("It has no __init__.py."))
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(plugin.folder)]
    )
    if spec is None or spec.loader is None:
        raise PluginFault(N_("Its __init__.py can't be imported."))
    module = importlib.util.module_from_spec(spec)
    # A plugin's own modules that were imported by now, as its questions, stay the same.
    make_package(name, plugin.folder)
    before = sys.modules[name]
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules[name] = before
        raise
    return module


def forget_imported() -> None:
    """Let what lies in the user's plugins be imported anew: it may have been changed."""
    for name in tuple(sys.modules):
        # Those that come with the program stay as they are, and so do models that hold them.
        if name.startswith(MODULE_PREFIX) and not name.startswith(BUNDLED):
            del sys.modules[name]
    importlib.invalidate_caches()
    forget_installed()


def has_questions_alone(plugin: Plugin) -> bool:
    """Whether a plugin is a folder of questions or methods and brings no family."""
    folder = plugin.folder
    return (
        folder is not None
        and not (folder / "__init__.py").exists()
        and any(next(found, None) for found in (question_folders(folder), method_files(folder)))
    )


def family_of_plugin(plugin: Plugin) -> Family:
    """Import a plugin's family.

    Raises:
        PluginFault: It has none, or none that keeps the contract.
        Exception: Whatever its code raises.
    """
    module = _import(plugin)
    family = _family_in(module, plugin.record.id)
    is_own = plugin.record.source == "bundled"
    return family if is_own else CheckedFamily(family, module.__name__)


def _family_in(module: ModuleType, name: str) -> Family:
    family = getattr(module, "FAMILY", None)
    if family is None:
        raise PluginFault(N_("Its module holds no FAMILY."))
    if not isinstance(family, Family):
        lacking = [member for member in MEMBERS if not hasattr(family, member)]
        raise PluginFault(N_("Its FAMILY lacks {members}."), members=", ".join(lacking))
    if not isinstance(family.title, str):
        raise PluginFault(N_("The title of its FAMILY is no text."))
    if family.id != name:
        raise PluginFault(
            N_("Its FAMILY is named {family}, and its plugin.toml says {name}."),
            family=family.id,
            name=name,
        )
    return family


MEMBERS = (
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


def package_folder(module: str) -> Path:
    """Where a package lies; a parent package is looked up, never imported."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise PluginFault(N_("there is no package {name}"), name=top)
    return Path(places[0], *rest)
