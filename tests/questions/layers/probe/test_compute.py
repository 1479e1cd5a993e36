"""Probes of the miniatures: numbers made anew here, controls at chance, a cancel."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, HiddenStates, UserMistake
from explorer.questions.layers.probe.question import (
    QUESTION,
    SEEDS,
    ProbeRequest,
    derived,
    table,
)
from explorer.questions.layers.probe.texts import world_texts
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.questions.layers.probe.test_regression import newton

TEXT = "The chef cooked the meal in the kitchen. He used a pan."


def ask(name="bert-miniature", text="", **fields):
    return tiny.ask(miniature(name), ProbeRequest(text, **fields))


@pytest.fixture(scope="module")
def roles():
    return ask(text=TEXT, label="role", texts=240, withheld=True)


@dataclass(frozen=True)
class Gathered:
    """Features, labels and splits made here, with nothing of the question's but the texts."""

    states: np.ndarray
    labels: np.ndarray
    owners: np.ndarray
    sentences: list
    types: list

    @staticmethod
    def of(result, label, texts):
        model = miniature("bert-miniature")
        rows, labels, owners, sentences, types = [], [], [], [], []
        for n, one in enumerate(world_texts(label, texts, lambda: None)):
            encoded = model.encode(one.text)
            (states,) = model.port(HiddenStates).states([encoded], Context())
            for word in one.words:
                place = next(
                    i
                    for i, token in enumerate(encoded.tokens)
                    if not token.special and token.start == word.start
                )
                rows.append(states[:, place].numpy())
                labels.append(result.labels.index(word.label))
                owners.append(n)
                sentences.append(word.sentence)
                types.append(word.type)
        return Gathered(
            np.stack(rows, 1), np.array(labels), np.array(owners), sentences, np.array(types)
        )

    def split(self, seed):
        """Places that are trained on, and places that are tested on."""
        count = self.owners.max() + 1
        tested = np.random.default_rng([seed, 0]).permutation(count)[: round(count / 4)]
        test = np.isin(self.owners, tested)
        known = {one for one, out in zip(self.sentences, test, strict=True) if not out}
        return ~test, test & np.array([one not in known for one in self.sentences])

    def withholding(self, seed):
        """The same with a fifth of the words kept from training, and tested on alone."""
        train, test = self.split(seed)
        types = np.array(sorted(set(self.types)))
        order = np.random.default_rng([seed, 1]).permutation(len(types))
        hidden = np.isin(self.types, types[order[: round(len(types) / 5)]])
        return train & ~hidden, test & hidden

    def features(self, layer, train):
        """Standardised as the training part is."""
        own = self.states[layer].astype(np.float64)
        mean, deviation = own[train].mean(0), own[train].std(0)
        return (own - mean) / np.where(deviation < 1e-8, 1.0, deviation)


def test_accuracy_is_that_of_another_regression_on_the_same_words():
    result = ask(label="number", texts=80)
    own = Gathered.of(result, "number", 80)
    train, test = own.split(0)
    assert (train.sum(), test.sum()) == (result.scores.trained[0], result.scores.tested[0])
    for layer in (0, 2, 4):
        features = own.features(layer, train)
        weights = newton(features[train], own.labels[train], len(result.labels))
        said = (features[test] @ weights[:-1] + weights[-1]).argmax(1)
        assert (said == own.labels[test]).mean() == pytest.approx(
            result.scores.accuracy[layer, 0], abs=0.002
        )
    commonest = np.bincount(own.labels[train]).argmax()
    assert result.scores.majority[0] == pytest.approx((own.labels[test] == commonest).mean())


def test_accuracy_on_withheld_words_is_scikit_learns():
    """Words that nothing was trained on lie near the edges: a fit that stops early misses some."""
    from sklearn.linear_model import LogisticRegression

    result = ask(texts=100, withheld=True)
    own = Gathered.of(result, "part_of_speech", 100)
    for seed in range(SEEDS):
        train, test = own.withholding(seed)
        assert train.sum() == result.withheld.trained[seed]
        assert test.sum() == result.withheld.tested[seed]
        layer = (1, 3, 4)[seed % 3]
        features = own.features(layer, train)
        theirs = LogisticRegression(max_iter=20_000, tol=1e-7)
        theirs.fit(features[train], own.labels[train])
        assert theirs.score(features[test], own.labels[test]) == pytest.approx(
            result.withheld.accuracy[layer, seed], abs=0.002
        ), (layer, seed)


