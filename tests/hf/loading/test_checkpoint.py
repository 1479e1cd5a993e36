"""Loading through the BERT family: what is found, what is refused, and in which words."""

import json
import os
import pickle
import re
import shutil

import pytest

from explorer.api.family import (
    CheckpointFault,
    Discriminator,
    LoadOptions,
    NeedsConsent,
    Predictor,
    Unavailable,
)
from explorer.api.question import Blame, Failure
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading import checkpoint as loading
from explorer.hf.loading.checkpoint import read_weights
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from explorer.text import said
from tests.hf import tiny


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def folder(models):
    return tiny.save_bert(models / "bert")


def same_weights(model, reference):
    """Whether a loaded module's tensors are those of a reference module, by name."""
    import torch

    expected = reference.state_dict()
    found = {name: tensor for name, tensor in model.module.state_dict().items() if name in expected}
    assert found
    return all(torch.equal(tensor, expected[name]) for name, tensor in found.items())


@pytest.mark.parametrize(
    ("name", "heads", "questions"),
    [
        (
            "BertForPreTraining",
            {"masked_lm", "next_sentence"},
            {MaskedTokensRequest, TokensRequest},
        ),
        ("BertForMaskedLM", {"masked_lm"}, {MaskedTokensRequest, TokensRequest}),
        ("BertForNextSentencePrediction", {"next_sentence"}, {TokensRequest}),
        ("BertModel", set(), {TokensRequest}),
    ],
)
def test_the_smallest_class_with_the_heads_is_loaded(models, name, heads, questions):
    folder = tiny.save_bert(models / name, name)
    model = tiny.load(folder)
    assert type(model.module).__name__ == name
    assert {head.name for head in model.heads if head.present} == heads
    assert {
        one for one in (MaskedTokensRequest, TokensRequest) if tiny.answers(model, one)
    } == questions
    assert same_weights(model, tiny.bert_module(name))
    assert not model.module.training
    assert model.report.missing == ()
    assert model.max_length == 24
    assert (Predictor in model.ports) == ("masked_lm" in heads)
    if "masked_lm" not in heads:
        assert "no masked language model head" in tiny.why_not(model, MaskedTokensRequest)


def test_a_tied_decoder_is_not_missing(folder):
    report = tiny.load(folder).report
    assert ("cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight") in (
        report.tied
    )
    assert report.missing == ()
    assert report.unexpected == ()
    files = inspect_folder(folder)
    assert report.found == len(files.tensors)


def test_names_of_converted_checkpoints(models):
    """As the published bert-base-uncased has them: gamma, beta, and a bias without a decoder."""
    module = tiny.bert_module()
    weights = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor
        for name, tensor in tiny.weights_of(module).items()
    }
    assert "cls.predictions.bias" in weights
    assert "cls.predictions.decoder.weight" not in weights
    folder = tiny.write(models / "converted", module.config, weights)
    model = tiny.load(folder)
    assert all(head.present for head in model.heads)
    assert model.report.missing == ()
    assert same_weights(model, module)


@pytest.mark.parametrize("kept", ["cls.predictions.bias", "cls.predictions.decoder.bias"])
def test_either_name_of_the_output_bias_will_do(models, kept):
    import torch

    module = tiny.bert_module()
    weights = tiny.weights_of(module)
    bias = weights.pop("cls.predictions.bias")
    folder = tiny.write(models / kept, module.config, {**weights, kept: bias})
    model = tiny.load(folder)
    assert tiny.answers(model, MaskedTokensRequest)
    assert torch.equal(model.port(Predictor).head.decoder.bias, bias)


def test_an_encoder_saved_alone(models):
    module = tiny.bert_module("BertModel")
    weights = tiny.weights_of(module)
    assert "embeddings.word_embeddings.weight" in weights
    model = tiny.load(tiny.write(models / "alone", module.config, weights))
    assert same_weights(model, module)
    assert {one for one in (MaskedTokensRequest, TokensRequest) if tiny.answers(model, one)} == {
        TokensRequest
    }


def test_an_encoder_without_a_pooler(models):
    module = tiny.bert_module("BertModel")
    weights = {n: t for n, t in tiny.weights_of(module).items() if not n.startswith("pooler")}
    model = tiny.load(tiny.write(models / "unpooled", module.config, weights))
    assert model.report.missing == ("pooler.dense.bias", "pooler.dense.weight")
    assert not any(head.present for head in model.heads)


