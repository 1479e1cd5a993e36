"""Any model with a Predictor teaches: what it says is what the page of predictions says."""

import numpy as np
import pytest
import torch

from explorer.api.context import Context
from explorer.api.family import LoadOptions, Predictor, Query
from explorer.api.question import UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.host import PluginHost
from explorer.learning.distilling.recipes import begin
from explorer.learning.distilling.teachers.attention_scores import captured_scores
from explorer.learning.distilling.teachers.ported import PortedModel, refuse_other_cuts
from explorer.learning.distilling.teachers.teacher import loaded_teacher, scored
from explorer.learning.plan.choices import Objective
from explorer.objectives import IGNORED
from explorer.paths import Paths
from tests.learning.distilling.small_plans import planned

PATHS = Paths.standard()
BY_PLUGIN = (
    "deberta-v1-miniature",
    "deberta-v2-miniature",
    "deberta-v3-miniature-generator",
    "xlm-miniature",
    "ernie-thu-miniature",
)
BY_TRANSFORMERS = (
    "albert-miniature",
    "roberta-miniature",
    "spanbert-miniature",
    "mobilebert-miniature",
    "electra-miniature-generator",
)


@pytest.fixture(scope="module")
def opened():
    """Models as the program opens them for its pages."""
    host, known = PluginHost(PATHS.bundled_plugins, entry_points=False), {}

    def load(name):
        if name not in known:
            files = inspect_folder(PATHS.bundled_models / name)
            family, _ = host.family_of(files)
            known[name] = family.load(name, files, LoadOptions(device="cpu"), Context())
        return known[name]

    return load


@pytest.mark.parametrize("name", [*BY_PLUGIN, *BY_TRANSFORMERS])
def test_a_teachers_logits_are_those_of_the_page_of_predictions(name, opened):
    run = begin(planned(teacher=name, corpus="world"))
    teacher, model = run.recipe.teacher, opened(name)
    documents = [one.text for one in run.recipe.documents()[:6]]
    masked = [text.split() for text in documents]
    for number, words in enumerate(masked):
        words[1 + number % 3] = teacher.tokenizer.mask_token
    texts = [" ".join(words) for words in masked]
    pieces = teacher.tokenizer(texts, padding=True, return_tensors="pt")
    labels = torch.full_like(pieces["input_ids"], IGNORED)
    asked = pieces["input_ids"] == teacher.tokenizer.mask_token_id
    labels[asked] = 5
    batch = {
        "input_ids": pieces["input_ids"],
        "attention_mask": pieces["attention_mask"],
        "token_type_ids": torch.zeros_like(pieces["input_ids"]),
        "labels": labels,
    }
    with torch.no_grad():
        taught = scored(teacher.model, batch, Objective.MASKED)
    encoded = [model.encode(text) for text in texts]
    queries = [Query(one, one.mask_positions) for one in encoded]
    shown = torch.cat(model.port(Predictor).log_probabilities(queries, Context()))
    for own, one in zip(pieces["input_ids"], encoded, strict=True):
        assert own[: len(one.tokens)].tolist() == one.input_ids[0].tolist()
    assert len(shown) >= len(texts)
    assert torch.allclose(taught.scores.log_softmax(-1), shown, atol=1e-5)
    assert isinstance(teacher.model, PortedModel) is (name in BY_PLUGIN)


