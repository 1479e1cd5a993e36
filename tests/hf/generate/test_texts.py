"""What each new piece adds to a text."""

import pytest

from explorer.hf.generate.texts import Spelling, masks_filled, no_text
from tests.hf import tiny
from tests.hf.kept import miniature

SENTENCES = {
    "gpt2-miniature": 'The chef disentangled 나는 🎬 soups, "hot" ones.',
    "gpt1-miniature": "the chef disentangled the soups , and they were hot .",
    "t5-miniature": "The chef disentangled the soups, and they were hot.",
    "xlm-miniature": "the chef disentangled the soups .",
}


def ids_of(model, text):
    return [token.id for token in model.encode(text).tokens if not token.special]


@pytest.mark.parametrize("name", SENTENCES)
def test_what_pieces_add_makes_the_text_that_the_decoder_gives(name):
    model, text = miniature(name), SENTENCES[name]
    ids = ids_of(model, text)
    for cut in (0, 2, len(ids) - 1):
        spelling = Spelling(model.tokenizer, ids[:cut], ())
        added = [spelling.add(one) for one in ids[cut:]]
        backend = model.tokenizer.backend_tokenizer
        before = backend.decode(ids[:cut], skip_special_tokens=False)
        assert before + "".join(added) == backend.decode(ids, skip_special_tokens=False)
        again = spelling.again()
        assert [again.add(one) for one in ids[cut:]] == added


def test_the_last_piece_of_a_character_adds_it():
    model = miniature("gpt2-miniature")
    ids = ids_of(model, "🎬")
    assert len(ids) > 2
    spelling = Spelling(model.tokenizer, (), ())
    added = [spelling.add(one) for one in ids]
    assert added[-1].strip() == "🎬"
    assert not "".join(added[:-1]).strip()


def test_an_end_adds_nothing():
    model = miniature("gpt2-miniature")
    end = model.tokenizer.eos_token_id
    spelling = Spelling(model.tokenizer, (), (end,))
    assert spelling.add(end) == ""
    assert end in no_text(model.tokenizer)


def test_masks_are_filled_in_their_places():
    model = miniature("bert-miniature")
    vocabulary = model.tokenizer.get_vocab()
    text = "The [MASK] cooked [MASK][MASK]."
    encoded = model.encode(text)
    pieces = {n: vocabulary[one] for n, one in enumerate(("chef", "meal", "##s"))}
    parts, whole = masks_filled(model.tokenizer, text, encoded, pieces)
    assert whole == "The chef cooked meals."
    assert parts == {0: " chef", 1: " meal", 2: "s"}
    del pieces[1], pieces[2]
    assert (
        masks_filled(model.tokenizer, text, encoded, pieces)[1] == "The chef cooked [MASK][MASK]."
    )
    byte_level = tiny.byte_level()
    assert {byte_level.mask_token_id, byte_level.eos_token_id} <= set(no_text(byte_level))
