"""How each miniature is made: one file a family. To add one, write the file and name it here."""

from __future__ import annotations

import importlib
from typing import Final

from explorer.pretraining.recipe import Recipe

# Name on the command line: module in this folder that defines RECIPE.
RECIPES: Final = {
    "bert": "bert",
    "electra": "electra",
    "deberta-v1": "deberta_v1",
    "deberta-v2": "deberta_v2",
    "deberta-v3": "deberta_v3",
    "roberta": "roberta",
    "albert": "albert",
    "spanbert": "spanbert",
    "ernie": "ernie",
    "distilbert": "distilbert",
    "distilbert-alone": "distilbert_alone",
    "tinybert": "tinybert",
    "tinybert-alone": "tinybert_alone",
    "ib-bert": "ib_bert",
    "mobilebert": "mobilebert",
    "mobilebert-alone": "mobilebert_alone",
    "gpt1": "gpt1",
    "gpt2": "gpt2",
    "t5": "t5",
    "xlm": "xlm",
}


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