def test_weights_of_another_task_do_not_hinder(models):
    folder = tiny.save_bert(models / "classifier", "BertForSequenceClassification")
    model = tiny.load(folder)
    assert type(model.module).__name__ == "BertModel"
    assert model.report.unexpected == ("classifier.bias", "classifier.weight")
    assert {one for one in (MaskedTokensRequest, TokensRequest) if tiny.answers(model, one)} == {
        TokensRequest
    }


@pytest.mark.parametrize(
    "lost",
    [
        "cls.predictions.transform.dense.weight",
        "cls.predictions.transform.LayerNorm.bias",
        "cls.predictions.bias",
    ],
)
def test_a_head_that_lacks_a_tensor_never_answers(models, lost):
    module = tiny.bert_module()
    weights = tiny.weights_of(module)
    del weights[lost]
    model = tiny.load(tiny.write(models / f"without-{lost}", module.config, weights))
    head = next(head for head in model.heads if head.name == "masked_lm")
    assert not head.present
    assert lost in head.missing
    assert Predictor not in model.ports
    assert not tiny.answers(model, MaskedTokensRequest)
    assert lost in tiny.why_not(model, MaskedTokensRequest)
    assert next(h for h in model.heads if h.name == "next_sentence").present


def test_why_it_does_not_answer_is_said_in_the_readers_language(models, speak):
    module = tiny.bert_module()
    weights = tiny.weights_of(module)
    lost = "cls.predictions.bias"
    del weights[lost]
    model = tiny.load(tiny.write(models / "without-one", module.config, weights))
    why = tiny.why_not(model, MaskedTokensRequest)
    told = f"This checkpoint has no masked language model head: {lost} and others are missing."
    assert why == said(why) == told
    refused = Unavailable("{why}", why=why)
    code = "This checkpoint has no {head} head: {tensor} and others are missing."
    speak("de", **{code: "Es fehlt {tensor} ({head})."})
    assert said(why) == f"Es fehlt {lost} (masked language model)."
    assert refused.said == said(why)
    assert said(model.refused[Discriminator]) == model.refused[Discriminator]
    speak("de", **{model.refused[Discriminator]: "Kein Diskriminator."})
    assert said(model.refused[Discriminator]) == "Kein Diskriminator."


def test_an_untied_decoder_must_be_there(models, folder):
    untied = tiny.changed_config(folder, models / "untied", tie_word_embeddings=False)
    model = tiny.load(untied)
    assert not tiny.answers(model, MaskedTokensRequest)
    assert "cls.predictions.decoder.weight" in tiny.why_not(model, MaskedTokensRequest)


def test_missing_encoder_weights_are_a_fault(models):
    module = tiny.bert_module()
    weights = {n: t for n, t in tiny.weights_of(module).items() if "layer.1." not in n}
    folder = tiny.write(models / "holed", module.config, weights)
    with pytest.raises(CheckpointFault, match=r"do not fit the config: 16 tensors are missing, "):
        tiny.load(folder)


def test_weights_that_a_training_loop_named_otherwise_are_told_of(models):
    module = tiny.bert_module()
    weights = {f"my_model.{n}": t for n, t in tiny.weights_of(module).items()}
    folder = tiny.write(models / "wrapped", module.config, weights)
    with pytest.raises(CheckpointFault, match="tensors are missing") as caught:
        tiny.load(folder)
    assert said(caught.value.remedy) == (
        "In the files all names begin with “my_model.”: save the weights without it."
    )


def test_one_missing_tensor_is_named(models):
    module = tiny.bert_module()
    lost = "bert.encoder.layer.1.attention.self.query.weight"
    weights = {n: t for n, t in tiny.weights_of(module).items() if n != lost}
    folder = tiny.write(models / "one-lost", module.config, weights)
    with pytest.raises(CheckpointFault, match=rf"the tensor {re.escape(lost)} is missing\."):
        tiny.load(folder)


