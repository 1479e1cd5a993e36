"""Which weights are shared, against numpy and against what the recipes tie."""

import numpy as np
import pytest

from explorer.api import Context, LoadOptions, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.weight_sharing.question import (
    OPERATION,
    EmbeddingSharing,
    Relation,
)
from tests.hf import tiny

MODELS = Paths.standard().bundled_models
PAIR = {"discriminator": "A", "generator": "B"}
WORDS = "embeddings.word_embeddings.weight"


def compared(place, first, second):
    host = tiny.families()
    runner = Runner(host, Catalogue(host, MODELS, place))
    runner.load("A", first, LoadOptions(device="cpu"), Context())
    runner.load("B", second, LoadOptions(device="cpu"), Context())
    result = runner.ask(EmbeddingSharing(), PAIR, Context())
    return result, {one.name: one for one in result.tensors}


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
    assert result.shared_parameters == sum(ours[f"electra.{name}"].size for name in shared)
    assert result.tensors[0].name.startswith("embeddings.")
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
    assert result.shared_parameters == 0
    assert by_name[WORDS].relation is Relation.UNRELATED
    assert abs(by_name[WORDS].correlation) < 0.2


def test_large_tensors_are_compared_in_blocks():
    import torch

    from explorer.questions.architecture.compare_architectures.likeness import (
        correlation_of as _correlation,
    )

    torch.manual_seed(1)
    x = torch.randn(1003)
    y = 0.3 * x + torch.randn(1003) + 5
    expected = float(np.corrcoef(x.numpy(), y.numpy())[0, 1])
    for block in (7, 1003, 5000):
        correlation, difference = _correlation(x, y, block)
        assert correlation == pytest.approx(expected, abs=1e-9)
        assert difference == pytest.approx(float((x - y).norm() / y.norm()), abs=1e-6)
    assert _correlation(torch.ones(9), torch.ones(9))[0] is None


def test_the_table_and_a_missing_model(tmp_path):
    result, _ = compared(tmp_path, "electra-miniature-discriminator", "electra-miniature-generator")
    table = OPERATION.table(result)
    assert len(table.rows) == len(result.tensors)
    assert table.rows[0][:2] == (WORDS, "equal values")
    host = tiny.families()
    alone = Runner(host, Catalogue(host, MODELS, tmp_path))
    alone.load("A", "electra-miniature-discriminator", LoadOptions(device="cpu"), Context())
    with pytest.raises(UserMistake, match="No model is loaded as B"):
        alone.ask(EmbeddingSharing(), PAIR, Context())
