"""What comes next, with and without what was read before, beside transformers' own `generate`."""

import pytest

from explorer.api.family import CausalLM, Context, UserMistake
from explorer.hf.generate.beams import BranchFate, Search, beam_search
from explorer.hf.generate.loop import write
from tests.hf import tiny
from tests.hf.every_family import Checkpoints
from tests.hf.kept import bundled, miniature

TEXT = "The chef cooked the"
LENGTH = 64


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("families"))


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """Random weights of a family with room for long texts, by family."""
    from explorer.hf.family.tiny import write_tiny

    loaded = {}

    def model_of(family_id):
        if family_id not in loaded:
            folder = tmp_path_factory.mktemp(family_id)
            config = {"n_positions": 96}
            write_tiny(tiny.families().family(family_id), folder, config=config)
            loaded[family_id] = tiny.load(folder)
        return loaded[family_id]

    return model_of


def opened(model, text=TEXT, **how):
    return model.port(CausalLM).writing(model.encode(text), **how)


def generated(model, writing, **how):
    """What transformers writes, without what stands before it."""
    import torch

    if writing.opening.apart:
        inputs = model.encode(TEXT).inputs
    else:
        inputs = {"input_ids": torch.tensor([writing.opening.ids])}
    inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    found = model.module.generate(
        **inputs,
        max_new_tokens=LENGTH,
        do_sample=False,
        pad_token_id=0,
        eos_token_id=list(writing.opening.ends) or None,
        **how,
    )
    ids = found[0].tolist()[len(writing.opening.ids) :]
    ends = [place for place, one in enumerate(ids) if one in writing.opening.ends]
    return ids[: ends[0] + 1] if ends else ids


FAMILIES = ["gpt1", "gpt2", "t5"]
MINIATURES = [f"{name}-miniature" for name in FAMILIES]


@pytest.mark.parametrize("name", [*FAMILIES, *MINIATURES])
def test_greedy_text_is_transformers_own(name, longer):
    model = miniature(name) if name in MINIATURES else longer(name)
    writing = opened(model)
    ids = [step.id for step in write(writing, LENGTH, Context())]
    assert ids == generated(model, writing)
    assert len(ids) == LENGTH or ids[-1] in writing.opening.ends


@pytest.mark.parametrize("name", [*FAMILIES, *MINIATURES])
def test_texts_are_the_same_when_nothing_is_kept_of_what_was_read(name, longer):
    model = miniature(name) if name in MINIATURES else longer(name)
    search = Search(beams=3, most=24)
    for text in ("The chef cooked the", "It"):
        kept, anew = opened(model, text), opened(model, text, cached=False)
        assert [one.id for one in write(kept, 24, Context())] == [
            one.id for one in write(anew, 24, Context())
        ]
        kept, anew = opened(model, text), opened(model, text, cached=False)
        trees = [beam_search(one, search, lambda *_: None, Context()) for one in (kept, anew)]
        assert trees[0].ids(trees[0].best) == trees[1].ids(trees[1].best)


@pytest.mark.parametrize(
    ("name", "penalty", "early"),
    [
        *((name, 1.0, False) for name in (*FAMILIES, *MINIATURES)),
        *(("gpt2-miniature", *how) for how in ((0.0, False), (2.0, True), (-1.0, True))),
        *(("t5-miniature", *how) for how in ((0.0, False), (2.0, True), (-1.0, True))),
    ],
)
def test_beams_are_transformers_own(name, penalty, early, longer):
    model = miniature(name) if name in MINIATURES else longer(name)
    writing = opened(model)
    search = Search(beams=4, most=LENGTH, length_penalty=penalty, early=early)
    tree = beam_search(writing, search, lambda *_: None, Context())
    expected = generated(model, writing, num_beams=4, length_penalty=penalty, early_stopping=early)
    assert tree.ids(tree.best) == expected
    best = tree.branches[tree.best]
    assert best.fate is BranchFate.ENDED
    logs = [tree.branches[one].log_probability for one in tree.path(tree.best)]
    assert best.sum == pytest.approx(sum(logs), abs=1e-4)
    assert best.score == pytest.approx(best.sum / len(logs) ** penalty)


