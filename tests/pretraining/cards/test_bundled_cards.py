"""The cards that are bundled are worded as the card writer words them today."""

import json
import re
from dataclasses import replace

import pytest

from explorer.paths import Paths
from explorer.pretraining.cards import (
    answers,
    choices,
    graph_questions,
    korean,
    labels,
    masked,
    next_tokens,
    prompts,
    replaced_tokens,
    sentiment,
    spans,
    tasks,
    translations,
)
from explorer.pretraining.measures import comparison
from explorer.pretraining.recipes import load_recipe, recipe_names
from explorer.pretraining.recipes.encoders import albert, spanbert

MODELS = Paths.standard().bundled_models
NUMBER = re.compile(r"\d[\d,.]*")
NAMES = [name for name in recipe_names() if not name.endswith("-alone")]
ONE_OF_EACH = {
    *("ernie", "electra", "spanbert", "gpt1", "gpt1-choice", "gpt2-prompts", "xlm"),
    *("bert-labels", "electra-answers", "kagnet", "t5", "bert-korean", "bert-korean-sentiment"),
}
"""One that each writer of cards writes; the others are measured with --all."""
CARDS = [
    pytest.param(name, marks=() if name in ONE_OF_EACH else pytest.mark.costly) for name in NAMES
]


def worded(card):
    """A card without its numbers, and without what the model answers."""
    lines = card.splitlines()
    return [
        NUMBER.sub("#", line)
        for line in lines
        if not line.startswith(("  ", "- Going on", "Pieces of masked spans"))
    ]


@pytest.mark.parametrize("name", CARDS)
def test_a_bundled_card_is_worded_as_the_writer_words_it(name, monkeypatch, quiet_loading):
    from transformers import AutoTokenizer

    kinds = (answers, graph_questions, labels, masked, next_tokens, prompts, replaced_tokens, spans)
    for kind in (*kinds, sentiment, translations):
        monkeypatch.setattr(kind, "UNSEEN", 10)
    for kind in (choices, tasks):  # what could be known at best takes long
        monkeypatch.setattr(kind, "UNSEEN", 2)
    for module in (albert, spanbert):
        monkeypatch.setattr(module, "UNSEEN", 10)
    monkeypatch.setattr(answers, "DOCUMENTS", 20)
    monkeypatch.setattr(korean, "EACH", 2)
    monkeypatch.setattr(labels, "USUAL", 200)
    recipe = load_recipe(name)
    # A rival that a card measures is trained here, for numbers that are not compared.
    monkeypatch.setattr(recipe, "schedule", replace(recipe.schedule, steps=4))
    folders = sorted(path.parent for path in MODELS.glob(f"{recipe.name}*/curve.json"))
    tokenizer = AutoTokenizer.from_pretrained(folders[0])
    fresh = recipe.parts(recipe.make_model(tokenizer))
    assert {MODELS / (recipe.name + part) for part in fresh} == set(folders)
    written = {
        part: type(model).from_pretrained(MODELS / (recipe.name + part), dtype="float32").eval()
        for part, model in fresh.items()
    }
    for part, model in written.items():
        folder = MODELS / (recipe.name + part)
        readme = (folder / "README.md").read_text("utf-8")
        (minutes,) = re.findall(r"(\d+) minutes by the clock", readme)
        run = {
            "steps": json.loads((folder / "curve.json").read_text("utf-8"))["steps"],
            "seed": 1,
            "minutes": int(minutes),
            "documents": recipe.schedule.documents,
            "examples": recipe.schedule.examples,
            "files": folder,
            "part": part,
            "parts": written,
        }
        card = recipe.card(model, tokenizer, run)
        if (folder / comparison.FILE).is_file():
            section = comparison.section(comparison.read(folder))
            assert section in readme
            card = comparison.with_section(card, section)
        assert worded(card) == worded(readme)
        # What needs no measuring is the same to the last digit.
        assert card.split("\n## ")[0] == readme.split("\n## ")[0]
        assert card.split("\n## ")[-1] == readme.split("\n## ")[-1]
