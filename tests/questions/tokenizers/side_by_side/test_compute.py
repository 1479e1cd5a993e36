"""What is counted, what was changed and what is shared, against what can be counted by hand."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Context, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.hf.text.words import words_of
from explorer.questions.tokenizers.side_by_side.changes import changes_in
from explorer.questions.tokenizers.side_by_side.question import (
    CharacterChange,
    SideBySideRequest,
    differs_at,
)
from explorer.questions.tokenizers.side_by_side.tables import numbers_table
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.questions.tokenizers import references as ref

AWAY = "google-bert/bert-base-cased"
BERT, GPT2, T5 = "bert-miniature", "gpt2-miniature", "t5-miniature"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A Hugging Face cache with nothing in it, whatever is in the user's."""
    return tmp_path_factory.mktemp("hub")


@pytest.fixture(scope="module")
def context(cache):
    host = tiny.families()
    return Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS, cache)))


@pytest.fixture(scope="module")
def ask(context):
    def run(text, *tokenizers, **more):
        return tiny.ask(None, SideBySideRequest(text, tokenizers, **more), context)

    return run


def told(result, name):
    one = next(one for one in result.cuttings if one.checkpoint == name)
    kinds = [one.kinds[number] for number in one.which]
    places = zip(kinds, one.starts, one.ends, strict=True)
    return [(kind.text, kind.data, result.text[start:end]) for kind, start, end in places]


def test_all_that_come_with_the_program_each_vocabulary_once(ask):
    result = ask("the chef")
    names = [one.checkpoint for one in result.cuttings]
    known = ("bert", "gpt2", "gpt2-prompts", "t5", "xlm")
    assert {f"{name}-miniature" for name in known} < set(names)
    bert = result.cuttings[names.index(BERT)]
    assert "deberta-v3-miniature" in bert.alike
    told_of = [*names, *(name for one in result.cuttings for name in one.alike)]
    with_tokenizer = {
        path.parent.name
        for pattern in ("tokenizer.json", "vocab.json")
        for path in MODELS.glob(f"*/{pattern}")
    }
    assert sorted(told_of) == sorted(with_tokenizer)
    count = len(names)
    assert result.overlap.shape == (count, count)
    assert np.array_equal(result.overlap, result.overlap.T)
    assert (np.diag(result.overlap) == 1).all()
    rest = result.overlap[~np.eye(count, dtype=bool)]
    assert ((rest > 0) & (rest <= 1)).all()


def test_what_is_in_the_cache_is_among_them_without_its_weights(ask, cache):
    snapshot = cache / "models--somebody--gpt" / "snapshots" / ("1" * 40)
    snapshot.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(MODELS / GPT2 / name, snapshot / name)
    try:
        told = {one.checkpoint: one for one in ask("the chef").cuttings}
        # The vocabulary is known already: the program's own stands for both.
        assert "somebody/gpt" in told[GPT2].alike
        path = snapshot / "tokenizer.json"
        facts = json.loads(path.read_text("utf-8"))
        facts["model"]["vocab"]["zzzz"] = len(facts["model"]["vocab"]) + 100
        path.write_text(json.dumps(facts), "utf-8")
        told = {one.checkpoint: one for one in ask("the chef").cuttings}
        assert told["somebody/gpt"].ids == told[GPT2].ids
        assert told["somebody/gpt"].vocabulary == told[GPT2].vocabulary + 1
    finally:
        shutil.rmtree(cache / "models--somebody--gpt")


def test_half_characters_are_shared(ask):
    result = ask("a 한 😀", GPT2)
    assert told(result, GPT2) == [
        ("a", "", "a"),
        ("Ġ", "", " "),
        ("í", "ED", "한"),
        ("ķ", "95", "한"),
        ("ľ", "9C", "한"),
        ("Ġ", "", " "),
        ("ð", "F0", "😀"),
        ("Ł", "9F", "😀"),
        ("ĺ", "98", "😀"),
        ("Ģ", "80", "😀"),
    ]


def test_spaces_belong_to_the_pieces_that_are_written_with_them(ask):
    result = ask("the  chef cooked", BERT, GPT2, "roberta-miniature", T5)
    assert [characters for *_, characters in told(result, BERT)] == ["the", "chef", "cooked"]
    for name in (GPT2, "roberta-miniature"):
        assert [c for *_, c in told(result, name)] == ["the", " ", " chef", " cooked"]
    # SentencePiece makes one space of several.
    assert [c.strip() for *_, c in told(result, T5)] == ["the", "chef", "cooked"]


def test_numbers_of_one_long_word(ask):
    result = ask("the unbelievable", BERT, english="the chef")
    (one,) = result.cuttings
    assert [kind for kind, *_ in told(result, BERT)][:2] == ["the", "un"]
    assert (one.words, one.continued) == (2, 1)
    assert one.fertility == one.pieces / 2
    assert one.continued_share == 0.5
    assert one.english == 2
    assert one.premium == one.pieces / 2
    assert one.joined.tolist() == [False, False] + [True] * (one.pieces - 2)
    (row,) = numbers_table(result).rows
    assert row[:5] == (BERT, "WordPiece", 1600, one.pieces, 2)


