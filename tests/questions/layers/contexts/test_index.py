"""An index on disk: whole blocks alone are read, and what was stopped goes on to the same bytes."""

import shutil

import numpy as np
import pytest

from explorer.api.question import (
    Cancelled,
    Cards,
    Context,
    HiddenStates,
    MachineFault,
    Rows,
    UserMistake,
)
from explorer.questions.layers.contexts import compute, index
from explorer.questions.layers.contexts.corpus import CorpusText, digest_of, texts_of
from explorer.questions.layers.contexts.index import StatesIndex
from explorer.questions.layers.contexts.parts import parts
from explorer.questions.layers.contexts.question import ContextsRequest
from explorer.questions.layers.contexts.search import nearest, unit
from tests.hf import tiny

WORDS = ["cat", "dog", "mat", "movie", "great", "bad", "dull", "exciting", "run", "sat"]
TEXT = "the cat sat on the mat"


def texts(start, count):
    return [
        CorpusText(f"text {n} of it", ((0, 4, "role", f"r{n}"),))
        for n in range(start, start + count)
    ]


def block(seed, width=8, count=12):
    rows = np.random.default_rng(seed).standard_normal((count, width))
    places = np.array([(n % 3, n, n + 2) for n in range(count)])
    return places, unit(rows).astype(np.float16)


def filled(folder, blocks=3, whose="a"):
    found = StatesIndex(folder, whose, 8)
    for n in range(len(found.blocks), blocks):
        found.add(texts(3 * n, 3), *block(n))
    return found


def bytes_of(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_what_is_written_is_read(tmp_path):
    found = filled(tmp_path / "one")
    again = StatesIndex(tmp_path / "one", "a", 8)
    assert again.blocks == found.blocks
    assert again.end.tokens == 36
    np.testing.assert_array_equal(
        again.states(again.end), np.concatenate([block(n)[1] for n in range(3)])
    )
    for token in (0, 13, 35):
        n, row = divmod(token, 12)
        text, start, end = again.place(token)
        assert text == texts(3 * n, 3)[row % 3]
        assert (start, end) == (row, row + 2)
    assert again.reaching(13).tokens == 24
    assert again.reaching(37) is None


@pytest.mark.parametrize("cut", ["blocks", "states", "places", "texts"])
def test_what_is_cut_off_or_damaged_is_made_again(tmp_path, cut):
    """As when a process is killed while it writes, or a disk gives back something else."""
    whole = bytes_of(filled(tmp_path / "whole").folder)
    for damage in ("cut", "changed"):
        folder = tmp_path / damage
        filled(folder)
        path = folder / cut
        content = path.read_bytes()
        if damage == "cut":
            path.write_bytes(content[:-3])
        else:
            at = len(content) - 20
            path.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        found = StatesIndex(folder, "a", 8)
        assert len(found.blocks) == 2
        filled(folder)
        assert bytes_of(folder) == whole
    for odd in (b"", b"nonsense", whole["blocks"][:64] + b"\xff" * 200):
        folder = tmp_path / "odd"
        filled(folder)
        (folder / "blocks").write_bytes(odd)
        assert StatesIndex(folder, "a", 8).blocks == ()
        filled(folder)
        assert bytes_of(folder) == whole
        shutil.rmtree(folder)


def test_what_a_killed_run_left_behind_its_last_block_is_written_over(tmp_path):
    whole = bytes_of(filled(tmp_path / "whole").folder)
    filled(tmp_path / "left", 2)
    for name in ("states", "places", "texts"):
        with (tmp_path / "left" / name).open("ab") as file:
            file.write(b"half a block that has no record")
    filled(tmp_path / "left")
    assert bytes_of(tmp_path / "left") == whole


def test_an_index_of_other_states_is_not_read(tmp_path):
    filled(tmp_path / "one", whose="a")
    assert StatesIndex(tmp_path / "one", "b", 8).blocks == ()
    assert StatesIndex(tmp_path / "one", "a", 9).blocks == ()


def test_a_disk_without_room_is_refused(tmp_path, monkeypatch):
    found = filled(tmp_path / "one", 1)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        index.shutil, "disk_usage", lambda _path: usage._replace(free=index.SPARE + 1000)
    )
    with pytest.raises(MachineFault, match="takes about"):
        found.make_room(1_000_000)
    found.make_room(13)

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index, "_put", full)
    with pytest.raises(MachineFault, match="The disk is full: the index has 12 tokens"):
        found.add(texts(3, 3), *block(1))


