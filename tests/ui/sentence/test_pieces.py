from explorer.api.question import LeftOut, Token
from explorer.document import Document, Mask
from explorer.ui.sentence import pieces as of


def token(text, start, end, **more):
    return Token(text, more.pop("id", 7), start, end, more.pop("special", False), **more)


def test_a_piece_is_shown_where_it_spells_the_characters_of_the_user():
    document = Document("Été chaud")
    tokens = (token("ete", 0, 3), token("Ġchaud", 3, 9))
    assert [p.text for p in of.pieces_of_tokens(tokens, document)] == ["ete", "chaud"]


def test_the_users_characters_are_shown_where_the_piece_is_bytes():
    document = Document("naïve 🍵")
    tokens = (token("naÃ¯ve", 0, 5), token("ĠðŁįµ", 5, 7))
    assert [p.text for p in of.pieces_of_tokens(tokens, document)] == ["naïve", "🍵"]


def test_unknown_tokens_show_what_they_stand_for():
    document = Document("a 🍵")
    piece = of.pieces_of_tokens((token("[UNK]", 2, 3, unknown=True),), document)[0]
    assert piece.text == "🍵"
    assert piece.unknown
    assert "vocabulary" in of.tooltip(piece)


def test_a_mask_hides_the_word_and_a_typed_mask_hides_nothing():
    document = Document("the soup [MASK]", masks=(Mask(4, 8),))
    tokens = (
        token("[MASK]", 4, 8, masked=True, original=99),
        token("[MASK]", 9, 15, masked=True, original=None),
    )
    hidden, typed = of.pieces_of_tokens(tokens, document)
    assert (hidden.text, hidden.typed) == ("soup", False)
    assert (typed.text, typed.typed) == ("", True)
    assert "Hidden word: soup" in of.tooltip(hidden)
    assert "soup, masked" in hidden.spoken
    assert "typed mask" in typed.spoken


def test_words_are_found_without_a_tokenizer():
    document = Document("Don't stop, [MASK]!", "Twice.", (Mask(6, 10),))
    pieces = of.of_words(document)
    assert [(p.text, p.part) for p in pieces] == [
        ("Don't", 0),
        ("stop", 0),
        (",", 0),
        ("", 0),
        ("!", 0),
        ("Twice", 1),
        (".", 1),
    ]
    assert [p.masked for p in pieces] == [False, True, False, True, False, False, False]
    assert pieces[3].typed
    assert [document.part(p.part)[p.start : p.end] for p in pieces[:2]] == ["Don't", "stop"]


def test_masks_move_without_the_tokenizer():
    document = Document("a b c", masks=(Mask(2, 3),))
    tokens = (token("[CLS]", 0, 0, special=True), token("a", 0, 1), token("b", 2, 3))
    masked = of.with_masks(of.pieces_of_tokens(tokens, document), document)
    assert [p.masked for p in masked] == [False, False, True]
    assert [p.masked for p in of.with_masks(masked, document.without_masks())] == [False] * 3


def test_a_span_keeps_to_one_text_and_leaves_special_tokens_out():
    document = Document("a b", "c")
    tokens = (
        token("[CLS]", 0, 0, special=True),
        token("a", 0, 1),
        token("b", 2, 3),
        token("[SEP]", 3, 3, special=True),
        token("c", 0, 1, part=1),
    )
    pieces = of.pieces_of_tokens(tokens, document)
    assert of.span_of(pieces, 0, 2) == (0, 3, 0)
    assert of.span_of(pieces, 2, 1) == (0, 3, 0)
    assert of.span_of(pieces, 1, 4) == (0, 3, 0)
    assert of.span_of(pieces, 4, 1) == (0, 1, 1)
    assert of.span_of(pieces, 3, 3) is None


def test_a_word_is_all_of_its_pieces():
    tokens = (token("a", 0, 1), token("un", 2, 4), token("##do", 4, 6, joined=True))
    pieces = of.pieces_of_tokens(tokens, Document("a undo"))
    assert of.word_of(pieces, 2) == of.word_of(pieces, 1) == (1, 2)
    assert of.word_of(pieces, 0) == (0, 0)


def test_what_is_left_out_is_named():
    document = Document("one two three")
    left_out = LeftOut(tokens=1, limit=4, part=0, start=8)
    assert of.tail_note(None, document) == ""
    assert of.tail_note(left_out, None) == "not seen by the model: 1 token"
    assert of.tail_note(left_out, document) == "not seen by the model: 1 token — three"
    assert of.words_left_out(LeftOut(3, 4, 0, 0), document, limit=2) == "one two …"


def test_a_space_before_a_letter_is_no_part_of_it():
    tokens = (token("▁", 0, 1), token("t", 0, 1), token("h", 1, 2))
    pieces = of.pieces_of_tokens(tokens, Document("th"))
    assert [p.text for p in pieces] == ["␣", "t", "h"]


def test_tokens_of_one_letter_say_which_part_of_it_they_are():
    tokens = (
        token("ì", 0, 1),
        token("ļ", 0, 1, joined=True),
        token("Ķ", 0, 1, masked=True, original=7, joined=True),
        token("Ġa", 1, 3),
    )
    pieces = of.pieces_of_tokens(tokens, Document("요 a"))
    assert [p.text for p in pieces] == ["요 1/3", "요 2/3", "요 3/3", "a"]
