"""The methods that this process knows: the program's, those of plugins, and any file's.

The program's are found by being in its folder of methods, a file each that holds `METHOD`.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from explorer.api.attribution import AttributionMethod
from explorer.api.family import UserMistake
from explorer.attribution import methods
from explorer.attribution.bringing import brought
from explorer.attribution.foreign import ForeignMethod, is_file, method_in
from explorer.text import N_


@cache
def own_methods() -> Mapping[str, AttributionMethod]:
    """The program's own by name, in the order in which they are listed."""
    every = pkgutil.walk_packages(methods.__path__, f"{methods.__name__}.")
    found: list[AttributionMethod] = [
        importlib.import_module(one.name).METHOD for one in every if not one.ispkg
    ]
    found.sort(key=lambda method: method.order)
    return MappingProxyType({method.name: method for method in found})


def method_of(name: str) -> AttributionMethod | ForeignMethod:
    """A method by its name, or by the path of the file that it is in, which is run.

    Raises:
        UserMistake: There is none, or the file is none.
        PluginFault: The file's code fails.
    """
    known = own_methods().get(name) or brought().get(name)
    if known is not None:
        return known
    if is_file(name):
        found = method_in(name)
        if found.method.name in own_methods():
            raise UserMistake(
                N_("The method in {file} is named {name}, as one of the program's: rename it."),
                file=found.source,
                name=found.method.name,
            )
        return found
    raise UserMistake(
        N_("There is no method {name}."),
        N_("Give one of {names}, or a file that ends in .py."),
        name=name,
        names=", ".join((*own_methods(), *brought())),
    )
