"""How each miniature is made: one file each. To add one, write the file into a folder.

``python -m explorer.pretraining NAME`` finds ``recipes/*/NAME.py`` (with "_" for "-") and trains
the RECIPE that it defines; NAME-alone trains a student's rival.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from explorer.pretraining.distillation.students import AloneRecipe, StudentRecipe
from explorer.pretraining.miniature import MiniatureRecipe

ALONE = "-alone"


@cache
def _modules() -> Mapping[str, str]:
    """Full names of the recipes' modules, by what they are called on the command line."""
    found = (one for one in pkgutil.walk_packages(__path__, f"{__name__}.") if not one.ispkg)
    return {one.name.rpartition(".")[2].replace("_", "-"): one.name for one in found}


def recipe_names() -> tuple[str, ...]:
    """Names on the command line, each behind those whose miniatures it needs."""
    recipes = {name: load_recipe(name) for name in sorted(_modules())}
    for name, recipe in list(recipes.items()):
        if isinstance(recipe, StudentRecipe):
            recipes[name + ALONE] = load_recipe(name + ALONE)
    makers = {recipe.name: name for name, recipe in recipes.items()}
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        for needed in recipes[name].needs:
            add(makers[needed])
        ordered[name] = None

    for name in recipes:
        add(name)
    return tuple(ordered)


def load_recipe(name: str) -> MiniatureRecipe:
    """Import one recipe by name.

    Raises:
        KeyError: there is no such recipe.
    """
    family = name.removesuffix(ALONE)
    if family not in _modules():
        raise KeyError(name)
    recipe = importlib.import_module(_modules()[family]).RECIPE
    if name == family and isinstance(recipe, MiniatureRecipe):
        return recipe
    if isinstance(recipe, StudentRecipe):
        return AloneRecipe(recipe)
    raise KeyError(name)
