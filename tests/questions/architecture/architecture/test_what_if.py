"""Changed numbers, against models that transformers makes with those numbers."""

import json

import pytest
import torch
import transformers

from explorer.api.question import Context, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.hf.family import counting
from explorer.paths import Paths
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.architecture.architecture.what_if.changes import (
    NOTES,
    NOTES_CHANGES,
    NOTES_SIZES,
)
from explorer.questions.architecture.architecture.what_if.parts import embedding_sum

BERT = {
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
GPT = {
    "model_type": "gpt2",
    "vocab_size": 50257,
    "n_embd": 768,
    "n_layer": 12,
    "n_head": 12,
    "n_positions": 1024,
}
T5 = {
    "model_type": "t5",
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 6,
    "num_decoder_layers": 6,
    "num_heads": 8,
}
DEBERTA = BERT | {
    "model_type": "deberta-v2",
    "relative_attention": True,
    "position_biased_input": False,
    "max_relative_positions": -1,
    "pos_att_type": "p2c|c2p",
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "type_vocab_size": 0,
}
XLM = {
    "model_type": "xlm",
    "n_words": 1000,
    "emb_dim": 64,
    "n_layers": 3,
    "n_heads": 4,
    "max_position_embeddings": 128,
    "n_langs": 2,
}
SMALLER = {
    "vocabulary": 5000,
    "hidden_size": 384,
    "layers": 2,
    "heads": 8,
    "feed_forward_size": 640,
}
KEYS = {
    "bert": {
        "vocabulary": "vocab_size",
        "hidden_size": "hidden_size",
        "layers": "num_hidden_layers",
        "heads": "num_attention_heads",
        "feed_forward_size": "intermediate_size",
    },
    "gpt2": {
        "vocabulary": "vocab_size",
        "hidden_size": "n_embd",
        "layers": "n_layer",
        "heads": "n_head",
        "feed_forward_size": "n_inner",
    },
    "t5": {
        "vocabulary": "vocab_size",
        "hidden_size": "d_model",
        "layers": "num_layers",
        "heads": "num_heads",
        "feed_forward_size": "d_ff",
    },
    "xlm": {
        "vocabulary": "n_words",
        "hidden_size": "emb_dim",
        "layers": "n_layers",
        "heads": "n_heads",
    },
}
ALBERT = BERT | {"model_type": "albert", "embedding_size": 128}
ELECTRA = BERT | {"model_type": "electra", "embedding_size": 128}
KEYS["albert"] = KEYS["electra"] = KEYS["bert"] | {"embedding_size": "embedding_size"}
CASES = {
    "bert": ("BertForMaskedLM", BERT),
    "albert": ("AlbertForMaskedLM", ALBERT),
    "electra": ("ElectraForMaskedLM", ELECTRA),
    "gpt2": ("GPT2LMHeadModel", GPT),
    "t5": ("T5ForConditionalGeneration", T5),
    "xlm": ("XLMWithLMHeadModel", XLM),
}


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = PluginHost(Paths.standard().bundled_plugins, entry_points=False)
    empty = tmp_path_factory.mktemp("hub")
    return Runner(host, Catalogue(host, Paths.standard().bundled_models, empty, offline=True))


@pytest.fixture
def ask(runner, tmp_path):
    def asked(config, what_if=(), **request):
        if isinstance(config, dict):
            file, text = tmp_path / "config.json", json.dumps(config)
            if not file.exists() or file.read_text() != text:
                file.write_text(text)
            config = str(tmp_path)
        return runner.ask(
            ArchitectureRequest(config, what_if=tuple(what_if), **request), {}, Context()
        )

    return asked


def counted(model_class, config):
    """Numbers of transformers' own model, each tensor once."""
    made = getattr(transformers, model_class)
    with torch.device("meta"):
        module = made(made.config_class(**config))
    module.tie_weights()
    return sum({id(one): one.numel() for one in module.parameters()}.values())


@pytest.mark.parametrize("family", CASES)
def test_every_slider_is_the_model_with_that_number(ask, family):
    model_class, config = CASES[family]
    # Every layer is counted alike, and three take a quarter of the time of twelve.
    config = config | {"architectures": [model_class], KEYS[family]["layers"]: 3}
    if family == "t5":
        config["num_decoder_layers"] = 3
    without = counted(model_class, config)
    for name, key in KEYS[family].items():
        value = {**SMALLER, "embedding_size": 64}[name]
        other = config | {key: value}
        if family == "t5" and name == "layers":
            other["num_decoder_layers"] = value
        result = ask(config, [(name, value)])
        assert name in result.possible
        assert result.parameters.unique == without
        assert result.changed.parameters.unique == counted(model_class, other), name
        assert getattr(result.changed.blueprint, name) == value
        # What it is asked anew as, with that config, it answers in every number.
        again = ask(other)
        assert result.changed.parameters == again.parameters
        assert result.changed.work == again.work
        assert result.changed.memory == again.memory_bytes


def test_the_next_step_of_a_slider_does_not_count_the_model_itself_again(ask, monkeypatch):
    passes = []
    count = counting.count_pass
    monkeypatch.setattr(counting, "count_pass", lambda *args: (passes.append(1), count(*args))[1])
    config = BERT | {"vocab_size": 30523, "num_hidden_layers": 3}
    first = ask(config, [("layers", 5)])
    assert len(passes) == 2
    second = ask(config, [("layers", 6)])
    assert len(passes) == 3
    assert second.parameters == first.parameters
    assert second.work == first.work
    assert second.tree == first.tree
    # Another text, another number of texts and another config are counted anew.
    assert ask(config, length=64).work != first.work
    assert ask(config, batch=2).memory_bytes != first.memory_bytes
    assert ask(config | {"vocab_size": 30524}).parameters != first.parameters
    assert len(passes) == 6


def test_deberta_is_counted_by_its_own_classes(ask):
    result = ask(DEBERTA, [("layers", 5)])
    again = ask(DEBERTA | {"num_hidden_layers": 5})
    assert result.changed.parameters == again.parameters
    assert result.changed.work == again.work


@pytest.mark.parametrize("narrow", [64, 128, 768])
@pytest.mark.parametrize("layers", [1, 12])
def test_factorised_and_shared_is_albert(ask, narrow, layers):
    """ALBERT has a projection even where both widths are the same."""
    config = BERT | {"architectures": ["BertForMaskedLM"]}
    values = [("embedding_size", narrow), ("sharing", "all"), ("layers", layers)]
    changed = ask(config, values).changed
    albert = BERT | {"embedding_size": narrow, "num_hidden_layers": layers}
    expected = counted("AlbertForMaskedLM", albert | {"num_hidden_groups": 1})
    assert changed.parameters.unique == expected - (768 * 768 + 768) * (narrow == 768)
    assert changed.blueprint.embedding_size == narrow


def test_factorised_it_runs_as_electra_does(ask):
    """ELECTRA's generator is a BERT with a matrix behind its tables."""
    bert = ask(BERT | {"architectures": ["BertForMaskedLM"]}, [("embedding_size", 128)]).changed
    electra = ask(ELECTRA | {"architectures": ["ElectraForMaskedLM"]})
    assert bert.parameters == electra.parameters
    assert bert.kinds == electra.kinds
    assert bert.work == electra.work
    assert bert.memory == electra.memory_bytes


def test_albert_without_sharing_is_a_bert_with_a_matrix(ask):
    few = ALBERT | {"num_hidden_layers": 4}
    one = few | {"architectures": ["AlbertForMaskedLM"]}
    shared = ask(one, [("sharing", "none")])
    config = few | {"num_hidden_groups": 4}
    assert shared.changed.parameters.unique == counted("AlbertForMaskedLM", config)
    assert shared.parameters.unique == counted("AlbertForMaskedLM", few)
    part = ask(one, [("sharing", "attention")]).changed.parameters
    assert shared.parameters.unique < part.unique < shared.changed.parameters.unique
    assert part.total == shared.parameters.total == shared.changed.parameters.total


def test_sharing_a_part_saves_that_part(ask):
    config = BERT | {"architectures": ["BertForMaskedLM"], "num_hidden_layers": 4}
    none, attention, feed_forward, every = (
        ask(config, [("sharing", key)]).changed.parameters
        for key in ("none", "attention", "feed_forward", "all")
    )
    width, inner = 768, 3072
    one_attention = 4 * (width * width + width) + 2 * width
    one_feed_forward = 2 * width * inner + inner + width + 2 * width
    assert none.unique - attention.unique == 3 * one_attention
    assert none.unique - feed_forward.unique == 3 * one_feed_forward
    assert none.unique - every.unique == 3 * (one_attention + one_feed_forward)
    assert none.total == attention.total == feed_forward.total == every.total


def test_a_norm_is_shared_with_what_it_stands_before(ask):
    """T5's decoder has two kinds of attention in a layer, each behind a norm of its own."""
    config = T5 | {"architectures": ["T5ForConditionalGeneration"]}
    none, attention, feed_forward, every = (
        ask(config, [("sharing", key)]).changed.parameters
        for key in ("none", "attention", "feed_forward", "all")
    )
    width, inner, wide = 512, 8 * 64, 2048
    one_attention = 4 * width * inner + width
    one_feed_forward = 2 * width * wide + width
    assert none.unique - attention.unique == 5 * 3 * one_attention
    assert none.unique - feed_forward.unique == 5 * 2 * one_feed_forward
    assert none.unique - every.unique == 5 * (3 * one_attention + 2 * one_feed_forward)


@pytest.mark.parametrize("family", ["gpt2", "t5"])
def test_shared_layers_do_the_same_work(ask, family):
    model_class, config = CASES[family]
    result = ask(config | {"architectures": [model_class]}, [("sharing", "all")])
    assert result.changed.parameters.unique < result.parameters.unique / 2
    assert result.changed.parameters.total == result.parameters.total
    assert result.changed.work == result.work


def test_the_notes_example(ask):
    """30000 x 64 + 64 x 768 = 1,969,152 in place of 30000 x 768, 23M."""
    result = ask(NOTES, NOTES_CHANGES, sizes=NOTES_SIZES)
    assert embedding_sum(result.blueprint) == ("30,000 × 768", 23_040_000)
    assert embedding_sum(result.changed.blueprint) == ("30,000 × 64 + 64 × 768", 1_969_152)
    config = BERT | {"vocab_size": 30_000}
    assert result.parameters.unique == counted("BertForPreTraining", config)
    # Tables, their norm, the matrix; and the head back to 64.
    narrower = (30_000 + 512 + 2 + 2) * (768 - 64) - (64 * 768 + 768)
    head = (768 - 64) * (768 + 1 + 2)
    assert result.parameters.unique - result.changed.parameters.unique == narrower + head


def test_a_width_that_the_heads_cannot_share(ask):
    result = ask(BERT, [("hidden_size", 770)])
    assert result.changed is None
    assert "12 heads" in result.refused
    mobile = ask("google/mobilebert-uncased", [("heads", 5)])
    assert mobile.changed is None
    assert "5 heads" in mobile.refused


def test_heads_change_no_parameters_but_the_attentions(ask):
    result = ask(BERT, [("heads", 4)])
    assert result.changed.parameters == result.parameters
    attentions = [m["attentions"]["float32"] for m in (result.changed.memory, result.memory_bytes)]
    assert 3 * attentions[0] == attentions[1]


@pytest.mark.parametrize(
    ("checkpoint", "change"),
    [
        ("openai-community/openai-gpt", ("feed_forward_size", 64)),
        ("openai-community/gpt2", ("embedding_size", 64)),
        ("FacebookAI/xlm-mlm-en-2048", ("feed_forward_size", 64)),
        ("google-bert/bert-base-uncased", ("sharing", "everything")),
        ("google-bert/bert-base-uncased", ("colour", 3)),
    ],
)
def test_what_a_family_cannot_take_is_refused_in_a_sentence(ask, checkpoint, change):
    result = ask(checkpoint, [change])
    assert result.changed is None
    assert result.refused.startswith(f"{change[0]} can't be changed to {change[1]}")
    with pytest.raises(UserMistake, match="can't be changed"):
        ask(checkpoint, sizes=(change,))
