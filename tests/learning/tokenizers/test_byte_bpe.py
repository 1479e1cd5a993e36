import itertools

import pytest

from explorer.learning.tokenizers.byte_bpe import pretrained_tokenizer, train_byte_bpe
from explorer.world.language.spelling import as_typed


def train(texts):
    return train_byte_bpe(("".join(as_typed(*numbered)) for numbered in enumerate(texts)), 900)


@pytest.fixture(scope="module")
def trained(texts):
    return train(texts)


@pytest.fixture(scope="module")
def byte_bpe(trained):
    return pretrained_tokenizer(*trained, 128)


def test_special_tokens_are_numbered_as_published(trained):
    vocabulary, merges = trained
    assert len(vocabulary) == 900
    assert sorted(vocabulary.values()) == list(range(900))
    numbers = [vocabulary[token] for token in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")]
    assert numbers == [0, 1, 2, 3, 899]
    # Four special tokens, 256 bytes, one piece a merge, the mask.
    assert len(merges) == 900 - 4 - 256 - 1
    assert all(first + second in vocabulary for first, second in merges)


def test_training_twice_gives_the_same(texts, trained):
    assert train(texts) == trained


@pytest.mark.parametrize(
    "text", ["The chef cooked the meal.", "한국어 문장", "🙂 naïve café", "  two  spaces\n"]
)
def test_every_text_can_be_written_and_read_back(byte_bpe, text):
    numbers = byte_bpe(text, add_special_tokens=False)["input_ids"]
    assert byte_bpe.unk_token_id not in numbers
    assert byte_bpe.decode(numbers) == text


def test_case_and_space_are_kept_and_the_mask_takes_the_space(byte_bpe):
    assert byte_bpe.tokenize("The the The") == ["The", "Ġthe", "ĠThe"]
    spaced = byte_bpe("the <mask>.")["input_ids"]
    assert spaced == byte_bpe("the<mask>.")["input_ids"]
    assert (spaced[0], spaced[-1]) == (byte_bpe.cls_token_id, byte_bpe.sep_token_id)


def test_a_text_is_the_merges_done_in_their_order(trained, byte_bpe):
    rank = {tuple(merge): index for index, merge in enumerate(trained[1])}
    for word in ("kitchen", "telescope", "zebra"):
        pieces = ["Ġ", *word]
        while True:
            pairs = [pair for pair in itertools.pairwise(pieces) if pair in rank]
            if not pairs:
                break
            best = min(pairs, key=rank.__getitem__)
            merged, place = [], 0
            while place < len(pieces):
                if tuple(pieces[place : place + 2]) == best:
                    merged.append("".join(best))
                    place += 2
                else:
                    merged.append(pieces[place])
                    place += 1
            pieces = merged
        assert byte_bpe.tokenize(f" {word}") == pieces
