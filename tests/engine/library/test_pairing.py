"""Generators and discriminators find each other by name."""

import pytest

from explorer.engine.downloads.hub import RemoteFile, Repository, needed
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.pairing import other_halves
from explorer.paths import Paths
from tests.hf import tiny

MODELS = Paths.standard().bundled_models


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("google/electra-small-generator", "google/electra-small-discriminator"),
        ("google/electra-small-discriminator", "google/electra-small-generator"),
        ("deberta-v3-miniature", "deberta-v3-miniature-generator"),
    ],
)
def test_names(one, other):
    assert other_halves(one)[0] == other


def test_a_generator_may_belong_to_a_name_without_an_ending():
    assert other_halves("deberta-v3-miniature-generator") == (
        "deberta-v3-miniature-discriminator",
        "deberta-v3-miniature",
    )


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    catalogue = Catalogue(tiny.families(), MODELS, tmp_path_factory.mktemp("cache"))
    return {row.id: row for row in catalogue.list()}


def test_every_published_electra_and_every_bundled_half_has_its_partner(rows):
    pairs = {name: row.partner for name, row in rows.items() if row.partner}
    for name, other in pairs.items():
        assert pairs[other] == name
        questions = {*rows[name].operations} ^ {*rows[other].operations}
        assert {"replaced_tokens"} <= questions
    for size in ("small", "base", "large"):
        assert pairs[f"google/electra-{size}-generator"] == f"google/electra-{size}-discriminator"
    assert pairs["electra-miniature-discriminator"] == "electra-miniature-generator"
    assert pairs["deberta-v3-miniature"] == "deberta-v3-miniature-generator"
    assert rows["bert-miniature"].partner == ""


def test_folders_side_by_side(tmp_path):
    from explorer.hf.family.tiny import write_tiny

    family = tiny.families().family("electra")
    write_tiny(family, tmp_path / "my-generator", model_class="ElectraForMaskedLM")
    judge = tmp_path / "my-discriminator"
    write_tiny(family, judge, model_class="ElectraForPreTraining")
    catalogue = Catalogue(tiny.families(), MODELS, tmp_path / "none")
    assert catalogue.find(str(judge)).partner == str((tmp_path / "my-generator").resolve())


@pytest.mark.parametrize("has_config", [True, False])
def test_a_generator_beside_its_discriminator_is_downloaded_along_with_it(has_config):
    names = ["config.json", "pytorch_model.bin", "pytorch_model.generator.bin", "spm.model"]
    if has_config:
        names.append("generator_config.json")
    files = tuple(RemoteFile(name, 10, "0" * 64) for name in names)
    wanted = [one.name for one in needed(Repository("a/deberta", "0" * 40, files))]
    both = ["pytorch_model.bin", "pytorch_model.generator.bin"]
    assert wanted[0] == "config.json"
    assert [name for name in wanted if name.endswith(".bin")] == both[: 1 + has_config]
    assert ("generator_config.json" in wanted) is has_config