def test_the_oldest_indexes_go_when_all_take_too_much(tmp_path, monkeypatch):
    import os

    for n, name in enumerate(("old", "middle", "new")):
        filled(tmp_path / name)
        os.utime(tmp_path / name, (n, n))
    size = sum(map(len, bytes_of(tmp_path / "old").values()))
    monkeypatch.setattr(index, "MOST_BYTES", 2 * size + 10)
    StatesIndex(tmp_path / "another", "a", 8).make_room(0)
    assert {one.name for one in tmp_path.iterdir()} == {"middle", "new"}


@pytest.mark.parametrize("vectors", [1, 5])
def test_the_nearest_are_those_of_brute_force(vectors, monkeypatch):
    monkeypatch.setattr("explorer.questions.layers.contexts.search.CHUNK", 97)
    rng = np.random.default_rng(3)
    states = unit(rng.standard_normal((1000, 16))).astype(np.float16)
    states[700] = states[3]  # a tie
    wanted = unit(rng.standard_normal((vectors, 16)))
    wanted[0] = unit(states[3].astype(np.float32))
    numbers, cosines = nearest(states, wanted, 10)
    products = wanted @ states.astype(np.float32).T
    for row, own, said in zip(products, numbers, cosines, strict=True):
        expected = np.lexsort((np.arange(1000), -row))[:10]
        np.testing.assert_allclose(said, row[expected], atol=1e-6)
        np.testing.assert_allclose(row[own], row[expected], atol=1e-6)
    assert set(numbers[0][:2].tolist()) == {3, 700}
    assert nearest(states[:0], wanted, 10)[0].shape == (vectors, 0)
    assert nearest(states[:4], wanted, 10)[0].shape == (vectors, 4)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("m") / "bert"))


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(compute, "BLOCK_TEXTS", 4)
    path = tmp_path / "corpus.txt"
    lines = [f"the {one} sat on the {two}" for one in WORDS for two in WORDS]
    path.write_text("\n".join([*lines, lines[0]]) + "\n", "utf-8")
    return path


def ask(model, corpus, cache, **fields):
    request = ContextsRequest(TEXT, path=str(corpus), **{"layer": 1, "most": 100, **fields})
    return tiny.ask(model, request, Context(cache=cache, is_cancelled=fields.pop("stop", bool)))


