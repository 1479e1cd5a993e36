"""How each miniature is made: one file a family. To add one, write the file and name it here."""

from __future__ import annotations

import importlib
from typing import Final

from explorer.pretraining.recipe import Recipe

# Name on the command line: module in this folder that defines RECIPE.
RECIPES: Final = {"bert": "bert"}


def load_recipe(name: str) -> Recipe:
    """Import one recipe by name.

    Raises:
        KeyError: there is no such recipe.
    """
    module = importlib.import_module(f"{__name__}.{RECIPES[name]}")
    recipe = module.RECIPE
    if not isinstance(recipe, Recipe):
        raise TypeError(f"{module.__name__}.RECIPE is not a Recipe.")
    return recipe
