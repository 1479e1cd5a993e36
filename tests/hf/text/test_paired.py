import pytest

from explorer.document import Mask
from explorer.hf.text.paired import read_twice
from tests.hf import tiny

TEXT = "the cats sat on the mat"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    from transformers import RobertaConfig, RobertaForMaskedLM

    folder = tmp_path_factory.mktemp("models")
    tokenizer = tiny.byte_level()
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=40,
        pad_token_id=1,
    )
    module = RobertaForMaskedLM(config)
    written = tiny.write(folder / "roberta", config, tiny.weights_of(module), tokenizer)
    return (
        tiny.load(tiny.save_bert(folder / "bert")),
        tiny.load(tiny.save_bert(folder / "short", max_position_embeddings=6)),
        tiny.load(written),
    )


def test_alike_tokens_are_laid_on_each_other(models):
    bert, _, _ = models
    found = read_twice(bert, bert, TEXT, None, (Mask(4, 8), Mask(20, 23)))
    assert found.same_tokens
    assert not found.joined
    assert [place.position for place in found.places] == [2, 3, 7]
    assert [(place.left, place.right) for place in found.places] == [(0, 0), (1, 1), (2, 2)]
    assert [place.original for place in found.places] == ["cat", "s", "mat"]
    assert [place.after_space for place in found.places] == [True, False, True]
    cat, _, mat = (place.original_id for place in found.places)
    assert bert.tokenizer.convert_ids_to_tokens([cat, mat]) == ["cat", "mat"]


def test_a_whole_range_is_one_mask_where_that_is_wanted(models):
    bert, _, roberta = models
    found = read_twice(bert, roberta, TEXT, None, (Mask(4, 8), Mask(20, 23)), whole=True)
    assert not found.same_tokens
    assert found.joined
    assert [place.original for place in found.places] == ["cats", "mat"]
    # Positions are those of the text as it was written: two pieces for "cats".
    assert [place.position for place in found.places] == [2, 7]
    assert len(found.left.mask_positions) == len(found.right.mask_positions) == 2
    assert [found.tokens[place.position].masked for place in found.places] == [True, True]


def test_typed_masks_have_no_original(models):
    bert, _, roberta = models
    for right in (bert, roberta):
        found = read_twice(bert, right, "the [MASK] sat", "a [MASK]", ())
        assert [place.original for place in found.places] == ["", ""]
        assert [found.tokens[place.position].part for place in found.places] == [0, 1]


def test_what_one_model_has_no_room_for_is_left_out(models):
    bert, short, _ = models
    found = read_twice(bert, short, TEXT, None, (Mask(0, 3), Mask(20, 23)))
    assert [place.original for place in found.places] == ["the"]
    assert found.right.left_out is not None