def test_places_of_a_corpus_are_those_nearest_to_the_models_states(model, corpus, tmp_path):
    result = ask(model, corpus, tmp_path / "cache", most=250, count=5)
    own = model.port(HiddenStates)
    (rows,) = own.states([model.encode(TEXT)], Context())
    states, words, following = [], [], []
    read = 0
    for one in texts_of(str(corpus)):
        encoded = model.encode(one.text)
        (found,) = own.states([encoded], Context())
        places = [n for n, token in enumerate(encoded.tokens) if not token.special]
        states += [found[2][n].numpy() for n in places]
        split = one.text.split()
        for n in places:
            at = one.text[: encoded.tokens[n].start].count(" ")
            words.append(split[at])
            following.append(split[at + 1] if at + 1 < len(split) else "")
        read += 1
        if len(states) >= 250 and read % 4 == 0:
            break
    assert (result.searched, result.texts) == (len(states), read)
    table = unit(np.array(states))
    for one in result.nearest:
        cosines = table @ unit(rows[2][one.position].numpy())
        expected = np.sort(cosines)[::-1][:5]
        np.testing.assert_allclose(one.cosines, expected, atol=2e-3)
        for place, cosine in zip(one.places, one.cosines, strict=True):
            alike = np.flatnonzero(abs(cosines - cosine) < 2e-3)
            assert any((words[n], following[n]) == (place.word, place.following) for n in alike)
            assert place.before.endswith(" ") or not place.before
            assert not place.labels
    first = result.nearest[0]
    assert first.places[0].word == "the"
    assert first.cosines[0] == pytest.approx(1, abs=2e-3)  # the corpus has the same beginning


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(model, corpus, tmp_path):
    ask(model, corpus, tmp_path / "whole", most=300)
    seen = []

    def stop():
        folder = tmp_path / "stopped" / "contexts"
        blocks = list(folder.glob("*/blocks"))
        seen.append(blocks)
        return bool(blocks) and blocks[0].stat().st_size > 64 + 3 * 40

    request = ContextsRequest(TEXT, layer=1, path=str(corpus), most=300)
    with pytest.raises(Cancelled):
        tiny.ask(model, request, Context(cache=tmp_path / "stopped", is_cancelled=stop))
    half = ask(model, corpus, tmp_path / "stopped", most=300, build=False)
    assert not half.is_ready
    assert 0 < half.needed < 300 * (2 * 32 + 20 + 24)
    done = ask(model, corpus, tmp_path / "stopped", most=300)
    assert done.is_ready
    folders = [next((tmp_path / one / "contexts").glob("*/")) for one in ("whole", "stopped")]
    assert folders[0].name == folders[1].name
    assert bytes_of(folders[0]) == bytes_of(folders[1])


def test_only_looking_makes_nothing_and_an_index_is_read_again(model, corpus, tmp_path):
    looked = ask(model, corpus, tmp_path, build=False)
    assert not looked.is_ready
    assert looked.needed > 0
    assert not (tmp_path / "contexts").exists()
    made = ask(model, corpus, tmp_path)
    again = ask(model, corpus, tmp_path, build=False)
    assert again.nearest == made.nearest
    # A larger one goes on, and a smaller question is answered as before.
    larger = ask(model, corpus, tmp_path, most=400)
    assert larger.searched > made.searched
    assert ask(model, corpus, tmp_path, build=False).nearest == made.nearest
    whole = ask(model, corpus, tmp_path, most=5000)
    assert whole.texts == len(WORDS) ** 2  # each once, and no more than there are
    assert ask(model, corpus, tmp_path, most=5000, build=False).nearest == whole.nearest


def test_another_model_layer_or_file_has_an_index_of_its_own(model, corpus, tmp_path):
    other = tiny.load(tiny.save_bert(tmp_path / "other", seed=1))
    ask(model, corpus, tmp_path)
    assert not ask(other, corpus, tmp_path, build=False).is_ready
    assert not ask(model, corpus, tmp_path, build=False, layer=0).is_ready
    first = next((tmp_path / "contexts").glob("*/"))
    request = ContextsRequest(TEXT, layer=1, path=str(corpus))
    theirs = compute.index_of(other, request, 32, tmp_path / "contexts")
    shutil.copytree(first, theirs.folder)  # even where it lies at the other's place
    assert not ask(other, corpus, tmp_path, build=False).is_ready
    corpus.write_text(corpus.read_text("utf-8") + "the dog run\n", "utf-8")
    assert not ask(model, corpus, tmp_path, build=False).is_ready


def test_a_damaged_file_is_made_again(model, corpus, tmp_path):
    made = ask(model, corpus, tmp_path)
    folder = next((tmp_path / "contexts").glob("*/"))
    (folder / "states").write_bytes(b"\xff" * 10)
    assert not ask(model, corpus, tmp_path, build=False).is_ready
    assert ask(model, corpus, tmp_path).nearest == made.nearest


