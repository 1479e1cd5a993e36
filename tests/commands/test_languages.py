"""A text's language is said on the command line, for models that are told."""

import json

import pytest

from explorer import cli
from explorer.paths import Paths

XLM = Paths.standard().bundled_models / "xlm-miniature"
TEXTS = ("The child saw [MASK] .", "--pair", "They were [MASK] .")
pytestmark = pytest.mark.skipif(not (XLM / "model.safetensors").is_file(), reason="not trained yet")


@pytest.fixture
def fill(tmp_path, capsys):
    def call(*words, status=cli.DONE):
        found = cli.main(["--profile", str(tmp_path / "p"), "fill", *words, "--no-log"])
        out, err = capsys.readouterr()
        assert found == status, err
        return out, err

    return call


def test_two_texts_of_one_language(fill):
    model = ("--model", "xlm-miniature", "--json")
    guessed = json.loads(fill(*TEXTS, *model)[0])
    told = json.loads(fill(*TEXTS, *model, "--languages", "en,en")[0])
    same = json.loads(fill(*TEXTS, *model, "--languages", "en,ko")[0])
    assert guessed["masks"] == same["masks"] != told["masks"]
    told = " ".join(fill(*TEXTS, "--model", "xlm-miniature")[0].split())
    assert "The languages given to the model: English (en) and Korean (ko)." in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "xlm-miniature", "--languages", "fr"), "It knows en, ko."),
        (("--model", "bert-miniature", "--languages", "en"), "take no language of the text"),
        (("--model", "xlm-miniature", "--languages", "en", "--joint", "beam"), "Leave --languages"),
    ],
)
def test_mistakes(fill, words, said):
    assert said in fill(TEXTS[0], *words, status=cli.MISTAKE)[1]
