"""What holds for whatever family fills masks, from a tiny checkpoint of each."""

import itertools

import pytest

from explorer.api.family import Cancelled, Context, UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


@pytest.fixture(params=IDS)
def filling(request, checkpoints):
    """Its models that fill masks."""
    found = [
        one for one in checkpoints.models(request.param) if tiny.answers(one, MaskedTokensRequest)
    ]
    assert found
    return found


@pytest.mark.parametrize(
    ("text", "said"), [("", "no text"), (" \n", "no text"), ("the cat", "Nothing is masked")]
)
def test_a_text_that_asks_nothing_is_told(filling, text, said):
    for model in filling:
        with pytest.raises(UserMistake, match=said):
            tiny.ask(model, MaskedTokensRequest(text), Context())


def test_a_pass_that_is_cancelled_ends_at_the_next_look(filling):
    for model in filling:
        looks = itertools.count()
        with pytest.raises(Cancelled):
            tiny.ask(
                model,
                MaskedTokensRequest("the [MASK] cat"),
                Context(is_cancelled=lambda looks=looks: next(looks) > 2),
            )
        assert next(looks) == 4


@pytest.mark.parametrize("family_id", IDS)
def test_parameters_are_counted_from_the_files_as_the_model_has_them(checkpoints, family_id):
    family = tiny.families().family(family_id)
    folder = checkpoints.folder(family_id)
    folders = sorted(one for one in folder.iterdir() if one.is_dir()) or [folder]
    for model, one in zip(checkpoints.models(family_id), folders, strict=True):
        weights = {p.data_ptr(): p.numel() for p in model.module.parameters()}
        assert family.parameters(inspect_folder(one)) == sum(weights.values())
