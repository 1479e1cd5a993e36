"""Counts, lengths and neighbours are those of the tokenizers' and transformers' own."""

import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from transformers import PreTrainedTokenizerFast

from explorer.api.question import Cancelled, ModelStamp, UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.text.vocabularies.vocabulary import entries
from explorer.numerics.distributions.efficiency import renyi_efficiency
from explorer.questions.tokenizers.vocabulary.options import (
    NearnessMeasure,
    SearchMode,
    Sort,
    Which,
)
from explorer.questions.tokenizers.vocabulary.question import VocabularyRequest, table
from explorer.questions.tokenizers.vocabulary.rows import MOST_FILES, VocabularyRows, WantedPieces
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature
from tests.questions.tokenizers import references as ref

NAMES = sorted(one.name for one in MODELS.iterdir() if (one / "model.safetensors").is_file())
KINDS = ("albert", "bert", "gpt1", "gpt2", "roberta", "t5", "xlm")
"""One of each way to write pieces."""


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """A file with sentences of the small world and of ten scripts."""
    path = tmp_path_factory.mktemp("file") / "lines.txt"
    sentences = ["The chef cooked the meal.", *ref.texts(30), "나는 영화를 좋아한다 🎬"]
    path.write_text("\n".join(one.strip() for one in sentences), "utf-8")
    return path


def every(result):
    rows = VocabularyRows(Path(result.rows))
    return {row.id: row for row in rows.rows(rows.ids(WantedPieces()))}


def tokenizer_of(name):
    folder = MODELS / name
    return tiny.families().family_of(inspect_folder(folder))[0].tokenizer(inspect_folder(folder))


@pytest.mark.parametrize("name", NAMES)
def test_every_piece_is_counted_as_the_tokenizer_cuts_the_text(ask, lines, name):
    result = ask(name, path=str(lines))
    tokenizer = tokenizer_of(name)
    read = [one.strip() for one in lines.read_text("utf-8").split("\n") if one.strip()]
    expected = Counter()
    for text in read:
        expected.update(tokenizer.encode(text, add_special_tokens=False))
    rows = every(result)
    assert {row.piece: row.id for row in rows.values()} == tokenizer.get_vocab()
    assert {number: row.uses for number, row in rows.items() if row.uses} == dict(expected)
    counted = result.counted
    assert (counted.sentences, counted.pieces) == (len(read), expected.total())
    assert counted.unknown == expected[tokenizer.unk_token_id]
    assert counted.efficiency == pytest.approx(renyi_efficiency(list(expected.values())))
    of_text = [row for row in rows.values() if row.place not in ("special", "added", "unused")]
    assert (counted.words, counted.used) == (len(of_text), sum(row.uses > 0 for row in of_text))
    tops = sorted((row.uses for row in of_text), reverse=True)
    assert [row.uses for row in counted.top] == tops[:10]
    assert list(counted.frequencies) == [tops[rank - 1] for rank in counted.ranks]
    assert set(tokenizer.all_special_ids) <= {
        row.id for row in rows.values() if row.place == "special"
    }


def test_a_tokenizer_with_another_normaliser_has_counts_of_its_own(ask, tmp_path):
    folder = ref.with_capitals(tmp_path / "capitals")
    path = tmp_path / "lines.txt"
    path.write_text("The Chef MAKES the meal .", "utf-8")
    first, second = (ask(name, path=str(path)) for name in ("bert-miniature", str(folder)))
    backend = tokenizer_of("bert-miniature").backend_tokenizer
    backend.normalizer.lowercase = False
    pieces = backend.encode(path.read_text("utf-8"), add_special_tokens=False).tokens
    assert pieces.count("[UNK]") == 3, "these words are known in small letters alone"
    used = {row.piece: row.uses for row in every(second).values() if row.uses}
    assert used == dict(Counter(pieces))
    assert (first.counted.unknown, second.counted.unknown) == (0, 3)
    assert first.model.fingerprint != second.model.fingerprint
    assert first.model.fingerprint[:16] == second.model.fingerprint[:16], "one vocabulary"


