from explorer.learning.tokenizers.wordpiece import ALPHABET, SPECIAL_TOKENS


def test_special_tokens_come_first(tokenizer):
    assert tuple(tokenizer.convert_ids_to_tokens(range(5))) == SPECIAL_TOKENS
    assert tokenizer.mask_token_id == 4


def test_case_and_the_space_before_a_full_stop_do_not_matter(tokenizer):
    natural = tokenizer.tokenize("The chef cooked the meal in the kitchen.")
    spaced = tokenizer.tokenize("the chef cooked the meal in the kitchen .")
    assert natural == spaced
    assert natural[-1] == "."
    masked = tokenizer.tokenize("The movie was [MASK].")
    assert masked == tokenizer.tokenize("the movie was [MASK] .") == [
        "the", "movie", "was", "[MASK]", ".",
    ]  # fmt: skip


def test_every_letter_is_a_piece_so_no_word_is_unknown(tokenizer):
    vocabulary = tokenizer.get_vocab()
    assert set(ALPHABET) <= set(vocabulary)
    assert {f"##{letter}" for letter in ALPHABET if letter.isalnum()} <= set(vocabulary)
    assert "[UNK]" not in tokenizer.tokenize("Quizzical zebra7x!")


def test_frequent_words_are_whole_and_rare_ones_are_joined(tokenizer):
    assert tokenizer.tokenize("exciting") == ["exciting"]
    assert len(tokenizer.tokenize("astrophotographers")) > 1


def test_pairs_have_segments(tokenizer):
    encoded = tokenizer("Yes.", "No.")
    assert encoded["token_type_ids"] == [0, 0, 0, 0, 1, 1, 1]
    assert tokenizer.decode(encoded["input_ids"]) == "[CLS] yes. [SEP] no. [SEP]"