def test_a_tensor_that_is_no_number_is_a_fault_though_attention_would_hide_it(models):
    module = tiny.bert_module()
    weights = tiny.weights_of(module)
    name = "bert.encoder.layer.1.attention.self.query.weight"
    broken = weights[name].clone()
    broken[0, 0] = float("nan")
    folder = tiny.write(models / "nan", module.config, {**weights, name: broken})
    with pytest.raises(CheckpointFault, match=rf"{re.escape(name)} holds what is no number"):
        tiny.load(folder)


def test_more_layers_in_the_config_than_in_the_files(models, folder):
    grown = tiny.changed_config(folder, models / "grown", num_hidden_layers=5)
    with pytest.raises(CheckpointFault, match=r"32 tensors are missing, bert\.encoder\.layer\.3"):
        tiny.load(grown)


def test_a_shape_that_does_not_fit_is_a_fault(models, folder):
    wide = tiny.changed_config(folder, models / "wide", vocab_size=200)
    with pytest.raises(CheckpointFault, match=r"word_embeddings\.weight is .* x 32 in the files"):
        tiny.load(wide)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"num_attention_heads": 5}, "can be made of these files"),
        ({"hidden_size": "wide"}, "does not describe"),
        ({"quantization_config": {"quant_method": "bitsandbytes"}}, "quantised"),
    ],
)
def test_a_config_that_makes_no_model(models, folder, values, words):
    broken = tiny.changed_config(folder, models / f"config-{next(iter(values))}", **values)
    with pytest.raises(CheckpointFault, match=words) as caught:
        tiny.load(broken)
    assert caught.value.hint


def test_code_that_a_config_names_is_never_run(models, folder):
    ran = models / "ran"
    with_code = tiny.changed_config(
        folder,
        models / "with-code",
        auto_map={"AutoModel": "code.Model", "AutoTokenizer": ["code.Tokenizer", None]},
    )
    (with_code / "code.py").write_text(f"open({str(ran)!r}, 'w').close()")
    assert tiny.answers(tiny.load(with_code), MaskedTokensRequest)
    assert not ran.exists()


@pytest.mark.parametrize("legacy", [False, True])
def test_a_pickle_needs_consent(models, legacy):
    import torch

    module = tiny.bert_module()
    folder = tiny.save_bert(models / f"pickled-{legacy}", pickled=True)
    if legacy:
        torch.save(
            tiny.weights_of(module),
            folder / "pytorch_model.bin",
            _use_new_zipfile_serialization=False,
        )
    with pytest.raises(NeedsConsent) as caught:
        tiny.load(folder)
    failure = Failure.of(caught.value)
    assert (failure.blame, failure.kind) == (Blame.USER, "NeedsConsent")
    assert failure.hint
    model = tiny.load(folder, allow_pickle=True)
    assert same_weights(model, module)
    assert tiny.answers(model, MaskedTokensRequest)


class _Runs:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("legacy", [False, True])
def test_a_pickle_that_runs_code_does_not(models, folder, legacy):
    import torch

    ran = models / f"ran-{legacy}"
    hostile = models / f"hostile-{legacy}"
    shutil.copytree(folder, hostile)
    (hostile / "model.safetensors").unlink()
    torch.save(
        {"x": _Runs(ran)},
        hostile / "pytorch_model.bin",
        _use_new_zipfile_serialization=not legacy,
    )
    with pytest.raises(CheckpointFault, match="more than weights") as caught:
        tiny.load(hostile, allow_pickle=True)
    assert "not opened" in caught.value.hint
    assert not ran.exists()


def test_a_hostile_pickle_is_refused_by_the_loader_too(models, folder):
    """Not only by the inspection that comes before it."""
    import dataclasses

    import torch

    files = inspect_folder(folder)
    ran = models / "ran-late"
    torch.save({"x": _Runs(ran)}, folder / "late.bin")
    files = dataclasses.replace(files, weight_files=("late.bin",), pickled=True)
    with pytest.raises(CheckpointFault, match=r"would run \w+\.mkdir"):
        read_weights(files, LoadOptions(allow_pickle=True))
    assert not ran.exists()
    (folder / "late.bin").unlink()


@pytest.mark.parametrize("content", [b"", b"\x80\x02", b"\x80\x02garbage", pickle.dumps(3)])
def test_a_damaged_pickle(models, folder, content):
    import dataclasses

    (folder / "odd.bin").write_bytes(content)
    files = dataclasses.replace(inspect_folder(folder), weight_files=("odd.bin",), pickled=True)
    with pytest.raises(CheckpointFault):
        read_weights(files, LoadOptions(allow_pickle=True))
    (folder / "odd.bin").unlink()


