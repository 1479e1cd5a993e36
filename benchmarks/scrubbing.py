"""A model moved from frame to frame of its training: weights, answer and page, as the slider does.

    python -m benchmarks scrubbing

Ours is the whole program: the window, the engine, the session log. Theirs is what no frame can be
shown without: the forward pass of one of them, with transformers alone.
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
from benchmarks.row import Row, median_seconds

FRAMES = 16
SIZES = {
    "hidden_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 384,
    "max_position_embeddings": 128,
}
"""Of a BERT of 0.4 million parameters with the pieces of the bundled miniature."""
TEXT = "the chef cooked the meal in the kitchen because she was hungry."
MASKED = "cooked"
PAGES = ("masked_tokens", "attention")
WARM_UP, MOVES, MANY = 2 * FRAMES, 60, 1000
AT_MOST = 0.1
"""Seconds a frame: ten a second."""
FORWARDS = 30.0
"""How many plain passes a frame may take, whatever the machine."""
MEGABYTES = 10.0
WIDE, HIGH = 1366, 768
PATIENCE = 600.0


def measure() -> list[Row]:
    """The rows of the benchmark page."""
    with tempfile.TemporaryDirectory() as temporary:
        run = Path(temporary) / "run"
        save_frames(run)
        theirs = _forward(run / "checkpoint-1")
        found = {page: _run(page, run) for page in PAGES}
    rows = []
    for page, one in found.items():
        how = (
            f"median of {MOVES} moves among {FRAMES} frames of a BERT of 0.4 million parameters, "
            f"from the key to pixels, {WIDE} x {HIGH}, the session log included"
        )
        rows += [
            Row(
                f"a step of training to the next one, {page}, weights, answer and page",
                one["seconds"],
                None,
                AT_MOST,
                f"{1 / one['seconds']:.0f} frames a second; {how}",
            ),
            Row(
                f"the same, against one forward pass with transformers, {page}",
                one["seconds"],
                theirs,
                FORWARDS,
                f"theirs: the text cut, one pass, the ten most probable; ours: {how}",
            ),
        ]
    grown = max(one["megabytes"] for one in found.values())
    what = f"memory that {MANY:,} moves add to window and engine"
    how = f"resident, the larger of {len(PAGES)} pages, after {WARM_UP} moves"
    return [*rows, Row(what, grown, None, MEGABYTES, how, unit="MB")]


def save_frames(run: Path) -> None:
    """Frames whose weights differ, as transformers' Trainer leaves them."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForMaskedLM

    tokenizer = AutoTokenizer.from_pretrained(ROOT / "resources" / "models" / "bert-miniature")
    for number in range(FRAMES):
        torch.manual_seed(number)
        model = BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), **SIZES))
        frame = run / f"checkpoint-{2**number}"
        model.save_pretrained(frame)
        tokenizer.save_pretrained(frame)


def _forward(frame: Path) -> float:
    """Seconds of one pass, as anybody writes it."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(frame)
    model = AutoModelForMaskedLM.from_pretrained(frame).eval()
    text = TEXT.replace(MASKED, tokenizer.mask_token)

    def work() -> None:
        ids = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            logits = model(**ids).logits[0]
        at = (ids["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
        logits[at].softmax(-1).topk(10)

    return median_seconds(work, MOVES)


def _run(page: str, run: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as own:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", PROFILE: own}
        done = subprocess.run(  # noqa: PLW1510  its exit code is looked at below
            [sys.executable, "-m", __name__, page, str(run)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
    if done.returncode:
        raise RuntimeError(f"{__name__} {page} failed: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


# ---- ours ---------------------------------------------------------------------------------------


class Scrubbed:
    """The program with a page on a series.

    Args:
        page: A question's name.
        run: A folder of frames.
    """

    def __init__(self, page: str, run: Path) -> None:
        from explorer.app import Running, application
        from explorer.paths import Paths
        from explorer.program import Program
        from explorer.tour.hands import wait_until

        self.app = application()
        self.running = Running(Program(Paths.profile(profile())))
        self.running.window.resize(WIDE, HIGH)
        self.running.show()

        def wait(is_so: Callable[[], bool]) -> None:
            wait_until(is_so, "the benchmark", PATIENCE)

        bench = self.running.bench
        wait(lambda: "A" in bench.models.cards and not bench.models.loading)
        at = TEXT.index(MASKED)
        document = bench.state.document.with_text(TEXT).with_mask(at, at + len(MASKED))
        bench.state.edit("type", document)
        bench.actions.open_path(run / "checkpoint-1", "A")
        self.moments = bench.moments
        wait(lambda: "A" in self.moments.series)
        self.running.window.view_area.bring_forward(page)
        wait(lambda: bench.asking.is_idle)
        self.view: Any = bench.asking.askers[page].view

    def move(self, number: int) -> float:
        """Move to the next frame, or back from the last one; seconds until it is on the screen."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        slider = self.running.window.model_bar.steps["A"].slider
        ahead = number // (FRAMES - 1) % 2 == 0
        start = time.perf_counter()
        QTest.keyClick(slider, Qt.Key.Key_Right if ahead else Qt.Key.Key_Left)
        wanted = self.moments.frames("A")[slider.value()].id
        self._wait_closely(lambda: self._shows(wanted))
        self.view.page.grab()
        return time.perf_counter() - start

    def _shows(self, wanted: str) -> bool:
        return bool(self.view.result.model.id == wanted and self.view.parts.is_idle)

    def _wait_closely(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            self.app.processEvents()
            time.sleep(0.0005)
            if time.monotonic() > end:
                raise TimeoutError

    @staticmethod
    def megabytes() -> float:
        """Resident, of this process and its children."""
        import psutil

        own = psutil.Process()
        every = [own, *own.children(recursive=True)]
        return float(sum(process.memory_info().rss for process in every)) / 1e6


def _scrub(page: str, run: Path) -> None:
    scrubbed = Scrubbed(page, run)
    for number in range(WARM_UP):
        scrubbed.move(number)
    before = scrubbed.megabytes()
    times = [scrubbed.move(number) for number in range(WARM_UP, WARM_UP + MOVES)]
    for number in range(WARM_UP + MOVES, WARM_UP + MANY):
        scrubbed.move(number)
    grown = max(0.0, scrubbed.megabytes() - before)
    found = {"seconds": statistics.median(times), "megabytes": grown}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()
    scrubbed.running.close()


if __name__ == "__main__":
    _scrub(sys.argv[1], Path(sys.argv[2]))
