"""A word's journey against transformers' own hidden states and brute force."""

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.document import Document, Mask
from explorer.numerics.vectors.projection import principal_components, trustworthiness
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.compute import (
    MOST_OCCURRENCES,
    MOST_WORDS,
    combined,
    other_pairs,
)
from explorer.questions.layers.word_journey.question import (
    AT,
    FILE,
    PIECES,
    PROJECTION,
    QUESTION,
    STANDARDISE,
    VECTOR,
    WORD,
    OccurrencePieces,
    WordJourneyRequest,
    WordMatch,
    table,
)
from tests.hf import tiny
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

ROOT = Path(__file__).parents[4]
TEXT = (
    "The chef cooked the meal in the kitchen . The meal was unbelievably good .\n"
    "I liked the movie more than the meal ."
)


NOUNS = ("chef", "farmer", "meal", "movie", "guitar", "horse", "river", "doctor")


def ask(text=TEXT, name="bert-miniature", **fields):
    return tiny.ask(miniature(name), WordJourneyRequest(text, **fields))


def by_hand(model, result, pieces=OccurrencePieces.MEAN):
    """Every word's vectors (rows x words x width) from the offsets and hidden states alone."""
    found = []
    for word in result.words:
        sentence = result.sentences[word.sentence]
        inputs = model.tokenizer(sentence, return_tensors="pt", return_offsets_mapping=True)
        offsets = inputs.pop("offset_mapping")[0].tolist()
        with torch.inference_mode():
            hidden = model.module.bert(**inputs, output_hidden_states=True).hidden_states
        at = [n for n, (a, b) in enumerate(offsets) if a < b and a < word.end and b > word.start]
        at = at if pieces is OccurrencePieces.MEAN else at[:1]
        found.append(torch.stack([row[0, at].mean(0) for row in hidden]))
    return torch.stack(found, dim=1).double().numpy()


def every_vector(rows):
    """Those of the layers and those made of several."""
    return [*rows, rows[1:].mean(0), rows[-4:].sum(0), np.concatenate(list(rows[-4:]), axis=1)]


@pytest.mark.parametrize("pieces", list(OccurrencePieces))
@pytest.mark.parametrize("standardise", [False, True])
def test_pictures_and_neighbours_are_those_of_the_hidden_states(pieces, standardise):
    result = ask(word="Meal", pieces=pieces, standardise=standardise)
    assert [result.words[n].word for n in result.occurrences] == ["meal"] * 3
    assert [result.words[n].sentence for n in result.occurrences] == [0, 1, 2]
    assert any(len(word.pieces) > 1 for word in result.words), "no word of several pieces"
    every = every_vector(by_hand(miniature("bert-miniature"), result, pieces))
    assert result.vectors == (
        *("emb.", "0", "1", "2", "3"),
        *("mean", "sum_four", "concat_four"),
    )
    if standardise:
        every = [(vectors - vectors.mean(0)) / vectors.std(0) for vectors in every]
    for v, vectors in enumerate(every):
        picture, shares = principal_components(vectors)
        assert np.allclose(result.coordinates[v], picture, atol=1e-3)
        assert np.allclose(result.variance[v], shares, atol=1e-5)
        assert result.trust_neighbours == 5
        assert result.trust[v] == pytest.approx(trustworthiness(vectors, picture, 5), abs=1e-6)

        def cosine(i, j, vectors=vectors):
            one, other = vectors[i], vectors[j]
            return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))

        for n, number in enumerate(result.occurrences):
            others = [j for j in range(len(vectors)) if j != number]
            nearest = sorted(others, key=lambda j: -cosine(number, j))[:8]
            expected = [cosine(number, j) for j in nearest]
            assert result.cosines[v, n] == pytest.approx(expected, abs=1e-5)
            told = [cosine(number, j) for j in result.neighbours[v, n]]
            assert told == pytest.approx(expected, abs=1e-5)
        a, b, c = result.occurrences
        own = np.mean([cosine(a, b), cosine(a, c), cosine(b, c)])
        assert result.own[v] == pytest.approx(own, abs=1e-5)
        pairs = [
            (i, j)
            for i in range(len(vectors))
            for j in range(i)
            if not {i, j} & set(result.occurrences)
            and result.words[i].word.casefold() != result.words[j].word.casefold()
        ]
        assert result.pairs == len(pairs)
        assert result.others[v] == pytest.approx(np.mean([cosine(*p) for p in pairs]), abs=1e-5)


