"""What a linear classifier reads in frozen states."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from explorer.learning.experiments import reading
from explorer.learning.experiments.reading import classified, mention_read, order_read
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.training_text import HeldOutText

SMALL = TrainingPlan(layers=1, width=16, heads=2, batch=4, steps=2)


@pytest.fixture(scope="module")
def recipe() -> Any:
    return recipe_of(SMALL)


@pytest.fixture(scope="module")
def tokenizer(recipe: Any) -> Any:
    return recipe.make_tokenizer()


def marked(tokenizer: Any, mark: Any) -> Any:
    """A body whose states say what a function does of tokens and segments."""

    def body(input_ids: Any, attention_mask: Any, token_type_ids: Any, **_options: Any) -> Any:
        rows = [
            [mark(row.tolist(), kinds.tolist(), place) for place in range(len(row))]
            for row, kinds in zip(input_ids, token_type_ids, strict=True)
        ]
        states = torch.tensor(rows, dtype=torch.float64) * attention_mask[..., None]
        return SimpleNamespace(last_hidden_state=states, hidden_states=(states, 3 * states))

    body.config = SimpleNamespace(type_vocab_size=2)  # type: ignore[attr-defined]
    return SimpleNamespace(base_model=body)


def test_order_is_read_where_states_have_it_and_not_in_the_words(
    recipe: Any, tokenizer: Any
) -> None:
    texts = recipe.text.held_out(300)
    then = tokenizer.convert_tokens_to_ids("then")
    known = marked(
        tokenizer,
        # A text that was swapped can begin with what goes on.
        lambda row, kinds, place: [float(then in row[:2]), float(kinds[place]), 1.0],
    )
    words = marked(tokenizer, lambda row, kinds, place: [float(row[place] == then), 1.0])
    assert order_read(known, tokenizer, texts) > order_read(words, tokenizer, texts) + 0.05
    assert order_read(words, tokenizer, texts) == pytest.approx(0.5, abs=0.12)


def test_only_words_of_several_rules_are_asked_about(
    monkeypatch: pytest.MonkeyPatch, tokenizer: Any
) -> None:
    texts = [
        HeldOutText(
            ("the", "chef", "peeled", "the", "potato", "."), ("a", "b", "c", "d", "e", "f")
        ),
        HeldOutText(("the", "chef", "cut", "the", "potato", "."), ("a", "g", "c", "d", "e", "f")),
    ]
    asked = []
    monkeypatch.setattr(
        reading,
        "classified",
        lambda states, labels, _fitted: asked.append((states, labels.tolist())) or 1.0,
    )
    model = marked(tokenizer, lambda row, _kinds, place: [float(row[place]), float(place)])
    assert mention_read(model, tokenizer, texts) == 1.0
    ((states, labels),) = asked
    # "the" is of a and d, "chef" of b and g; places count from [CLS] on.
    assert labels == [0, 1, 2, 0, 3, 2]
    numbers = [int(tokenizer.convert_tokens_to_ids(word)) for word in ("the", "chef", "the")]
    assert [int(row[0]) for row in states] == numbers * 2
    assert [int(row[1]) for row in states][:2] == [1, 2]


def test_a_classifier_is_asked_about_what_it_was_not_fitted_to() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=400)
    states = np.column_stack((labels == 0, labels == 1, rng.normal(size=400))).astype(float)
    assert classified(states, labels, 200) == 1.0
    changed = labels.copy()
    changed[200:] = (changed[200:] + 1) % 3
    assert classified(states, changed, 200) == 0.0


def test_a_detector_is_read_in_its_discriminator() -> None:
    halves = torch.nn.ModuleDict({"generator": torch.nn.Linear(2, 2), "discriminator": Body()})
    assert reading.body_of(halves) == "layers"
    assert reading.body_of(Body()) == "layers"


class Body(torch.nn.Module):
    base_model = "layers"