def test_a_tree_keeps_what_was_looked_at_and_left():
    writing = opened(miniature("gpt2-miniature"))
    tree = beam_search(writing, Search(beams=3, most=5), lambda one, _: one, Context())
    for step in range(1, 5):
        here = [one for one in tree.branches if one.step == step]
        assert len(here) == 6  # twice as many as there are beams
        assert {one.fate for one in here} >= {BranchFate.PRUNED}
    for number, branch in enumerate(tree.branches):
        if branch.parent is not None:
            assert tree.branches[branch.parent].fate is not BranchFate.PRUNED
            assert branch.parent < number
        logs = tree.seen[branch.parent].logs
        assert float(logs[branch.id]) == pytest.approx(branch.log_probability, abs=1e-5)


def test_given_tokens_come_first_and_the_rest_follows_from_them():
    model = miniature("gpt2-miniature")
    writing = opened(model)
    own = [one.id for one in write(writing, 8, Context())]
    other = int(write(opened(model), 1, Context()).__next__().warped.logs.topk(2).indices[1])
    taken = [own[0], other]
    steps = list(write(opened(model), 8, Context(), taken=taken))
    assert [one.id for one in steps[:2]] == taken
    assert [one.taken for one in steps] == [True, True] + [False] * 6
    after = model.module.generate(
        input_ids=__import__("torch").tensor([[*writing.opening.ids, *taken]]),
        max_new_tokens=6,
        do_sample=False,
    )
    assert [one.id for one in steps[2:]] == after[0].tolist()[-6:]
    search = Search(beams=2, most=8, taken=tuple(taken))
    tree = beam_search(opened(model), search, lambda *_: None, Context())
    assert tree.ids(tree.best)[:2] == taken


def test_every_bundled_model_that_writes_says_so_before_it_is_loaded():
    assert bundled(CausalLM) == (
        "gpt1-choice-miniature",
        "gpt1-miniature",
        "gpt2-miniature",
        "gpt2-prompts-miniature",
        "t5-miniature",
        "t5-tasks-miniature",
    )


@pytest.mark.parametrize("kind", ["llama"])
def test_a_model_without_a_plugin_writes_as_transformers_does(kind, checkpoints):
    (model,) = [one for one in checkpoints.models("auto") if one.module.config.model_type == kind]
    port = model.port(CausalLM)
    assert port.goes_on
    writing = opened(model, "the cat")
    ids = [one.id for one in write(writing, 8, Context())]
    assert ids == generated(model, writing)[:8]


def test_a_causal_xlm_reads_what_it_wrote_in_the_language_of_the_text(tmp_path):
    import torch

    from plugins.xlm import tiny as write_xlm

    write_xlm(tmp_path / "xlm-clm-enfr-1024")
    model = tiny.load(tmp_path / "xlm-clm-enfr-1024")
    writing = model.port(CausalLM).writing(model.encode("the cat", languages=("fr",)))
    assert not writing.opening.tokens[-1].special
    ids = [one.id for one in write(writing, 4, Context())]
    read = list(writing.opening.ids)
    for one in ids:
        langs = torch.ones((1, len(read)), dtype=torch.long)
        with torch.inference_mode():
            logits = model.module(input_ids=torch.tensor([read]), langs=langs).logits
        assert one == int(logits[0, -1].argmax())
        read.append(one)


def test_the_last_token_needs_no_place_and_no_more_are_written(checkpoints):
    (model,) = checkpoints.models("gpt2")
    writing = opened(model, "the cat sat on the mat")
    room = 24 - len(writing.opening.ids) + 1
    assert len(list(write(writing, 100, Context()))) == room
    (given,) = {one.id for one in write(opened(model), 1, Context())}
    search = Search(beams=2, most=100, taken=(given,) * 40)
    writing = opened(model, "the cat sat on the mat")
    tree = beam_search(writing, search, lambda *_: None, Context())
    assert tree.ids(tree.best) == [given] * room


def test_a_masked_model_has_no_such_port_and_says_why():
    model = miniature("bert-miniature")
    assert CausalLM not in model.ports
    assert "does not write" in model.refused[CausalLM]


def test_a_full_text_and_an_empty_one_are_refused(checkpoints):
    (model,) = checkpoints.models("gpt1")
    with pytest.raises(UserMistake, match="more tokens than the model can read: 24"):
        opened(model, "the cat sat on the mat " * 12)
    with pytest.raises(UserMistake, match="nothing to continue"):
        opened(model, "")
    with pytest.raises(UserMistake, match="follows a mask"):
        opened(model, "the [MASK]")
