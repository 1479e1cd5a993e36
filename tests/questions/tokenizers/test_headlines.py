"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from explorer.api.question import Token
from explorer.questions.tokenizers.merge_steps.question import (
    SegmentationMethod,
    SegmentationPath,
    WordPart,
)
from explorer.questions.tokenizers.merge_steps.walks import longest_first, merges
from explorer.questions.tokenizers.vocabulary.question import NearestPieces
from tests.questions.headlines import headline_of, recorded, said_of


def token(text: str, start: int, end: int, *, special: bool = False, **more) -> Token:
    return Token(text, 7, start, end, special, **more)


def test_tokens_tell_the_first_of_those_the_vocabulary_lacks():
    lacking = np.flatnonzero([one.unknown for one in recorded("tokens").tokens])
    effect = headline_of("tokens")
    assert effect.position == lacking[0]
    assert effect.sentence.startswith(f"{len(lacking)} tokens are only “[UNK]”")
    assert effect.sentence.endswith(f"position {lacking[0]}.")


def test_tokens_tell_the_word_of_the_most_pieces():
    result = recorded("tokens")
    known = tuple(one for one in result.tokens if not one.unknown)
    begun = np.cumsum([not one.joined for one in known])
    sizes = np.bincount(begun)
    first = int(np.searchsorted(begun, sizes.argmax()))
    effect = headline_of("tokens", replace(result, tokens=known))
    assert effect.position == first
    assert effect.sentence == (
        f"“guests” is split into the most tokens, {sizes.max()}: g ##ue ##st ##s."
    )


def test_tokens_that_do_not_spell_their_word_are_counted_at_their_place():
    tokens = (
        token("<s>", 0, 0, special=True),
        token("a", 0, 1),
        token("Ġíķľ", 2, 3),
        token("êµ", 3, 4, joined=True),
        token("Ń", 3, 4, joined=True),
    )
    effect = headline_of("tokens", replace(recorded("tokens"), tokens=tokens))
    assert effect.position == 2
    assert effect.sentence == "The word at position 2 is split into the most tokens: 3."


def test_nothing_is_said_of_tokens_where_no_word_is_cut():
    tokens = (token("a", 0, 1), token("soup", 2, 6))
    assert not said_of("tokens", replace(recorded("tokens"), tokens=tokens))
    assert not said_of("tokens", replace(recorded("tokens"), tokens=()))


def counted(cutting, start, end):
    places = [set(range(*span)) for span in zip(cutting.starts, cutting.ends, strict=True)]
    return sum(bool(one & set(range(start, end))) for one in places)


def test_side_by_side_tells_the_word_about_which_tokenizers_differ_most():
    result = recorded("side_by_side")
    words = ["The", "chef's", "Café", "한국어", "and", "😀"]
    spans = [(result.text.index(one), result.text.index(one) + len(one)) for one in words]
    counts = np.array([[counted(one, *span) for span in spans] for one in result.cuttings])
    at = int((counts.max(axis=0) - counts.min(axis=0)).argmax())
    most = result.cuttings[int(counts[:, at].argmax())]
    assert said_of("side_by_side") == (
        f"“{words[at]}” divides the tokenizers most: {most.title} splits it into "
        f"{counts[:, at].max()} tokens, while BERT miniature does not know it."
    )
    assert most.title == "GPT-2 miniature"


def test_side_by_side_tells_who_leaves_that_word_whole():
    result = recorded("side_by_side")
    known = [
        replace(one, kinds=tuple(replace(kind, unknown=False) for kind in one.kinds))
        for one in result.cuttings
    ]
    said = said_of("side_by_side", replace(result, cuttings=tuple(known)))
    assert said.endswith("into 9 tokens, BERT miniature leaves it whole.")
    text = " " * 17 + result.text[17:20]
    said = said_of("side_by_side", replace(result, text=text, cuttings=tuple(known[1:3])))
    fewest = counted(known[1], 17, 20)
    assert said.endswith(f"into 9 tokens, GPT-1 miniature into {fewest}.")


def test_side_by_side_says_that_nothing_differs_and_of_one_what_it_cuts_most():
    result = recorded("side_by_side")
    alike = (result.cuttings[0],) * 2
    assert not said_of("side_by_side", replace(result, cuttings=alike))
    said = said_of("side_by_side", replace(result, cuttings=result.cuttings[2:3]))
    assert said == "GPT-2 miniature splits “한국어” into 9 tokens, and no other word into more."
    short = replace(result, text="The", cuttings=result.cuttings[:1])
    assert not said_of("side_by_side", short)
    assert not said_of("side_by_side", replace(result, text="  "))


def walked(method: SegmentationMethod, *parts: WordPart, **more):
    return replace(recorded("merge_steps"), method=method, parts=parts, **more)


def test_nothing_is_said_of_the_latest_merge_which_every_word_has():
    letters = "soup"
    steps = tuple(merges(letters, {("s", "o"): 4, ("u", "p"): 30}))
    assert not said_of(
        "merge_steps", walked(SegmentationMethod.MERGES, WordPart(tuple(letters), steps, ("so",)))
    )


def longest(word: str, *vocabulary: str) -> WordPart:
    steps = tuple(longest_first(word, lambda piece, _goes_on: piece in vocabulary, 100))
    cuts = (0, *steps[-1].ends)
    pieces = tuple(word[a:b] for a, b in pairwise(cuts))
    return WordPart(tuple(word), steps, pieces if steps[-1].found else ("[UNK]",))