def read_of(name, tokenizer, piece):
    """What a piece stands for, by its family's own marks; None for bytes that are no character."""
    if name in ("gpt2", "roberta"):
        text = tokenizer.convert_tokens_to_string([piece])
        return None if "\ufffd" in text else text
    text = piece.removeprefix("##") if name == "bert" and piece != "##" else piece
    text = text.removesuffix("</w>") if name in ("gpt1", "xlm") else text
    return text.replace("▁", " ") if name in ("albert", "t5") else text


@pytest.mark.parametrize("name", KINDS)
def test_lengths_are_those_of_what_the_pieces_stand_for(ask, name):
    result = ask(f"{name}-miniature")
    tokenizer = tokenizer_of(f"{name}-miniature")
    lengths, sizes = Counter(), Counter()
    for piece, number in tokenizer.get_vocab().items():
        if number in tokenizer.all_special_ids or re.fullmatch(r"<special\d>", piece):
            continue
        text = read_of(name, tokenizer, piece)
        if text is not None:
            lengths[len(text.strip() or text)] += 1
        sizes[len(piece)] += 1
    assert {n: int(count) for n, count in enumerate(result.lengths) if count} == dict(lengths)
    found = {n: int(count) for n, count in enumerate(result.sizes) if count}
    assert found == (dict(sizes) if name in ("gpt2", "roberta") else {})


@pytest.mark.parametrize(
    ("name", "piece", "place", "shown"),
    [
        ("bert", "##ing", "continues", "…ing"),
        ("bert", "[MASK]", "special", "[MASK]"),
        ("roberta", "Ġthe", "word", "the"),
        ("roberta", "ing", "continues", "…ing"),
        ("roberta", "¡", "bytes", "A1"),
        ("gpt1", "cooked</w>", "word", "cooked"),
        ("gpt1", "gar", "begins", "gar…"),
        ("xlm", "<special1>", "special", "<special1>"),
        ("xlm", "<special3>", "unused", "<special3>"),
        ("t5", "▁cooked", "word", "cooked"),
        ("t5", "<extra_id_7>", "special", "<extra_id_7>"),
    ],
)
def test_what_a_piece_is_in_a_word(ask, name, piece, place, shown):
    (row,) = [one for one in every(ask(f"{name}-miniature")).values() if one.piece == piece]
    assert (row.place, row.text) == (place, shown)


def test_slots_that_were_left_free_are_told_from_other_special_tokens(context, tmp_path):
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused12]", "a"]
    folder = tiny.save_bert(tmp_path / "bert")
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    (folder / "tokenizer.json").unlink(missing_ok=True)
    asked = VocabularyRequest(str(folder), which=Which.UNUSED)
    result = tiny.ask(None, asked, context)
    assert [row.piece for row in result.first] == ["[unused0]", "[unused12]"]
    assert {one.name: one.pieces for one in result.places} == {"special": 5, "unused": 2, "word": 1}
    assert result.counted.words == 1


@pytest.mark.parametrize("measure", NearnessMeasure)
@pytest.mark.parametrize(
    "name", [*(f"{one}-miniature" for one in KINDS), "electra-miniature-generator"]
)
def test_the_nearest_are_those_of_transformers_own_embeddings(ask, name, measure):
    result = ask(name, loaded=True, piece="cooked", measure=measure, top_k=7)
    table = miniature(name).module.get_input_embeddings().weight.detach().numpy().astype("f8")
    own = table[result.piece.id]
    dots = table @ own
    cosines = dots / np.linalg.norm(table, axis=1) / np.linalg.norm(own)
    values = cosines if measure is NearnessMeasure.COSINE else dots
    order = [at for at in np.argsort(-values) if at != result.piece.id][:7]
    (near,) = result.neighbours
    assert [one.piece.id for one in near.nearest] == order
    assert [one.cosine for one in near.nearest] == pytest.approx(cosines[order], abs=1e-6)
    assert [one.dot for one in near.nearest] == pytest.approx(dots[order], abs=1e-6)
    assert (near.side, near.width) == ("input", table.shape[1])