MANY = " ".join(f"the {one} saw the {other} ." for one in NOUNS for other in NOUNS[:3])


def test_t_sne_keeps_neighbours_together_and_changes_nothing_else():
    from sklearn import manifold

    drawn, plain = (ask(MANY, word="saw", projection=one) for one in ("tsne", "pca"))
    assert (drawn.projection, drawn.perplexity) == ("tsne", 30)
    assert (plain.projection, plain.perplexity) == ("pca", None)
    assert np.array_equal(drawn.neighbours, plain.neighbours)
    assert np.array_equal(drawn.variance, plain.variance)
    assert drawn.own == pytest.approx(plain.own)
    every = every_vector(by_hand(miniature("bert-miniature"), drawn))
    # Not of the embeddings: the same word at the same place is there once and again the same.
    for vectors, points, told in list(zip(every, drawn.coordinates, drawn.trust, strict=True))[1:]:
        expected = manifold.trustworthiness(vectors, points.astype(float), n_neighbors=5)
        assert told == pytest.approx(expected, abs=1e-4)
    assert (drawn.trust[1:] > plain.trust[1:] + 0.02).all()
    again = ask(MANY, word="saw", projection="tsne")
    assert np.array_equal(drawn.coordinates, again.coordinates)


def test_t_sne_of_words_that_are_all_the_same_and_of_few():
    """T5's embeddings of a word are the same wherever it stands."""
    result = ask("meal meal meal meal meal meal", "t5-miniature", projection="tsne")
    assert np.isfinite(result.coordinates).all()
    assert not result.coordinates[0].any()
    assert result.perplexity == pytest.approx(5 / 3)
    with pytest.raises(UserMistake, match="needs 5 words"):
        ask("One meal here .", projection="tsne")
    with pytest.raises(UserMistake, match="--projection can't be umap"):
        WordJourneyRequest(TEXT, projection="umap").check()


def test_t_sne_stops_between_its_steps():
    asked = []

    def check():
        asked.append(1)
        if len(asked) == 3:
            raise Cancelled

    draw = np.random.default_rng(0).normal(size=(30, 8))
    with pytest.raises(Cancelled):
        tsne.embedded(draw, draw[:, :2], check)


def test_without_the_library_one_line_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "openTSNE", None)
    assert not tsne.is_installed()
    with pytest.raises(UserMistake, match="openTSNE, which is not installed") as told:
        ask(projection="tsne")
    assert "pip install plm-explorer[tsne]" in told.value.hint
    assert ask().projection == "pca"


def test_the_sum_of_the_last_four_is_the_sum_and_fewer_are_all():
    rows = [np.random.default_rng(n).normal(size=(3, 2)) for n in range(7)]
    mean, total, joined = combined(rows)
    assert np.allclose(mean, sum(rows[1:]) / 6)
    assert np.allclose(total, rows[3] + rows[4] + rows[5] + rows[6])
    assert np.array_equal(joined[:, 2:4], rows[4])
    _, total, joined = combined(rows[:3])
    assert np.allclose(total, rows[1] + rows[2])
    assert joined.shape == (3, 4)