def test_merge_steps_tell_the_piece_for_which_most_longer_ones_were_tried():
    word, vocabulary = "guests", ("g", "ue", "st", "s")
    tries, rest, told = [], word, []
    while rest:
        found = next(n for n in range(len(rest), 0, -1) if rest[:n] in vocabulary)
        tries.append(len(rest) - found)
        told.append((rest[:found], rest))
        rest = rest[found:]
    piece, rest = told[int(np.argmax(tries))]
    said = said_of("merge_steps", walked(SegmentationMethod.LONGEST, longest(word, *vocabulary)))
    assert said == (
        f"At the start of “{rest}” the vocabulary has nothing longer than “{piece}”: {max(tries)} "
        "longer pieces are tried in vain."
    )
    assert not said_of("merge_steps", walked(SegmentationMethod.LONGEST, longest(word, word)))


def test_merge_steps_tell_why_a_word_is_unknown():
    said = said_of("merge_steps", walked(SegmentationMethod.LONGEST, longest("guests", "gu", "e")))
    assert said == (
        "The vocabulary has no piece at the start of “sts”, so the whole of “guests” becomes "
        "“[UNK]”."
    )
    said = said_of("merge_steps", walked(SegmentationMethod.LONGEST, longest("한국어", "gu")))
    assert "at the start of “한국어”, so" in said


def test_merge_steps_tell_how_likely_the_best_way_is():
    result = recorded("merge_steps")
    (part,) = result.parts
    chances = np.array([one.probability for one in part.paths])
    assert chances.argmax() == 0
    assert said_of("merge_steps").startswith("“▁soup” is nearly certain (> 99.9 %)")

    def said(*chances):
        paths = tuple(
            SegmentationPath(part.paths[n].ends, 0.0, one) for n, one in enumerate(chances)
        )
        return said_of("merge_steps", replace(result, parts=(replace(part, paths=paths),)))

    assert said(0.5, 0.45) == ("The model hesitates between “▁soup” (50 %) and “▁so u p” (45 %).")
    assert said(0.7, 0.2).startswith("“▁soup” (70 %) leads clearly")
    assert not said(1.0)


def test_merge_steps_that_end_elsewhere_decide_nothing():
    assert not said_of("merge_steps", replace(recorded("merge_steps"), agrees=False))


def test_a_trained_tokenizer_tells_for_whom_size_matters_most():
    result = recorded("train_tokenizer")
    ratios = [one.measured[1, :, 0] / one.measured[1, :, 1] for one in result.trained]
    at = int(np.argmax([one[0] - one[-1] for one in ratios]))
    best, sizes = ratios[at], result.trained[at].sizes
    assert result.trained[at].algorithm == "byte_level_bpe"
    assert said_of("train_tokenizer") == (
        f"Size matters most to byte-level BPE: of text kept aside, it makes {best[0]:.2f} pieces "
        f"a word with a vocabulary of {sizes[0]}, and {best[-1]:.2f} with {sizes[-1]}."
    )


def test_a_trained_tokenizer_tells_what_it_lacks_before_how_short_it_is():
    result = recorded("train_tokenizer")
    first, *others = result.trained
    measured = first.measured.copy()
    measured[1, :, 3] = measured[1, :, 0] // 5
    share = measured[1, -1, 3] / measured[1, -1, 0]
    lacking = replace(first, measured=measured)
    said = said_of("train_tokenizer", replace(result, trained=(lacking, *others)))
    assert said.startswith("WordPiece can't spell the text: with all 800 pieces")
    assert f"{100 * share:.0f} %" in said


def test_a_trained_tokenizer_of_a_text_that_is_not_parted_tells_of_its_own():
    result = recorded("train_tokenizer")
    own = []
    for one in result.trained:
        measured = one.measured.copy()
        measured[1] = 0
        own.append(replace(one, measured=measured))
    assert "of its own text" in said_of("train_tokenizer", replace(result, trained=tuple(own)))
    flat = [replace(one, measured=one.measured[:, [-1, -1]]) for one in result.trained]
    assert not said_of("train_tokenizer", replace(result, trained=tuple(flat)))
    assert not said_of("train_tokenizer", replace(result, trained=()))


def test_a_vocabulary_tells_the_nearest_pieces():
    result = recorded("vocabulary")
    (side,) = result.neighbours
    cosines = np.array([one.cosine for one in side.nearest])
    first, second = (side.nearest[n] for n in np.argsort(-cosines)[:2])
    assert said_of("vocabulary") == (
        f"Nearest to “cooked” by cosine are “{first.piece.text}” ({cosines.max():.2f}) and "
        f"“{second.piece.text}” ({second.cosine:.2f})."
    )
    far = replace(side, nearest=tuple(replace(n, cosine=n.cosine / 4) for n in side.nearest))
    assert not said_of("vocabulary", replace(result, neighbours=(far,)))


def test_a_vocabulary_tells_where_its_two_tables_differ():
    result = recorded("vocabulary")
    (side,) = result.neighbours
    written = NearestPieces("output", 128, 128, side.nearest[3:])
    said = said_of("vocabulary", replace(result, neighbours=(side, written)))
    assert said.startswith("The two tables differ")
    assert f"“{side.nearest[3].piece.text}” ({side.nearest[3].cosine:.2f}) as it writes" in said


def test_a_vocabulary_tells_what_it_has_in_common_with_another():
    result = replace(recorded("vocabulary"), piece=None, neighbours=())
    both = result.overlap
    ours, theirs = (both.shared / (both.shared + one) for one in (both.here, both.there))
    said = said_of("vocabulary", result)
    assert f"{100 * ours:.0f} % of these pieces" in said
    assert f"{100 * theirs:.0f} % of its pieces" in said


def test_nothing_is_said_of_a_vocabulary_alone_whose_use_is_the_same_for_every_text():
    result = replace(recorded("vocabulary"), piece=None, neighbours=(), overlap=None)
    assert result.counted.top
    assert not said_of("vocabulary", result)
