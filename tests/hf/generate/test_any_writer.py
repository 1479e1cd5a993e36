"""Models without a plugin write as transformers' own `generate`, with what it keeps and without."""

import json

import pytest

from explorer.api.family import CausalLM, CheckpointFault, Context
from explorer.hf.generate.beams import Search, beam_search
from explorer.hf.generate.loop import write
from tests.hf import tiny
from tests.plugins.auto_checkpoints import GOING_ON, SEES_BEHIND, WRITERS, Kind, save

TEXT = "the cat sat"
LENGTH = 64
BEAMS = 32
"""How far beams are searched: they grow as one text does, of which the whole length is compared."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A tiny random model of a kind, made once."""
    made = {}

    def model_of(name, **settings):
        key = (name, json.dumps(settings))
        if key not in made:
            folder, _ = save(tmp_path_factory.mktemp(name), {**WRITERS, **GOING_ON}[name])
            if settings:
                path = folder / "generation_config.json"
                known = json.loads(path.read_text("utf-8"))
                path.write_text(json.dumps({**known, **settings}), "utf-8")
            made[key] = tiny.load(folder)
        return made[key]

    return model_of


def generated(model, opening, **how):
    """What transformers writes; its own end is kept."""
    import torch

    inputs = model.encode(TEXT).inputs if opening.apart else {}
    inputs = {"input_ids": inputs.get("input_ids", torch.tensor([opening.ids]))}
    inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    found = model.module.generate(
        **inputs,
        **{"max_new_tokens": LENGTH, "do_sample": False, "early_stopping": False, **how},
        pad_token_id=model.tokenizer.pad_token_id or 0,
    )
    ids = found[0].tolist()[len(opening.ids) :]
    ends = [place for place, one in enumerate(ids) if one in opening.ends]
    return ids[: ends[0] + 1] if ends else ids


def greedy(model, most=LENGTH, **how):
    writing = model.port(CausalLM).writing(model.encode(TEXT), **how)
    return [step.id for step in write(writing, most, Context())]


def searched(model, most=LENGTH, beams=2, **how):
    writing = model.port(CausalLM).writing(model.encode(TEXT), **how)
    tree = beam_search(writing, Search(beams=beams, most=most), lambda *_: None, Context())
    return tree.ids(tree.best)


@pytest.mark.parametrize("name", [*WRITERS, *GOING_ON])
def test_greedy_texts_and_beams_are_transformers_own(name, loaded):
    # Random weights repeat themselves, and two that do would agree by chance.
    model = loaded(name, no_repeat_ngram_size=2)
    port = model.port(CausalLM)
    assert port.goes_on == (name != "mamba")
    opening = port.writing(model.encode(TEXT)).opening
    assert opening.apart == port.apart == (name in WRITERS)
    ids = greedy(model)
    assert ids == generated(model, opening)
    assert len(set(ids)) > 5
    beams = generated(model, opening, num_beams=2, max_new_tokens=BEAMS)
    assert searched(model, BEAMS) == beams
    assert greedy(model, 12, cached=False) == greedy(model, 12)
    assert searched(model, 12, cached=False) == searched(model, 12)


RULES = (
    {"forced_bos_token_id": 7, "forced_eos_token_id": 2},
    {"no_repeat_ngram_size": 2, "min_length": 20},
    {"repetition_penalty": 1.7, "bad_words_ids": [[5], [6, 7]]},
    {"encoder_no_repeat_ngram_size": 1, "suppress_tokens": [8, 9]},
)


@pytest.mark.parametrize("rules", RULES, ids=lambda one: next(iter(one)))
def test_what_a_generation_config_asks_for_is_done(rules, loaded):
    free = loaded("bart")
    model = loaded("bart", **{"forced_eos_token_id": None, **rules})
    opening = model.port(CausalLM).writing(model.encode(TEXT)).opening
    assert dict(opening.rules) == rules
    ids = greedy(model, 24)
    assert ids == generated(model, opening, max_new_tokens=24)
    assert ids != greedy(free, 24)
    assert searched(model, 24, beams=3) == generated(model, opening, max_new_tokens=24, num_beams=3)
    if "forced_bos_token_id" in rules:
        writing = model.port(CausalLM).writing(model.encode(TEXT))
        steps = list(write(writing, 24, Context()))
        assert (steps[0].id, steps[-1].id) == (7, 2)
        assert float(steps[0].warped.shares[7]) == 1.0
        assert float(steps[0].warped.logs[7].exp()) < 1.0  # the model's own stays what it is


def test_a_generation_config_that_says_nothing_of_use_is_told(tmp_path):
    folder, _ = save(tmp_path / "bart", WRITERS["bart"])
    path = folder / "generation_config.json"
    path.write_text("{", "utf-8")
    with pytest.raises(CheckpointFault, match=r"generation_config\.json can't be read"):
        tiny.load(folder)
    path.write_text(json.dumps({"no_repeat_ngram_size": "three"}), "utf-8")
    model = tiny.load(folder)
    with pytest.raises(CheckpointFault, match="no_repeat_ngram_size can't be three"):
        greedy(model)


def test_what_writes_with_other_pieces_than_it_reads_is_refused(tmp_path):
    folder, _ = save(
        tmp_path / "marian",
        WRITERS["marian"],
        share_encoder_decoder_embeddings=False,
        tie_word_embeddings=False,
    )
    model = tiny.load(folder)
    assert CausalLM not in model.ports
    assert "other pieces than its encoder reads" in model.refused[CausalLM]


XLNET = {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48, "initializer_range": 0.3}


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Kind("XLNet", "LMHeadModel", "t5", XLNET), "its head predicts alone"),
        (SEES_BEHIND, "its decoder writes token by token"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_what_sees_the_tokens_behind_does_not_go_on(tmp_path, kind, told):
    model = tiny.load(save(tmp_path / "model", kind)[0])
    assert CausalLM not in model.ports
    assert told in model.refused[CausalLM]
    assert "transformers' own forward" in model.refused[CausalLM]