@pytest.mark.parametrize("name", BY_PLUGIN)
def test_a_student_of_any_of_them_is_trained_measured_and_written(name, tmp_path, opened):
    run = begin(planned(teacher=name, corpus="world", hidden=1.0, steps=3))
    losses = [run.advance() for _ in range(3)]
    assert {one for one in losses[0] if one.startswith("loss")} == {"loss_soft", "loss_hidden_0"}
    assert all(np.isfinite([*one.values()]).all() for one in losses)
    sentence = f"the {run.tokenizer.mask_token} cooked the soup"
    row = run.recipe.measures(run).row(["the [MASK] cooked the soup"])
    ((words,),) = row["watched_teacher"].values()
    model = opened(name)
    encoded = model.encode(sentence)
    query = Query(encoded, encoded.mask_positions)
    shown = model.port(Predictor).log_probabilities([query], Context())[0][0].exp()
    for piece, share in words:
        number = model.tokenizer.convert_tokens_to_ids(piece)
        assert share == pytest.approx(shown[number].item(), abs=1e-5)
    assert ("teacher" in row) is (name != "xlm-miniature")  # its pieces know capitals
    student = run.recipe.parts(run.model)[""]
    student.save_pretrained(tmp_path)
    run.tokenizer.save_pretrained(tmp_path)
    files = inspect_folder(tmp_path)
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    family, _ = host.family_of(files)
    found = family.load("student", files, LoadOptions(device="cpu"), Context())
    again = found.encode(sentence)
    with torch.no_grad():
        own = student.eval()(input_ids=torch.tensor([encoded.input_ids[0].tolist()])).logits
    told = found.port(Predictor).log_probabilities([Query(again, again.mask_positions)], Context())
    place = encoded.mask_positions[0]
    assert torch.allclose(own[0, place].log_softmax(-1), told[0][0], atol=1e-5)


def test_states_are_those_that_the_layers_leave(opened):
    teacher = loaded_teacher("deberta-v2-miniature", PATHS.bundled_models / "deberta-v2-miniature")
    short, long = "the chef cooked", "the chef cooked the soup"
    pieces = teacher.tokenizer([short, long], padding=True, return_tensors="pt")
    found = teacher.model.states(pieces)
    model = opened("deberta-v2-miniature")
    with torch.no_grad():
        for row, text in enumerate((short, long)):
            ids = model.encode(text).input_ids
            whole = model.module.deberta(ids, output_hidden_states=True).hidden_states
            assert len(whole) == len(found) == 5
            for own, theirs in zip(found, whole, strict=True):
                assert torch.allclose(own[row, : ids.shape[1]], theirs[0], atol=1e-5)
                assert not own[row, ids.shape[1] :].any()


@pytest.mark.parametrize(
    "name", ["roberta-miniature", "electra-miniature-generator", "ernie-miniature"]
)
def test_scores_before_the_softmax_give_the_attention_of_transformers(name):
    teacher = loaded_teacher(name, PATHS.bundled_models / name)
    teacher.model.set_attn_implementation("eager")
    pieces = teacher.tokenizer(["the chef cooked the soup"], return_tensors="pt")
    with torch.no_grad(), captured_scores(teacher.model) as caught:
        told = teacher.model(**pieces, output_attentions=True).attentions
    assert len(caught) == len(told) > 0
    for scores, attention in zip(caught, told, strict=True):
        assert torch.allclose(scores.softmax(-1), attention, atol=1e-6)


def test_rules_that_cut_a_text_otherwise_are_refused():
    teacher = loaded_teacher("xlm-miniature", PATHS.bundled_models / "xlm-miniature")
    own, written = teacher.model.loaded.tokenizer, teacher.tokenizer
    refuse_other_cuts("xlm", own, written, ["The chef cooked the soup, and the cook ate it."])
    with pytest.raises(UserMistake, match="is code, and a student could only be given rules"):
        refuse_other_cuts("xlm", own, written, ["It costs 3.5 a well-known cook's hour."])


def test_a_teacher_of_the_next_piece_is_asked_from_the_left(opened, monkeypatch):
    model = PortedModel(opened("gpt2-miniature"), 2, 128)
    whole = opened("gpt2-miniature").module
    ids = torch.tensor([[5, 9, 17, 30], [6, 10, 18, 31]])
    labels = ids.clone()
    labels[:, 0] = IGNORED
    with torch.no_grad():
        expected = whole(ids).logits.log_softmax(-1)
        assert torch.allclose(model(ids).logits, expected, atol=1e-5)
        asked = model.scores({"input_ids": ids}, labels)
    assert torch.allclose(asked, expected[:, :-1].reshape(6, -1), atol=1e-5)
