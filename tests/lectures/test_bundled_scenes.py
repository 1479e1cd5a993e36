"""Every bundled scene is played: what it claims holds, and would be missed if it did not."""

import re

import pytest

from explorer import lectures
from explorer.api.question import UserMistake
from explorer.lectures.claims.cells import names_of
from explorer.lectures.claims.claim import judge
from explorer.paths import own_resources
from explorer.text import language as languages

NAMES = [scene.name for scene in lectures.bundled().scenes]
SHOWN = {*(f"S{number}" for number in range(1, 18)), *(f"I{number}" for number in range(1, 15))}
"""The systems and ideas that the lecture is about."""
LITERATURE = "figures of the papers: there is no setting in which they are others"
UNCONTROLLED = {
    ("what_layers_write", 5): "a probe reads more than any single neuron, whichever is chosen",
    ("gpt_layouts_and_norms", 1): "where GPT-1 reads its answer is how its layout is made",
    ("static_dynamic_and_span_masks", 5): "two words know less than all: it is so of every span",
    ("one_word_two_meanings", 1): "one token's embeddings differ in their positions alone",
    ("electra_finds_replaced_words", 1): "what the generator proposes depends on no setting",
    ("electra_finds_replaced_words", 3): "what the generator's loss is made of is its definition",
    ("token_and_position_apart", 2): "what is far has less than what is near, in any text",
    ("t5_writes_what_is_hidden", 1): "that sentinels come in order is how T5 writes",
    ("kagnet_why_and_with_what", 2): "without paths no choice has anything, whatever is asked",
    ("bigger_longer_up_to_a_point", 2): LITERATURE,
    ("bigger_longer_up_to_a_point", 3): LITERATURE,
}
"""Steps with claims that no control takes away, and why."""


@pytest.mark.parametrize("name", NAMES)
def test_what_it_claims_holds(name, played):
    found = played(lectures.bundled().scene(name))
    for number, step in enumerate(found.steps):
        assert not step.failures, (number, step.failures)
        for one in step.claims:
            assert one.holds, (number, one)
    assert found.holds


@pytest.mark.parametrize("name", NAMES)
def test_turned_round_it_does_not_hold(name, played):
    found = played(lectures.bundled().scene(name))
    for number, step in enumerate(found.steps):
        names = names_of(step.cells, [one.cells for one in found.steps[:number]])
        for claim in step.step.claims:
            assert not judge(f"not ({claim})", names).holds, (number, claim)


CONTROLLED = [
    (scene.name, number)
    for scene in lectures.bundled().scenes
    for number, step in enumerate(scene.steps)
    if step.controls
]


def test_every_claim_has_a_control_in_which_it_fails():
    lacking = set()
    for scene in lectures.bundled().scenes:
        for number, step in enumerate(scene.steps):
            failing = {place for control in step.controls for place in control.fails}
            if failing != set(range(len(step.claims))):
                lacking.add((scene.name, number + 1))
    assert lacking == set(UNCONTROLLED)


def test_models_are_called_as_the_window_calls_them(player):
    """A film's bare name is that of its last step, which is another name in the library."""
    program = player._program
    catalogue = program.catalogue(program.plugin_host())
    steps = [step for scene in lectures.bundled().scenes for step in scene.steps]
    names = {name for step in steps for name in step.models}
    assert {catalogue.find(name).id for name in names} == names


def test_every_system_and_every_idea_has_a_scene():
    assert {one for scene in lectures.bundled().scenes for one in scene.shows} == SHOWN


def test_no_picture_comes_twice():
    """A step shows something that no other step shows: a page, a text, or a setting."""
    seen = {}
    for scene in lectures.bundled().scenes:
        for number, step in enumerate(scene.steps):
            asked = (step.question, step.models, step.text, step.pair, step.masked)
            own = {key: one for key, one in step.options.items() if key.startswith(step.question)}
            key = repr((asked, sorted(own.items()), step.focus))
            assert key not in seen, (scene.name, number + 1, seen[key])
            seen[key] = (scene.name, number + 1)


@pytest.mark.parametrize(("name", "number"), CONTROLLED)
def test_it_fails_where_what_it_shows_is_not_there(name, number, played, player):
    for found in player.play_controls(played(lectures.bundled().scene(name)), number):
        assert not found.failures, found
        assert found.claims, found
        assert [one.claim for one in found.claims if one.holds] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_names_something_of_an_answer(name):
    nothing = names_of({}, [])
    for number, step in enumerate(lectures.bundled().scene(name).steps):
        for claim in step.claims:
            try:
                judge(claim, nothing)
            except UserMistake:
                continue
            pytest.fail(f"step {number + 1}: {claim} is so whatever is answered")


@pytest.mark.parametrize("chapter", lectures.bundled().chapters, ids=lambda one: one.key)
def test_it_holds_in_korean(chapter, player):
    """What is claimed is of the answer, and the answer is the same in every language."""
    before = languages.current()
    korean = languages.find("ko", own_resources() / "locale")
    assert korean is not None
    languages.use(korean)
    try:
        found = player.play(chapter.scenes[0])
    finally:
        languages.use(before)
    assert found.holds, [(one.claims, one.failures) for one in found.steps]
    for step in found.steps:
        assert re.search("[가-힣]", step.step.claim("ko"))
        assert all(re.search("[가-힣]", sentence) for sentence in step.step.look("ko"))


CALLED = {"BERT miniature": "bert-miniature", "ALBERT miniature": "albert-miniature"}
FOCUSED = [scene.name for scene in lectures.bundled().scenes if any(s.focus for s in scene.steps)]


@pytest.mark.parametrize("name", FOCUSED)
def test_what_a_step_is_about_is_on_its_page(name, played, qapp):
    from explorer.ui.blocks.block import page_of
    from explorer.ui.blocks.page.explained import behind_marks
    from explorer.ui.blocks.page.focus import focused
    from explorer.ui.blocks.page.shown import Shown
    from explorer.ui.views import views

    pages = {kind.of.name: kind.declared for kind in views()}
    for step in played(lectures.bundled().scene(name)).steps:
        asked = step.answered.run
        shown = Shown(asked.result, asked.document, asked.document)
        blocks, _ = behind_marks(pages[asked.operation].drawn(shown))
        for title in step.step.focus:
            # Without a window a model is called by its id.
            found = focused(blocks, [CALLED.get(title, title)])
            assert found, title
            assert page_of(found, 1000).height < page_of(blocks, 1000).height, title
