"""All heads at once against bertviz' model view, and one head after another at 512 tokens.

    python -m benchmarks attention

Each side is a process of its own, and the model runs on both. Ours is the whole program: the
window, the engine, the session log. bertviz' page has the numbers as bertviz writes them.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.child import PROFILE, ROOT, profile
from benchmarks.random_bert import save_bert_base
from benchmarks.row import Row

TOKENS = 128
LONG = 512
TIMES = 9
SWITCHES = 40
LARGE = {
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    # A head's matrix is as large whatever the width; a narrow model leaves room on this machine.
    "hidden_size": 256,
    "intermediate_size": 512,
}
WIDE, HIGH = 1400, 900
PATIENCE = 600.0


def measure() -> list[Row]:
    """The rows of the benchmark page."""
    with tempfile.TemporaryDirectory() as temporary:
        base, large = Path(temporary) / "base", Path(temporary) / "large"
        save_bert_base(base)
        save_bert_base(large, **LARGE)
        ours, switch = _run("overview", base), _run("switch", large)
        theirs = _run("bertviz", base)
    return [
        Row(
            "all 144 heads at 128 tokens, from request to pixels, against bertviz' model view in "
            "Qt WebEngine until its page is finished",
            ours["seconds"],
            theirs["seconds"],
            0.01,
            f"BERT base (random weights), the model's run included on both sides; ours: median of "
            f"{TIMES} texts, the pipe and the session log included; theirs: one page",
        ),
        Row(
            "memory for that, engine and window, against bertviz' renderer",
            ours["megabytes"],
            theirs["megabytes"],
            1.0,
            "theirs: what the renderer takes; ours: all that both processes take, torch, the "
            "weights and Qt included",
            unit="MB",
        ),
        Row(
            "a head switched at 512 tokens (24 layers x 16 heads), from the key to pixels",
            switch["seconds"],
            None,
            0.05,
            f"median of {SWITCHES} heads; engine and window take {switch['megabytes']:,.0f} MB",
        ),
    ]


def _run(kind: str, folder: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as own:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", PROFILE: own}
        done = subprocess.run(  # noqa: PLW1510  its exit code is looked at below
            [sys.executable, "-m", __name__, kind, str(folder)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
    if done.returncode:
        raise RuntimeError(f"{__name__} {kind} failed: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _say(seconds: float, megabytes: float) -> None:
    sys.stdout.write(json.dumps({"seconds": seconds, "megabytes": megabytes}) + "\n")
    sys.stdout.flush()


def _megabytes(*names: str) -> float:
    """Resident memory of this process and its children, or only of children with such names."""
    import psutil

    own = psutil.Process()
    children = own.children(recursive=True)
    chosen = [p for p in children if any(name in p.name() for name in names)]
    found = chosen if names else [own, *children]
    return float(sum(process.memory_info().rss for process in found)) / 1e6


def _words(count: int, first: int) -> str:
    return " ".join(f"w{first + number}" for number in range(count - 2))


# ---- ours ---------------------------------------------------------------------------------------


def _opened(folder: Path) -> tuple[Any, Any, Callable[[Callable[[], bool]], None]]:
    """The program with the folder's model, its attention view, and a way to wait."""
    from explorer.api.family import LoadOptions
    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program
    from explorer.tour.hands import wait_until

    app = application()
    running = Running(Program(Paths.profile(profile())))
    running.window.resize(WIDE, HIGH)
    running.show()

    def wait(is_so: Callable[[], bool]) -> None:
        wait_until(is_so, "the benchmark", PATIENCE)

    models = running.bench.models
    wait(lambda: "A" in models.cards and not models.loading)
    models.load("A", str(folder), "random", LoadOptions(device="cpu"))
    wait(lambda: not models.loading and models.cards["A"].stamp.id == str(folder))
    running.window.view_area.bring_forward("attention")
    wait(lambda: running.bench.asking.is_idle)
    running.app = app  # type: ignore[attr-defined]  # without a reference it would end
    return running, running.bench.asking.askers["attention"].view, wait


def _part(view: Any, kind: type[Any]) -> Any:
    """The widget of a kind on the view's page."""
    return next(one for one in view.page.findChildren(kind) if not one.isHidden())


