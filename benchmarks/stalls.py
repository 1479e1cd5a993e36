"""The window's longest pause while a BERT base loads and predicts, and until the first plot."""

import sys
import tempfile
from pathlib import Path

from benchmarks.child import median_from_start, profile
from benchmarks.row import Row

REPEATS = 5
TICK_MS = 5
AT_MOST = 0.05
PREDICTIONS = 10
PLOTS = 4


def measure() -> list[Row]:
    """The median over a few starts of each start's longest pause."""
    (longest, plotting) = median_from_start(__name__, ("ours", "plotting"), REPEATS)
    return [
        Row(
            "longest stall of the window during load and prediction",
            longest,
            None,
            AT_MOST,
            f"a {TICK_MS} ms timer's longest lateness while BERT base (random weights) is loaded "
            f"and answers {PREDICTIONS} questions, median of {REPEATS} starts",
        ),
        Row(
            "longest stall of the window while pyqtgraph is imported and the first plots are drawn",
            plotting,
            None,
            AT_MOST,
            f"the same timer, from the first paint to the end of the import and over the first "
            f"{PLOTS} plots and a heat map after it, median of {REPEATS} starts",
        ),
    ]


def _ours() -> None:
    import time

    from PySide6.QtCore import Qt, QTimer

    from benchmarks.random_bert import save_bert_base_elsewhere
    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        save_bert_base_elsewhere(folder)
        app = application()
        running = Running(Program(Paths.profile(profile())), show_first=True)
        longest = 0.0
        last = 0.0
        answers = 0

        def tick() -> None:
            nonlocal longest, last
            now = time.perf_counter()
            if last:
                longest = max(longest, now - last - TICK_MS / 1000)
            last = now

        timer = QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setInterval(TICK_MS)
        timer.timeout.connect(tick)

        def first_shown(_operation: str, _document: object, _result: object) -> None:
            running.bench.asking.shown.disconnect(first_shown)
            running.bench.asking.shown.connect(shown)
            timer.start()
            running.bench.actions.open_path(folder, "A")

        def shown(question: str, _document: object, result: object) -> None:
            nonlocal answers
            if question != "masked_tokens" or Path(result.model.id) != folder.resolve():  # type: ignore[attr-defined]
                return
            answers += 1
            if answers < PREDICTIONS:
                running.bench.edits.type_text(f"the w{answers} [MASK] w7", 0)
                return
            timer.stop()
            sys.stdout.write(f"{longest:.6f}\n")
            running.close()
            app.quit()

        running.bench.asking.shown.connect(first_shown)
        running.window.view_area.bring_forward("masked_tokens")
        running.show()
        app.exec()


def _plotting() -> None:
    """From the first paint until charts and a matrix are on the screen."""
    import time

    import numpy as np
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QHBoxLayout, QWidget

    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program
    from explorer.ui.charts.chart_view import ChartView
    from explorer.ui.charts.description import Chart, Line
    from explorer.ui.in_steps import InSteps
    from explorer.ui.matrices.heat_layout import HeatContent
    from explorer.ui.matrices.heat_map import HeatMap

    app = application()
    running = Running(Program(Paths.profile(profile())), show_first=True)
    running.show()
    (importing,) = running.bench.findChildren(InSteps)
    longest = last = 0.0
    ticks = 0
    plots = QWidget()
    plots.resize(1400, 500)
    row = QHBoxLayout(plots)

    def draw() -> None:
        x = np.linspace(0.0, 1.0, 200)
        for number in range(PLOTS):
            view = ChartView(parent=plots)
            view.show_content(Chart(f"plot {number}", "", (Line("line", x, x**number, "bar"),)))
            row.addWidget(view)
        heat = HeatMap(parent=plots)
        names = ("token",) * 64
        heat.set_content(HeatContent(np.outer(x[:64], x[:64]), names, names))
        row.addWidget(heat)
        plots.show()

    def tick() -> None:
        nonlocal longest, last, ticks
        now = time.perf_counter()
        if last:
            longest = max(longest, now - last - TICK_MS / 1000)
        last = now
        if not importing.is_done:
            return
        ticks += 1
        if ticks == 1:
            draw()
        elif ticks == 60:
            timer.stop()
            sys.stdout.write(f"{longest:.6f}\n")
            plots.close()
            running.close()
            app.quit()

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(TICK_MS)
    timer.timeout.connect(tick)
    timer.start()
    app.exec()


if __name__ == "__main__":
    _plotting() if sys.argv[1:] == ["plotting"] else _ours()