def test_safetensors_are_taken_before_a_pickle(models, folder):
    both = models / "both"
    shutil.copytree(folder, both)
    (both / "pytorch_model.bin").write_bytes(b"not read")
    assert tiny.answers(tiny.load(both), MaskedTokensRequest)


def test_shards(models):
    from safetensors.torch import save_file

    module = tiny.bert_module()
    folder = tiny.save_bert(models / "sharded")
    (folder / "model.safetensors").unlink()
    weights = sorted(tiny.weights_of(module).items())
    where = {}
    for number, part in enumerate((weights[:20], weights[20:]), start=1):
        name = f"model-{number:05}-of-00002.safetensors"
        save_file(dict(part), folder / name)
        where.update({key: name for key, _ in part})
    index = {"metadata": {}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    assert same_weights(tiny.load(folder), module)


def test_half_precision_files_run_in_full_on_a_cpu(models):
    import torch

    module = tiny.bert_module().half()
    folder = tiny.write(models / "half", module.config, tiny.weights_of(module))
    model = tiny.load(folder)
    assert model.stamp.dtype == "float32"
    assert {p.dtype for p in model.module.parameters()} == {torch.float32}


def test_a_file_that_is_written_again_does_not_change_a_loaded_model(models):
    folder = tiny.save_bert(models / "rewritten")
    model = tiny.load(folder)
    path = folder / "model.safetensors"
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * (path.stat().st_size // 2))
    assert same_weights(model, tiny.bert_module())


def test_no_tokenizer(models, folder):
    bare = models / "no-tokenizer"
    shutil.copytree(folder, bare)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (bare / name).unlink()
    with pytest.raises(CheckpointFault, match="no tokenizer files"):
        tiny.load(bare)


def test_a_damaged_tokenizer(models, folder):
    damaged = models / "bad-tokenizer"
    shutil.copytree(folder, damaged)
    (damaged / "tokenizer.json").write_text("{")
    with pytest.raises(CheckpointFault, match="tokenizer of bad-tokenizer can't be read"):
        tiny.load(damaged)


def test_only_a_vocabulary_file(models, folder):
    plain = models / "vocabulary"
    shutil.copytree(folder, plain)
    (plain / "tokenizer.json").unlink()
    (plain / "tokenizer_config.json").unlink()
    (plain / "vocab.txt").write_text("\n".join(tiny.VOCABULARY), encoding="utf-8")
    model = tiny.load(plain)
    assert model.tokenizer("The cats").input_ids == tiny.bert_tokenizer()("the cats").input_ids


def test_nothing_is_written_to_the_terminal(models, capfd):
    module = tiny.bert_module()
    weights = {n: t for n, t in tiny.weights_of(module).items() if "transform" not in n}
    folder = tiny.write(models / "quiet", module.config, weights)
    capfd.readouterr()
    tiny.load(folder)
    assert capfd.readouterr() == ("", "")


def test_the_smaller_limit_counts():
    tokenizer = tiny.bert_tokenizer(model_max_length=10)
    assert loading.longest_input(24, tokenizer) == 10
    assert loading.longest_input(24, tiny.bert_tokenizer()) == 24
    assert loading.longest_input(None, tiny.bert_tokenizer()) is None


def test_tensors_lie_in_memory_as_those_that_torch_makes(folder):
    """Products of numbers that begin elsewhere in a cache line are rounded otherwise."""
    weights = read_weights(inspect_folder(folder), LoadOptions())
    assert len(weights) > 20
    assert {tensor.data_ptr() % 64 for tensor in weights.values() if tensor.numel()} == {0}


def test_a_file_that_is_written_again_does_not_change_what_was_loaded(models):
    folder = tiny.save_bert(models / "written-again")
    model = tiny.load(folder)
    before = {name: tensor.clone() for name, tensor in model.module.state_dict().items()}
    path = folder / "model.safetensors"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(bytes(size - size // 2))
    after = model.module.state_dict()
    assert all((after[name] == tensor).all() for name, tensor in before.items())
