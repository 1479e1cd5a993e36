"""From starting a process to the first prediction of the miniature, against a short script."""

import sys
from typing import TYPE_CHECKING

from benchmarks.child import median_from_start, profile, say_done
from benchmarks.row import Row

if TYPE_CHECKING:
    from explorer.ui.overview.survey import SurveyFinding

REPEATS = 5
MODEL = "bert-miniature"
TEXT = "the chef cooked the [MASK] in the kitchen."


def measure() -> Row:
    """Time both, taking turns."""
    ours, theirs = median_from_start(__name__, ("ours", "pipeline"), REPEATS)
    return Row(
        "process start to first prediction of a miniature, "
        "against a script with transformers' fill-mask pipeline",
        ours,
        theirs,
        1.0,
        f"the window open and the prediction drawn in it, median of {REPEATS}",
    )


def _ours() -> None:
    from explorer.engine.process.engine_handle import begin

    begun = begin(ahead=True)
    from PySide6.QtCore import Qt

    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program

    app = application()
    running = Running(Program(Paths.profile(profile())), begun=begun)

    def answered(finding: "SurveyFinding") -> None:
        if finding.of.name == "masked_tokens":
            running.window.repaint()
            say_done()
            running.close()
            app.quit()

    # Once it is drawn: the overview is what a first start shows.
    running.bench.overview.answered.connect(answered, Qt.ConnectionType.QueuedConnection)
    running.show()
    app.exec()


def _pipeline() -> None:
    from transformers import pipeline

    from explorer.paths import Paths

    folder = Paths.profile(profile()).bundled_models / MODEL
    pipeline("fill-mask", model=str(folder))(TEXT)
    say_done()


if __name__ == "__main__":
    {"ours": _ours, "pipeline": _pipeline}[sys.argv[1]]()