def test_what_is_not_there(model, corpus, tmp_path):
    with pytest.raises(UserMistake, match="There is no layer 3"):
        ask(model, corpus, tmp_path, layer=3)
    with pytest.raises(UserMistake, match="no text"):
        tiny.ask(model, ContextsRequest(" "), Context())
    with pytest.raises(UserMistake):
        ask(model, tmp_path / "nothing.txt", tmp_path)
    empty = tmp_path / "empty.txt"
    empty.write_text("\n", "utf-8")
    with pytest.raises(UserMistake):
        ask(model, empty, tmp_path)
    embedded = ask(model, corpus, tmp_path, layer=-1)
    assert embedded.layer == "emb."
    assert embedded.is_ready


def test_the_small_world_has_the_grammars_labels(model, tmp_path):
    result = tiny.ask(
        model, ContextsRequest("the cat sat", layer=0, most=200, count=30), Context(cache=tmp_path)
    )
    labels = [label for one in result.nearest for place in one.places for label in place.labels]
    kinds = {kind for kind, _label in labels}
    assert "part_of_speech" in kinds
    for one in result.nearest:
        for place in one.places:
            if place.word in ("the", "a"):
                assert place.label("part_of_speech") in ("DET", "")
            if place.word == "." and place.label("part_of_speech"):
                assert place.label("part_of_speech") == "PUNCT"


TREEBANK = """# text = The cats don't sit.
1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_
2\tcats\tcat\tNOUN\tNNS\tNumber=Plur\t5\tnsubj\t_\t_
3-4\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
3\tdo\tdo\tAUX\tVBP\tTense=Pres\t5\taux\t_\t_
4\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_
5\tsit\tsit\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_

1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tran\trun\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
"""


def test_a_treebanks_words_have_its_labels(tmp_path):
    path = tmp_path / "cats.conllu"
    path.write_text(TREEBANK, encoding="utf-8")
    first, second = texts_of(str(path))
    assert (first.text, second.text) == ("The cats don't sit.", "A dog ran")
    found = {(first.text[start:end], kind): label for start, end, kind, label in first.labels}
    assert found[("cats", "part_of_speech")] == "NOUN"
    assert found[("cats", "number")] == "Plur"
    assert found[("cats", "role")] == "nsubj"
    assert not [one for one in found if one[0] == "don't"]
    assert found[("sit", "role")] == "root"
    assert (".", "part_of_speech") in found
    told = {(second.text[one[0] : one[1]], one[2]): one[3] for one in second.labels}
    assert told[("ran", "tense")] == "Past"
    before = digest_of(str(path))
    path.write_text(TREEBANK.replace("NOUN", "PROPN"), encoding="utf-8")
    assert digest_of(str(path)) != before


def test_places_of_a_treebank_are_counted_by_its_labels(tmp_path):
    path = tmp_path / "cats.conllu"
    path.write_text(TREEBANK, encoding="utf-8")
    model = tiny.load(tiny.save_bert(tmp_path / "bert", "BertForMaskedLM"))
    result = compute.run(model, ContextsRequest(TEXT, path=str(path)), Context())
    (cat,) = [n for n, one in enumerate(result.tokens) if one.text == "cat"]
    places = result.at(cat).places
    assert {one.label("part_of_speech") for one in places} >= {"NOUN", "VERB"}
    shown = [one for one in parts(result, "part_of_speech", cat) if isinstance(one, Rows)]
    assert not shown[0].hidden
    cards = [one for one in parts(result, "part_of_speech", cat) if isinstance(one, Cards)]
    counted = {row.what: row.count for row in cards[0].cards[-1].parts[0].rows}
    own = [one.label("part_of_speech") for one in places]
    assert counted["NOUN"] == own.count("NOUN") > 0
    plain = tmp_path / "cats.txt"
    plain.write_text("The cats sit.\nA dog ran.\n", encoding="utf-8")
    result = compute.run(model, ContextsRequest(TEXT, path=str(plain)), Context())
    shown = [one for one in parts(result, "part_of_speech", cat) if isinstance(one, Rows)]
    assert shown[0].hidden == ("label",)