def test_roles_are_read_and_the_control_is_not_where_words_are_withheld(roles):
    assert roles.layers == ("emb.", "0", "1", "2", "3")
    assert roles.scores.accuracy.shape == roles.scores.control.shape == (5, SEEDS)
    assert roles.scores.accuracy[-1].mean() > 0.9 > roles.scores.control[-1].mean()
    assert roles.withheld.accuracy[-1].mean() > 0.9
    # Four labels that are about as frequent: chance is the sum of their squared shares.
    shares = np.array(roles.counts) / sum(roles.counts)
    chance = float((shares**2).sum())
    assert roles.withheld.control.mean() == pytest.approx(chance, abs=0.12)
    assert sum(roles.counts) > roles.scores.tested.max() + 100


def test_the_best_probe_labels_the_typed_words(roles):
    said = {one.word: one for one in roles.read}
    assert list(said) == ["The", "chef", "cooked", "the", "meal", "in", "kitchen", ".", "He", *(
        "used", "a", "pan"
    )]  # fmt: skip
    assert [said[one].label for one in ("chef", "meal", "kitchen", "pan")] == [
        "subject",
        "object",
        "place",
        "tool",
    ]
    assert all(0.25 <= one.probability <= 1 for one in roles.read)
    assert TEXT[said["meal"].start :].startswith("meal")
    assert roles.scores.accuracy.mean(axis=1).argmax() == roles.best


def test_without_a_text_there_is_nothing_to_label():
    assert ask(label="tense", texts=40).read == ()


def test_the_job_behind_he_is_no_word_of_its_sentence():
    result = ask(label="job", texts=30, withheld=True)
    assert result.withheld is None, "three pronouns are too few to keep some back"
    assert result.types <= 6
    # Knowing the pronoun by heart is all that the control task takes.
    assert result.scores.control.mean() > 0.9


def test_first_piece_and_mean_differ_where_words_have_several(tmp_path):
    words = ["unbelievable", "cookery", "kitchens", "gardening"]
    path = tmp_path / "words.tsv"
    path.write_text(
        "\n\n".join(f"the\tD\n{words[n % 4]}{n}\tN" for n in range(20)), encoding="utf-8"
    )
    first, mean = (
        ask(text="the kitchens", label="file", path=str(path), pieces=pieces, texts=20)
        for pieces in ("first", "mean")
    )
    assert first.source == mean.source == "words.tsv"
    assert first.read[1].probability != mean.read[1].probability
    assert first.labels == ("D", "N")


@pytest.mark.parametrize("name", ["gpt2-miniature", "t5-miniature", "deberta-v2-miniature"])
def test_other_families_have_states_too(name):
    result = ask(name, label="tense", texts=40)
    assert result.scores.accuracy.shape[0] == len(result.layers)
    assert result.scores.accuracy[1:].mean() > result.scores.majority.mean()


def test_a_table_arrays_and_a_line(roles):
    rows = table(roles)
    assert len(rows.rows) == len(roles.layers) * SEEDS
    assert rows.column("accuracy")[SEEDS] == roles.scores.accuracy[1, 0]
    told = derived(roles)
    assert told["selectivity"][2][3] == pytest.approx(
        told["scores"]["accuracy"][2][3] - told["scores"]["control"][2][3]
    )
    assert len(told["withheld"]["accuracy"]) == len(roles.layers)
    assert "withheld" not in derived(replace(roles, withheld=None))
    assert table(replace(roles, withheld=None)).column("withheld_accuracy")[0] is None


@pytest.mark.parametrize("stage", ["collecting texts", "reading the texts", "training probes"])
def test_it_stops_at_every_stage(stage):
    seen = []
    context = Context(
        is_cancelled=lambda: stage in seen, progress=lambda *told: seen.append(told[0])
    )
    with pytest.raises(Cancelled):
        QUESTION.run(miniature("bert-miniature"), ProbeRequest(texts=40), context)
    assert seen[-1] == stage


@pytest.mark.parametrize(
    "fields", [{"label": "colour"}, {"pieces": "last"}, {"texts": 3}, {"texts": 10**6}]
)
def test_values_that_are_none_are_refused(fields):
    with pytest.raises(UserMistake, match="can't be"):
        ProbeRequest(**fields).check()
