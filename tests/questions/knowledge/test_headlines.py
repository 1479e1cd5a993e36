"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.api.question import MaskPredictions, Prediction
from explorer.questions.knowledge.entities.question import Classed, Version
from tests.questions.headlines import headline_of, recorded, said_of

ORDER = [one.version for one in recorded("entities").versions]


def entities(**words):
    """The recorded answer with other words at one mask, by version."""
    result = recorded("entities")
    versions = []
    for one in result.versions:
        found = tuple(
            Prediction(word, sum(map(ord, word)), chance, word, rank)
            for rank, (word, chance) in enumerate(words[one.version.value].items(), start=1)
        )
        versions.append(replace(one, masks=(MaskPredictions(4, found, None, 0.0),)))
    return replace(result, versions=tuple(versions))


def without_masks(**changes):
    result = recorded("entities")
    versions = tuple(replace(one, masks=()) for one in result.versions)
    return replace(result, versions=versions, **changes)


def test_entities_tell_the_word_that_they_change_most_at_least():
    result = recorded("entities")
    listed = [
        {one.word: one.probability for one in version.masks[0].predictions}
        for version in result.versions
    ]
    own = listed[ORDER.index(Version.WITH)]
    least = {}
    for its, version in zip(listed, ORDER, strict=True):
        for word in {*own, *its} if its is not own else ():
            ends = [
                (one[word], one[word]) if word in one else (0.0, min(one.values()))
                for one in (own, its)
            ]
            least[version, word] = max(ends[0][0] - ends[1][1], ends[1][0] - ends[0][1])
    version, word = max(least, key=least.get)
    assert version is Version.OTHER
    at_most = min(listed[ORDER.index(version)].values())
    assert word not in listed[ORDER.index(version)]
    effect = headline_of("entities")
    assert effect.position == result.versions[0].masks[0].position
    assert effect.sentence == (
        f"“{word}” changes most: {100 * own[word]:.1f} % with {result.named[0].entity.name}, "
        f"but at most {100 * at_most:.1g} % with {result.other.name} instead."
    )


def test_entities_tell_what_is_without_them_where_that_is_more():
    words = {
        "with": {"tray": 0.9, "oven": 0.08},
        "without": {"oven": 0.3, "tray": 0.12},
        "other": {"tray": 0.7, "oven": 0.1},
    }
    assert said_of("entities", entities(**words)) == (
        "“tray” changes most: 90.0 % with the entities of the text, 12 % without any."
    )
    same = {"tray": 0.5, "oven": 0.2}
    words = {"with": same, "without": same, "other": {"tray": 0.53, "a": 0.21}}
    assert not said_of("entities", entities(**words))
    # Of a word that no other list has, only a bound is known.
    words["without"] = {"map": 0.22, "hose": 0.21}
    assert "at most" in said_of("entities", entities(**words))


def test_without_masks_the_verdict_of_a_head_that_changes_most_is_told():
    result = without_masks()
    (told,) = result.told
    rows = told.probabilities.astype(float)
    far = abs(rows - rows[ORDER.index(Version.WITH)])
    version, candidate = np.argwhere(far == far.max())[0]
    assert ORDER[version] is Version.OTHER
    effect = headline_of("entities", result)
    assert effect.position == told.position
    assert effect.sentence.startswith(f"“{told.candidates[candidate].name}” changes most: ")
    chances = np.zeros((3, 2), dtype=np.float32)
    chances[ORDER.index(Version.WITHOUT)] = (0.75, 0.1)
    chances[ORDER.index(Version.WITH)] = (0.25, 0.12)
    chances[ORDER.index(Version.OTHER)] = (0.3, 0.12)
    classed = Classed("relations", "# Anna #", ("works as", "none"), chances)
    effect = headline_of("entities", without_masks(told=(), classed=(classed,)))
    assert effect.position is None
    assert effect.sentence == (
        "“works as” changes most: 25 % with the entities of the text, 75 % without any."
    )


def test_without_a_head_the_state_that_moves_most_is_told():
    result = without_masks(told=())
    moved = result.version(Version.WITH).moved
    layer, place = np.argwhere(moved == moved.max())[0]
    effect = headline_of("entities", result)
    assert effect.position == place
    assert effect.sentence == (
        f"Entities move the state of “{result.tokens[place].text}” most: in layer {layer - 1}, by "
        f"{100 * moved.max():.0f} % of the length that it has without them."
    )


def test_a_text_that_names_no_entity_has_no_effect_of_one():
    result = recorded("entities")
    plain = tuple(one for one in result.versions if one.version is Version.WITHOUT)
    assert not headline_of("entities", replace(result, named=(), versions=plain)).sentence


def scored(*pairs: tuple[float, float]):
    result = recorded("graph_question")
    choices = (
        replace(one, score=score, without=without)
        for one, (score, without) in zip(result.choices, pairs, strict=True)
    )
    return replace(result, choices=tuple(choices))


def test_a_graph_question_tells_the_choice_whose_score_the_paths_change_most():
    choices = recorded("graph_question").choices
    scores = np.array([(one.score, one.without) for one in choices])
    most = int(abs(scores[:, 0] - scores[:, 1]).argmax())
    said = said_of("graph_question")
    assert said == (
        f"The paths change the score of “{choices[most].text}” most: {scores[most, 0]:.2f} with "
        f"them, {scores[most, 1]:.2f} without any."
    )


def test_a_graph_question_tells_that_paths_decide_or_hardly_matter():
    first, second, _third = (one.text for one in recorded("graph_question").choices)
    said = said_of("graph_question", scored((0.2, 0.6), (0.9, 0.3), (0.1, 0.1)))
    assert said == (
        f"The paths decide: without any, “{first}” (0.60) would be chosen, and not “{second}”, "
        "which goes from 0.30 to 0.90."
    )
    assert not said_of("graph_question", scored((0.40, 0.41), (0.43, 0.4), (0.1, 0.1)))
