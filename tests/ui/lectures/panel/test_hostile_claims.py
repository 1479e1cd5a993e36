"""A lecture from somebody who means ill: the window says so and goes on."""

from PySide6.QtTest import QTest

from explorer.ui.lectures.claims.verdict import Verdict
from tests.lectures.scene_texts import one_mask
from tests.ui.lectures.panel.scenes import KEY, said, shows

CLAIMS = (
    "round(1, -10000000000) == 0",
    "[d * d for d in [c * c for c in [b * b for b in [a * a for a in [9 ** 9 // 1 * 0 + 3]]]]]",
    "all(sum(range(100000)) > 0 for x in range(100000))",
)


def test_claims_that_would_never_end_are_told_and_the_window_answers(start, tmp_path, qtbot):
    steps = "".join(
        f'[[steps]]\ntext = "The movie was fun, {number}."\nclaims = ["{claim}"]\n'
        for number, claim in enumerate(CLAIMS[1:], start=1)
    )
    rest = f'claims = ["{CLAIMS[0]}"]\n{steps}'
    path = tmp_path / "hostile.scene.toml"
    path.write_text(one_mask("Hostile", "The movie was fun.", "fun", rest), "utf-8")
    running = start()
    window = running.window
    running.open(path)
    lecturing = window.lecture_actions.lecturing
    for number in range(len(CLAIMS)):
        if number:
            QTest.keyClick(window.focusWidget(), KEY.Key_PageDown)
        qtbot.waitUntil(
            lambda at=number: (
                lecturing.at is not None
                and lecturing.at.number == at
                and lecturing.told.verdict is Verdict.UNKNOWN
            )
        )
        assert "can't be judged" in said(window, "claim_why")
    running.bench.edits.take_text("The window answers.", "a text")
    qtbot.waitUntil(shows(running, "The window answers."))