def _overview(folder: Path) -> None:
    from explorer.ui.matrices.heads.block import HeadsView

    running, view, wait = _opened(folder)
    state = running.bench.state
    times = []
    for number in range(TIMES + 2):
        text = _words(TOKENS, 200 * number)
        start = time.perf_counter()
        state.edit("type", state.document.with_text(text))

        def is_shown(text: str = text) -> bool:
            return view.document is not None and view.document.text == text

        _wait_closely(is_shown)
        _part(view, HeadsView).grab()
        times.append(time.perf_counter() - start)
        wait(lambda: running.bench.asking.is_idle and view.parts.is_idle)
    assert len(view.result.tokens) == TOKENS
    assert view.result.layers * view.result.heads == 144
    _say(statistics.median(times[2:]), _megabytes())
    running.close()


def _switch(folder: Path) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.questions.attention.attention.chosen import choice_of
    from explorer.questions.attention.attention.in_full import in_full
    from explorer.ui.matrices.heads.block import HeadsView
    from explorer.ui.matrices.map_block import MapView

    running, view, wait = _opened(folder)
    state = running.bench.state
    state.edit("type", state.document.with_text(_words(LONG, 0)))
    wait(lambda: view.result is not None and len(view.result.tokens) == LONG)
    wait(lambda: running.bench.asking.is_idle and view.parts.is_idle)
    grid = _part(view, HeadsView)
    times = []
    for number in range(SWITCHES + 3):
        key = Qt.Key.Key_Right if number % 2 else Qt.Key.Key_Down
        start = time.perf_counter()
        QTest.keyClick(grid, key)
        _wait_closely(
            lambda: (
                view.parts.is_idle
                and (now := in_full(view.shown()).now) is not None
                and now.chosen == (choice_of(view.shown()),)
            )
        )
        _part(view, MapView).grab()
        times.append(time.perf_counter() - start)
    assert grid.current is not None
    assert _part(view, MapView).content.values.shape == (LONG, LONG)
    _say(statistics.median(times[3:]), _megabytes())
    running.close()


def _wait_closely(is_so: Callable[[], bool]) -> None:
    """Let the window live until something is so, looking every half millisecond."""
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + PATIENCE
    while not is_so():
        QApplication.processEvents()
        time.sleep(0.0005)
        if time.monotonic() > end:
            raise TimeoutError


# ---- bertviz ------------------------------------------------------------------------------------

FINISHED = (
    "<script>requestAnimationFrame(() => requestAnimationFrame("
    "() => { document.title = 'finished'; }));</script></body>"
)
"""Two frames after all lines are there."""


def _bertviz(folder: Path) -> None:
    from PySide6.QtCore import QCoreApplication, Qt

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    from PySide6.QtWidgets import QApplication

    from explorer.api.question import Context
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.plugins.host import PluginHost
    from explorer.engine.runner import Runner
    from explorer.hf.attention.cache import captured_for
    from explorer.questions.attention.bertviz.html import page_of
    from explorer.ui.web.page import WebPage

    app = QApplication([])
    host = PluginHost(ROOT / "plugins", None, entry_points=False)
    runner = Runner(host, Catalogue(host, ROOT / "nowhere", ROOT / "nowhere"))
    from explorer.api.family import LoadOptions

    runner.load("A", str(folder), LoadOptions(device="cpu"), Context())
    model = runner.models["A"]
    captured_for(model, _words(TOKENS, 200), None, (), "", Context())
    page = WebPage()
    page.resize(WIDE, HIGH)
    page.show()
    start = time.perf_counter()
    stacks = captured_for(model, _words(TOKENS, 0), None, (), "", Context()).stacks
    html = page_of(model.tokenizer, stacks, view="model", dark=False, digits=None)
    page.show_html(html.replace("</body>", FINISHED))
    view = page.view
    assert view is not None
    view.show()
    _wait_closely(lambda: view.title() == "finished")
    seconds = time.perf_counter() - start
    _say(seconds, _megabytes("QtWebEngine"))
    page.close_page()
    app.quit()
    os._exit(0)


if __name__ == "__main__":
    {"overview": _overview, "switch": _switch, "bertviz": _bertviz}[sys.argv[1]](Path(sys.argv[2]))