def test_factorised_embeddings_are_those_before_the_projection(ask):
    (near,) = ask("albert-miniature", loaded=True, piece="cooked").neighbours
    assert (near.width, near.states_width) == (96, 192)


def test_output_embeddings_of_their_own_are_looked_at_too(context, tmp_path):
    folder = tiny.save_bert(tmp_path / "untied", "BertForMaskedLM", tie_word_embeddings=False)
    model = tiny.load(folder)
    result = tiny.ask(model, VocabularyRequest(piece="movie", top_k=3), context)
    first, second = result.neighbours
    assert (first.side, second.side) == ("input", "output")
    head = model.module.get_output_embeddings().weight.detach().numpy().astype("f8")
    own = head[result.piece.id]
    cosines = head @ own / np.linalg.norm(head, axis=1) / np.linalg.norm(own)
    best = [int(at) for at in np.argsort(-cosines) if at != result.piece.id][:3]
    assert [one.piece.id for one in second.nearest] == best
    assert [one.cosine for one in second.nearest] == pytest.approx(cosines[best], abs=1e-6)
    assert [one.piece.id for one in first.nearest] != best


def test_rows_of_the_table_that_no_piece_has_are_no_neighbours(context, tmp_path):
    folder = tiny.save_bert(tmp_path / "larger", vocab_size=len(tiny.VOCABULARY) + 30)
    asked = VocabularyRequest(piece="movie", top_k=200)
    result = tiny.ask(tiny.load(folder), asked, context)
    assert result.rows_more == 30
    assert len(result.neighbours[0].nearest) == len(tiny.VOCABULARY) - 1


def test_a_tokenizer_alone_answers_all_but_what_is_near(ask):
    result = ask("bert-miniature", piece="cooked")
    assert result.piece.piece == "cooked"
    assert result.neighbours == ()
    assert "in a model's weights" in str(result.no_neighbours)
    assert result.pieces == 1600


@pytest.mark.parametrize(
    ("typed", "piece"),
    [("cooked", "Ġcooked"), ("Ġcooked", "Ġcooked"), ("…ing", "ing"), ("ing", "ing"), (",", ",")],
)
def test_a_piece_is_found_as_it_is_spelled_or_shown(ask, typed, piece):
    assert ask("roberta-miniature", piece=typed).piece.piece == piece


def test_a_piece_that_is_not_there_is_told(ask):
    with pytest.raises(UserMistake, match="no piece “cookedly”"):
        ask(piece="cookedly")
    told = ask(piece="cookedly", partly=True)
    assert "no piece “cookedly”" in told.no_neighbours
    assert told.found == 1600


def pieces(result):
    return [row.piece for row in result.first]


def test_pieces_are_searched(ask):
    vocabulary = tokenizer_of("bert-miniature").get_vocab()
    by_id = sorted(vocabulary, key=vocabulary.get)
    assert pieces(ask(search="ING", most=0)) == [one for one in by_id if "ing" in one]
    assert pieces(ask(search="##in", most=0)) == [one for one in by_id if "##in" in one]
    begins = pieces(ask(search="co", by=SearchMode.BEGINS, most=0))
    assert begins == [one for one in by_id if one.removeprefix("##").startswith("co")]
    pattern = pieces(ask(search="^c.*ed$", by=SearchMode.PATTERN, most=0))
    assert pattern == [one for one in by_id if re.search("^c.*ed$", one.removeprefix("##"))]
    assert pieces(ask(search="7, 100-102", by=SearchMode.ID)) == [by_id[7], *by_id[100:103]]
    empty = ask(search="")
    assert (empty.found, pieces(empty)) == (1600, by_id[:50])
    assert ask(search="xqxqxq").found == 0