def test_without_english_there_is_no_premium(ask):
    assert ask("the chef", BERT).cuttings[0].premium is None


def test_what_is_read_back(ask):
    result = ask("Café, 한!", BERT, GPT2)
    bert, gpt2 = result.cuttings
    assert differs_at(result, gpt2) is None
    assert bert.read_back.startswith("cafe")
    assert differs_at(result, bert) == 0
    assert bert.changes == {CharacterChange.CASE: 1, CharacterChange.ACCENTS: 1}
    assert gpt2.changes == {}


@pytest.mark.parametrize(
    ("characters", "written", "changes"),
    [
        ("chef", "chef", ()),
        ("chef", " chef", ()),
        ("Chef", "chef", (CharacterChange.CASE,)),
        ("é", "e", (CharacterChange.ACCENTS,)),
        ("É", "e", (CharacterChange.CASE, CharacterChange.ACCENTS)),
        ("e\u0301", "é", (CharacterChange.COMPOSED,)),
        ("한", "\u1112\u1161\u11ab", (CharacterChange.DECOMPOSED,)),
        ("ﬁ", "fi", (CharacterChange.COMPATIBLE,)),
        ("a b", "ab", (CharacterChange.SPACES,)),
        ("…", "...", (CharacterChange.COMPATIBLE,)),
        ("«", '"', (CharacterChange.REWRITTEN,)),
    ],
)
def test_what_was_changed(characters, written, changes):
    assert changes_in(characters, written) == changes


def test_what_is_removed_is_told(ask):
    result = ask("the\u200b chef", BERT, GPT2)
    bert, gpt2 = result.cuttings
    assert (bert.removed, gpt2.removed) == ((3,), ())
    assert bert.changes == {CharacterChange.REMOVED: 1}


def test_words_are_the_same_for_all():
    assert words_of("it's 42!").tolist() == [0, 0, 1, 2, -1, 3, 3, 4]
    assert set(words_of("สวัสดี").tolist()) == {0}
    assert set(words_of("👩🏽‍🚀").tolist()) == {0}
    assert words_of("e\u0301a  b").tolist() == [0, 0, 0, -1, -1, 1]


def test_what_can_not_be_had_is_told_beside_the_rest(ask, tmp_path):
    folder = tmp_path / "without"
    shutil.copytree(MODELS / BERT, folder)
    (folder / "tokenizer.json").write_text("{}", "utf-8")
    result = ask("the chef", BERT, "nobody", str(folder), "google-bert/bert-base-cased")
    assert [one.checkpoint for one in result.cuttings] == [BERT]
    named = {one.checkpoint: one.why for one in result.missing}
    assert list(named) == ["nobody", str(folder), "google-bert/bert-base-cased"]
    assert "no checkpoint named nobody" in named["nobody"]
    assert "not on this machine" in named["google-bert/bert-base-cased"]


def test_offline_that_is_why_it_is_missing(cache):
    host = tiny.families()
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS, cache, offline=True)))
    result = tiny.ask(None, SideBySideRequest("the chef", (BERT, AWAY)), context)
    (missing,) = result.missing
    assert missing.why == (
        "It is not on this machine, and the program is offline. Start the program without "
        "--offline to download it."
    )


def test_a_folder_without_weights_is_enough(ask, tmp_path):
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(MODELS / GPT2 / name, tmp_path / name)
    result = ask("the chef", str(tmp_path), GPT2)
    assert not result.missing
    first, second = result.cuttings
    assert first.ids == second.ids


def test_the_same_pieces_cut_otherwise_are_another_tokenizer(cache, tmp_path):
    models = tmp_path / "models"
    shutil.copytree(MODELS / BERT, models / "again")
    ref.with_capitals(models / "capitals")
    host = tiny.families()
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, models, cache)))
    shown = tiny.ask(None, SideBySideRequest("The chef"), context).cuttings
    by_name = {one.checkpoint: [one.kinds[n].text for n in one.which] for one in shown}
    assert by_name == {"again": ["the", "chef"], "capitals": ["[UNK]", "chef"]}
    assert not any(one.alike for one in shown)


def test_a_file_that_is_written_anew_is_read_anew(ask, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(MODELS / BERT, folder)
    before = ask("the chef", str(folder)).cuttings[0]
    shutil.copy(MODELS / GPT2 / "tokenizer.json", folder / "tokenizer.json")
    (folder / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "<unk>"}', "utf-8"
    )
    after = ask("the chef", str(folder)).cuttings[0]
    assert (before.algorithm, after.algorithm) == ("WordPiece", "byte-level BPE")


def test_none_at_all_is_a_mistake(ask):
    with pytest.raises(UserMistake, match="nobody"):
        ask("the chef", "nobody")


def test_the_model_s_own_comes_first(context):
    class Loaded:
        stamp = replace(tiny.ask(None, SideBySideRequest("a", (T5,)), context).model, id=T5)

    result = tiny.ask(Loaded, SideBySideRequest("the chef"), context)
    assert result.cuttings[0].checkpoint == result.model.id == T5
    names = {one.checkpoint for one in result.cuttings}
    assert {BERT, GPT2, T5} < names