def test_two_uses_of_a_word_come_apart_from_layer_to_layer():
    samples = tomllib.loads((ROOT / "resources/samples/samples.toml").read_text("utf-8"))["samples"]
    (sample,) = (one for one in samples if one.get("question") == "word_journey")
    result = ask(sample["text"], word=sample["options"][WORD.key])
    assert len(result.occurrences) == 6, "three tools, then three films"
    last = len(result.layers) - 1

    def apart(vector):
        """How much more alike those of one use are than those of two."""
        own, near = list(result.occurrences), result.neighbours[vector]
        inside, across = [], []
        for n, row in enumerate(near):
            for number, cosine in zip(row.tolist(), result.cosines[vector, n], strict=True):
                if number in own:
                    (inside if own.index(number) // 3 == n // 3 else across).append(cosine)
        return np.mean(inside) - (np.mean(across) if across else 0.0)

    assert apart(last) > apart(0) + 0.1
    nearest = [[n for n in row if n in result.occurrences] for row in result.neighbours[last]]
    first, second = result.occurrences[:3], result.occurrences[3:]
    for number, row in zip(result.occurrences, nearest, strict=True):
        assert set(row[:2]) == set(first if number in first else second) - {number}


def test_pairs_of_other_words_are_the_same_each_time():
    result = ask(" ".join(f"the w{n} x{n} ." for n in range(40)), word="the")
    pairs = other_pairs(result.words, result.occurrences)
    assert len(pairs) == 1000
    assert np.array_equal(pairs, other_pairs(result.words, result.occurrences))
    assert not set(pairs.ravel().tolist()) & set(result.occurrences)
    assert len({tuple(pair) for pair in pairs.tolist()}) == 1000


def test_which_word_is_followed():
    assert (ask().word, ask().found) == ("The", WordMatch.REPEATED)
    masked = ask(masks=(Mask(20, 24),))
    assert (masked.word, masked.found) == ("meal", WordMatch.MASKED)
    assert masked.coordinates == pytest.approx(ask(word="meal").coordinates), "the mask was read"
    second = ask("It was good .", pair="A good meal .", masks=(Mask(2, 6, 1),))
    assert [second.words[n].sentence for n in second.occurrences] == [0, 1]
    alone = ask("One meal here .")
    assert (alone.word, alone.found) == ("One", WordMatch.FIRST)
    assert np.isnan(alone.own).all()
    assert len(alone.occurrences) == 1


@pytest.mark.parametrize(
    ("text", "word"), [(TEXT, "flower"), ("  ", ""), ("...", ""), ("", "meal")]
)
def test_a_word_that_is_nowhere_gives_one_sentence(text, word):
    with pytest.raises(UserMistake) as told:
        ask(text, word=word)
    assert told.value.message.count(".") == 1
    assert told.value.hint


def test_sentences_of_a_file_come_after_those_of_the_text(tmp_path):
    file = tmp_path / "more.csv"
    file.write_text("text,pair\nNo word here .,A meal .\nMeals are long .,\nThe meal .,\n", "utf-8")
    result = ask("The meal was good .", word="meal", path=str(file))
    assert result.sentences == (
        *("The meal was good .", "No word here .", "A meal .", "Meals are long .", "The meal ."),
    )
    assert [result.words[n].sentence for n in result.occurrences] == [0, 2, 4]
    alone = ask("", path=str(file))
    assert alone.word == "meal"


def test_of_a_large_file_those_with_the_word_are_read_and_the_rest_is_told(tmp_path):
    file = tmp_path / "many.txt"
    lines = [f"the farmer saw the cat number {n} ." for n in range(300)]
    lines[290] = "the pilot saw the moon ."
    file.write_text("\n".join(lines), "utf-8")
    result = ask("", word="pilot", path=str(file))
    assert "the pilot saw the moon ." in result.sentences
    assert MOST_WORDS <= len(result.words) < MOST_WORDS + 20
    assert result.left_out == 300 - len(result.sentences)
    many = ask("", word="farmer", path=str(file))
    assert MOST_OCCURRENCES <= len(many.occurrences) <= MOST_OCCURRENCES + 5


FAMILIES = ("gpt2", "t5", "albert", "xlm", "deberta-v2", "roberta", "mobilebert", "distilbert")


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_vectors(name):
    result = ask(name=f"{name}-miniature", word="meal")
    assert len(result.occurrences) == 3
    assert np.isfinite(result.coordinates).all()
    assert len(result.coordinates) == len(result.vectors)
    assert result.combined == min(4, len(result.layers) - 1)


def test_a_document_asks_it_with_its_options():
    document = Document(TEXT, "A second .", (Mask(0, 3),))
    for option, value in ((WORD, " meal "), (FILE, "x.txt"), (PIECES, "first")):
        document = document.with_option(option.key, value)
    document = document.with_option(STANDARDISE.key, True)
    document = document.with_option(PROJECTION.key, "tsne")
    assert WordJourneyRequest.of(document) == WordJourneyRequest(
        TEXT, "A second .", (Mask(0, 3),), "meal", "x.txt", OccurrencePieces.FIRST, True, "tsne"
    )
    assert all(option.redraws for option in (VECTOR, AT))


def test_the_table_has_a_row_a_neighbour():
    result = ask(word="meal")
    rows = table(result).rows
    assert len(rows) == len(result.vectors) * 3 * 8
    near = result.words[result.neighbours[4, 1, 0]]
    assert ("3", 2, 4, 1, near.word, near.sentence + 1, near.start) in [row[:-1] for row in rows]


def test_a_cancel():
    with pytest.raises(Cancelled):
        QUESTION.run(
            miniature("bert-miniature"),
            WordJourneyRequest(TEXT),
            Context(is_cancelled=lambda: True),
        )