def test_pieces_are_filtered_and_sorted(ask):
    rows = every(ask())
    words = ask(which=Which.WORDS, most=0)
    assert {row.id for row in words.first} == {n for n, row in rows.items() if row.place == "word"}
    never = ask(which=Which.NEVER)
    assert never.found == never.counted.never
    longest = ask(sort=Sort.LENGTH_DOWN, most=0)
    lengths = [row.characters for row in longest.first]
    assert lengths == sorted(lengths, reverse=True)
    uses = [row.uses for row in ask(sort=Sort.USES_DOWN, most=0).first]
    assert uses == sorted(uses, reverse=True)
    assert uses[0] > 0
    scripts = [row.script for row in ask(sort=Sort.SCRIPT, most=0).first]
    assert scripts == sorted(scripts)


@pytest.mark.parametrize(
    ("search", "by", "why"),
    [
        ("(", SearchMode.PATTERN, "“\\(” is no regular expression"),
        ("a" * 201, SearchMode.PATTERN, "201 characters is too long"),
        ("cooked", SearchMode.ID, "“cooked” is no id"),
        ("3-", SearchMode.ID, "is no id"),
    ],
)
def test_a_search_that_means_nothing_is_told_in_a_sentence(ask, search, by, why):
    with pytest.raises(UserMistake, match=why):
        ask(search=search, by=by)
    told = ask(search=search, by=by, partly=True)
    assert re.search(why, told.no_search)
    assert (told.found, told.pieces) == (0, 1600)


def test_a_pattern_that_never_ends_is_given_up(context, tmp_path):
    vocabulary = {"[UNK]": 0, "a" * 60: 1}
    folder = tiny.save_bert(tmp_path / "long")
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    (folder / "tokenizer.json").unlink(missing_ok=True)
    asked = VocabularyRequest(str(folder), search=r"^(a|aa|aaa)+\d", by=SearchMode.PATTERN)
    with pytest.raises(UserMistake, match="takes too long"):
        tiny.ask(None, asked, context)


def test_two_vocabularies_are_compared_by_text(ask):
    result = ask("bert-miniature", against="roberta-miniature")

    def texts(name, kind):
        tokenizer = tokenizer_of(f"{name}-miniature")
        found = set()
        for piece, number in tokenizer.get_vocab().items():
            if number in tokenizer.all_special_ids:
                continue
            if kind == "##":
                goes_on = piece.startswith("##")
                found.add("…" + piece[2:] if goes_on else piece)
                continue
            text = read_of("roberta", tokenizer, piece)
            goes_on = text is not None and text[:1].isalnum()
            found.add(
                repr(piece) if text is None else "…" + text if goes_on else text.strip() or text
            )
        return found

    ours, theirs = texts("bert", "##"), texts("roberta", "Ġ")
    overlap = result.overlap
    assert overlap.shared == len(ours & theirs)
    assert overlap.here == len(ours - theirs)
    assert overlap.there == len(theirs - ours)
    assert ask(against="roberta-miniature", which=Which.SHARED).found >= overlap.shared
    only = ask(against="roberta-miniature", which=Which.ONLY_HERE)
    assert all(row.text not in theirs for row in only.first if row.place == "word")
    with pytest.raises(UserMistake, match="no second vocabulary"):
        ask(which=Which.SHARED)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_counted_in_any_encoding_that_is_read(ask, tmp_path, encoding):
    path = tmp_path / "some.txt"
    path.write_text("the chef cooked 한\n\nthe meal\n", encoding)
    counted = ask(path=str(path)).counted
    assert (counted.source, counted.sentences) == ("some.txt", 2)
    assert counted.top[0].piece == "the"
    assert counted.top[0].uses == 2


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no sentence in some.txt"),
        (b"\n \n\n", "no sentence in some.txt"),
        (b"\xff\xfe\x00\xd8zz", "not in UTF-8"),
        (b"the chef\x00cooked\n", "not a text file"),
        (b"caf\xe9 au lait\n", "not in UTF-8"),
        (b"x" * 100_002, "longer than 100,000 characters"),
    ],
)
def test_a_malformed_file_is_refused_in_a_sentence(ask, tmp_path, data, why):
    path = tmp_path / "some.txt"
    path.write_bytes(data)
    with pytest.raises(UserMistake, match=why):
        ask(path=str(path))


