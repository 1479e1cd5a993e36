"""Every bundled scene is played: what it claims holds, and would be missed if it did not."""

import re

import pytest

from explorer import lectures
from explorer.api.question import UserMistake
from explorer.lectures.cells import names_of
from explorer.lectures.claim import judge
from explorer.paths import own_resources
from explorer.text import language as languages

NAMES = [scene.name for scene in lectures.bundled().scenes]


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


SCROLLED = [
    scene.name for scene in lectures.bundled().scenes if any(step.scroll_to for step in scene.steps)
]


@pytest.mark.parametrize("name", SCROLLED)
def test_what_a_step_is_scrolled_to_is_a_heading_of_its_page(name, played, qapp):
    from explorer.ui.blocks.block import page_of
    from explorer.ui.blocks.shown import Shown
    from explorer.ui.views import views

    pages = {kind.of.name: kind.declared for kind in views()}
    for step in played(lectures.bundled().scene(name)).steps:
        asked = step.answered.run
        shown = Shown(asked.result, asked.document, asked.document)
        nodes = page_of(list(pages[asked.operation].drawn(shown)), 1000).nodes
        assert step.step.scroll_to in {"", *(one.name for one in nodes)}
