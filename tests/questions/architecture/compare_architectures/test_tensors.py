"""Which weights are shared, against numpy and against what the recipes tie."""

import json

import numpy as np
import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, UserMistake
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.compare_architectures.likeness import Relation, correlation_of
from explorer.questions.architecture.compare_architectures.question import (
    LEVEL,
    QUESTION,
    CompareArchitecturesRequest,
    Level,
)
from explorer.serialise import from_json, to_builtins
from tests.hf import tiny

MODELS = Paths.standard().bundled_models
PAIR = {"first": "A", "second": "B"}
REQUEST = CompareArchitecturesRequest(level=Level.TENSORS)
WORDS = "embeddings.word_embeddings.weight"


def compared(place, first, second):
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, place))
    runner.load("A", first, LoadOptions(device="cpu"), Context())
    runner.load("B", second, LoadOptions(device="cpu"), Context())
    result = runner.ask(REQUEST, PAIR, Context())
    return result, {one.name: one for one in result.tensors.tensors}


def weights(name):
    from safetensors.numpy import load_file

    return load_file(MODELS / name / "model.safetensors")


def test_electras_embeddings_are_equal(tmp_path):
    result, by_name = compared(
        tmp_path, "electra-miniature-discriminator", "electra-miniature-generator"
    )
    ours, theirs = (weights(stamp.id) for stamp in (result.model, result.other))
    equal = {
        name.removeprefix("electra.")
        for name in ours
        if name in theirs
        and ours[name].shape == theirs[name].shape
        and (ours[name] == theirs[name]).all()
    }
    shared = {name for name, one in by_name.items() if one.relation is Relation.EQUAL}
    assert shared == equal
    assert WORDS in shared
    assert result.tensors.shared_parameters == sum(ours[f"electra.{name}"].size for name in shared)
    assert result.tensors.tensors[0].name.startswith("embeddings.")
    layer = by_name["encoder.layer.0.attention.self.query.weight"]
    assert layer.relation is Relation.OTHER_SHAPE
    assert layer.correlation is None


def test_debertas_are_the_generators_plus_a_difference(tmp_path):
    _, by_name = compared(tmp_path, "deberta-v3-miniature", "deberta-v3-miniature-generator")
    ours, theirs = (
        weights(name)[f"deberta.{WORDS}"].astype(np.float64)
        for name in ("deberta-v3-miniature", "deberta-v3-miniature-generator")
    )
    words = by_name[WORDS]
    assert words.relation is Relation.ALIKE
    expected = np.corrcoef(ours.ravel(), theirs.ravel())[0, 1]
    assert words.correlation == pytest.approx(expected, abs=1e-6)
    assert words.correlation > 0.9
    size = np.linalg.norm(ours - theirs) / np.linalg.norm(theirs)
    assert words.relative_difference == pytest.approx(size, abs=1e-6)


def test_strangers_share_nothing(tmp_path):
    result, by_name = compared(tmp_path, "electra-miniature-discriminator", "bert-miniature")
    assert result.tensors.shared_parameters == 0
    assert by_name[WORDS].relation is Relation.UNRELATED
    assert abs(by_name[WORDS].correlation) < 0.2


def test_large_tensors_are_compared_in_blocks():
    import torch

    torch.manual_seed(1)
    x = torch.randn(1003)
    y = 0.3 * x + torch.randn(1003) + 5
    expected = float(np.corrcoef(x.numpy(), y.numpy())[0, 1])
    for block in (7, 1003, 5000):
        correlation, difference = correlation_of(x, y, block)
        assert correlation == pytest.approx(expected, abs=1e-9)
        assert difference == pytest.approx(float((x - y).norm() / y.norm()), abs=1e-6)
    assert correlation_of(torch.ones(9), torch.ones(9))[0] is None


def test_the_table_and_a_missing_model(tmp_path):
    result, _ = compared(tmp_path, "electra-miniature-discriminator", "electra-miniature-generator")
    table = QUESTION.table(result)
    assert len(table.rows) == len(result.tensors.tensors)
    assert table.rows[0][:2] == (WORDS, "equal values")
    host = tiny.families()
    alone = Runner(host, Catalogue(host, MODELS, tmp_path))
    alone.load("A", "electra-miniature-discriminator", LoadOptions(device="cpu"), Context())
    with pytest.raises(UserMistake, match="No model"):
        alone.ask(REQUEST, PAIR, Context())


def test_a_run_of_the_question_it_was_says_the_same(tmp_path):
    """As a program of then stored it: what was not counted then stays unsaid."""
    result, _ = compared(tmp_path, "electra-miniature-discriminator", "electra-miniature-generator")
    answered = to_builtins(
        {
            "model": result.model,
            "other": result.other,
            "tensors": result.tensors.tensors,
            "parameters": result.parameters[0].unique,
            "other_parameters": result.parameters[1].unique,
            "shared_parameters": result.tensors.shared_parameters,
            "own": result.tensors.own,
            "other_own": result.tensors.other_own,
        }
    )
    request = {}
    QUESTION.replaces["embedding_sharing"].become(request, answered)
    assert from_json(CompareArchitecturesRequest, json.dumps(request)) == REQUEST
    then = from_json(QUESTION.result, json.dumps(answered))
    assert then.tensors == result.tensors
    assert QUESTION.table(then) == QUESTION.table(result)
    assert [one.unique for one in then.parameters] == [one.unique for one in result.parameters]
    assert not then.parts
    QUESTION.replaces["embedding_sharing"].become({}, None)


def test_a_document_says_in_how_much_detail():
    document = Document().with_option("compare_architectures.first", "a")
    document = document.with_option("compare_architectures.second", "b")
    asked = CompareArchitecturesRequest("a", "b")
    assert QUESTION.request_among(document, {}, "A") == asked
    document = document.with_option(LEVEL.key, "tensors")
    assert QUESTION.request_among(document, {}, "A") == CompareArchitecturesRequest(
        "a", "b", Level.TENSORS
    )