def test_a_file_that_is_gone_is_refused(ask, tmp_path):
    with pytest.raises(UserMistake, match="can't be read"):
        ask(path=str(tmp_path / "gone.txt"))


def test_a_file_is_counted_anew_when_it_was_written_anew(ask, tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("the chef", "utf-8")
    assert ask(path=str(path)).counted.pieces == 2
    path.write_text("the chef cooked the meal", "utf-8")
    assert ask(path=str(path)).counted.pieces == 5


def test_counting_can_be_cancelled_and_says_how_far_it_is(context, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("the chef cooked the meal\n" * 1_600, "utf-8")
    told = []

    def progress(stage, done, total):
        if stage == "counting pieces":
            told.append((done, total))

    stopped = replace(context, progress=progress, is_cancelled=lambda: len(told) == 3)
    with pytest.raises(Cancelled):
        tiny.ask(None, VocabularyRequest("bert-miniature", path=str(path)), stopped)
    assert told == [(0, 1600), (500, 1600), (1000, 1600)]


def test_no_half_written_table_is_left_by_what_was_cancelled(context, tmp_path):
    stopped = False

    def progress(stage, _done, _total):
        nonlocal stopped
        stopped = stopped or stage == "making the table"

    cache = tmp_path / "cache"
    asked = replace(context, cache=cache, progress=progress, is_cancelled=lambda: stopped)
    with pytest.raises(Cancelled):
        tiny.ask(None, VocabularyRequest("bert-miniature"), asked)
    assert not list(cache.rglob("*vocabulary*"))


def test_the_oldest_tables_are_cleared_away(ask, context):
    folder = context.cache / "vocabularies"
    kept = Path(ask().rows)
    for number in range(MOST_FILES + 3):
        old = folder / f"vocabulary-{number:02d}.db"
        old.touch()
        os.utime(old, (number, number))
    ask(against="t5-miniature")
    left = list(folder.glob("vocabulary-*.db"))
    assert len(left) == MOST_FILES
    assert kept in left


def test_the_table_has_what_was_found_and_what_is_near(ask):
    rows = table(
        ask(loaded=True, search="co", by=SearchMode.BEGINS, piece="cooked", top_k=4, most=5)
    )
    why = [row[0] for row in rows.rows]
    assert why == ["found"] * 5 + ["near by input"] * 4
    assert rows.columns[:4] == ("why", "id", "piece", "text")


def test_an_added_token_is_told_from_special_ones():
    backend = tokenizer_of("bert-miniature").backend_tokenizer
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
    tokenizer.add_tokens(["<added>"])
    found = {one.piece: one for one in entries(tokenizer)}
    assert found["<added>"].place == "added"
    assert len(found) == len(tokenizer)


def test_the_stamp_of_a_tokenizer_alone_says_so(ask):
    stamp = ask("t5-miniature").model
    assert isinstance(stamp, ModelStamp)
    assert (stamp.id, stamp.device) == ("t5-miniature", "meta")


def test_where_nothing_is_kept_it_is_searched_all_the_same(ask, context):
    alone = replace(context, cache=None)
    result = tiny.ask(None, VocabularyRequest("bert-miniature", search="cook", most=0), alone)
    assert (result.rows, result.first) == ("", ask(search="cook", most=0).first)


def test_a_model_without_a_table_of_vectors_says_so(context):
    model = replace(miniature("bert-miniature"), ports={})
    told = tiny.ask(model, VocabularyRequest(piece="cooked"), context)
    assert told.neighbours == ()
    assert "can't answer this" in told.no_neighbours
    assert told.pieces == 1600
