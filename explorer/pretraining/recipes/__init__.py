"""How each miniature is made: one file a family. To add one, write the file.

``python -m explorer.pretraining NAME`` finds ``recipes/NAME.py`` (with "_" for "-") and trains the
RECIPE that it defines; NAME-alone trains a student's rival.
"""

from __future__ import annotations

import importlib
import pkgutil

from explorer.pretraining.distillation.students import AloneRecipe, StudentRecipe
from explorer.pretraining.miniature import MiniatureRecipe

ALONE = "-alone"


def recipe_names() -> tuple[str, ...]:
    """Names on the command line, each behind those whose miniatures it needs."""
    names = sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))
    recipes = {name: load_recipe(name) for name in names}
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
    module = f"{__name__}.{family.replace('-', '_')}"
    try:
        recipe = importlib.import_module(module).RECIPE
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise KeyError(name) from error
    if name == family and isinstance(recipe, MiniatureRecipe):
        return recipe
    if isinstance(recipe, StudentRecipe):
        return AloneRecipe(recipe)
    raise KeyError(name)
