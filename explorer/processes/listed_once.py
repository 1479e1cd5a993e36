"""transformers' list of its own modules, made once.

While it is imported it reads the sources of all of its models, some three thousand files, for what
each of them exports; and then once more, for `transformers.models`. That was a twelfth of what the
processor does until an engine is ready.
"""

import functools
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

READS = "transformers.utils.import_utils"
LISTS = "create_import_structure_from_path"
"""Its function that lists what is below a folder; nobody changes what it gives."""


def list_once() -> None:
    """Let transformers list its modules once, if it is imported from now on."""
    if READS not in sys.modules and not any(isinstance(one, _ListFinder) for one in sys.meta_path):
        sys.meta_path.insert(0, _ListFinder())


class _ListFinder(MetaPathFinder):
    """Finds the module that lists as everybody does, and has it remember."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  as all finders are asked
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """As of a `MetaPathFinder`; None for any other module."""
        if fullname != READS:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def and_remember(module: ModuleType) -> None:
                execute(module)
                if (lists := getattr(module, LISTS, None)) is not None:
                    setattr(module, LISTS, functools.cache(lists))

            spec.loader.exec_module = and_remember  # type: ignore[method-assign]
        return spec
