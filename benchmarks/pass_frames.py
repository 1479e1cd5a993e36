"""A step of a forward pass gliding into the next: how long a frame takes, from the clock to pixels.

python -m benchmarks pass_frames
"""

import sys
import time

from benchmarks.child import median_from_start
from benchmarks.row import Row

WIDTH, OF_A_HEAD, NEURONS, TOKENS = 768, 64, 3072, 9
WIDE, HIGH = 1600, 800
STEPS, FRAMES = 12, 25
REPEATS = 3
AT_MOST = 1 / 60


def measure() -> Row:
    """The slowest of every ten frames, in the median over a few starts."""
    (frame,) = median_from_start(__name__, ("ours",), REPEATS)
    return Row(
        "a step of a forward pass gliding into the next, a frame",
        frame,
        None,
        AT_MOST,
        f"nine of ten frames are quicker: {STEPS} steps of {FRAMES} frames on {WIDE} x {HIGH} "
        f"pixels without a GPU, vectors of {WIDTH}, {NEURONS} neurons, {TOKENS} tokens with keys; "
        f"{REPEATS} starts",
    )


def _ours() -> None:
    import numpy as np
    from PySide6.QtWidgets import QApplication

    from explorer.api.question.parts.steps import PassScene, SceneRow
    from explorer.ui.pass_film.film import FilmView
    from explorer.ui.pass_film.scene import PassFilm
    from explorer.ui.theme.schemes import apply_theme

    app = QApplication([])
    apply_theme(app, "dark")
    draw = np.random.default_rng(0)

    def strip(key: str, count: int = WIDTH, **how: object) -> SceneRow:
        return SceneRow(key, key, draw.standard_normal(count).astype(np.float32), **how)  # type: ignore[arg-type]

    def tokens(count: int) -> tuple[SceneRow, ...]:
        return tuple(strip(f"token {n}", count, amount=float(n)) for n in range(TOKENS))

    kinds = (
        ((strip("step 0"), strip("step 1")), strip("step 2")),
        ((strip("step 2"),), strip("query", OF_A_HEAD)),
        ((strip("query", OF_A_HEAD), *tokens(OF_A_HEAD)), None),
        (tokens(OF_A_HEAD), strip("step 4", OF_A_HEAD)),
        ((strip("step 2"),), strip("step 5", NEURONS)),
        ((strip("step 5", NEURONS),), strip("step 6", NEURONS)),
    )
    scenes = tuple(
        PassScene(
            f"{n}", "0", "Layer 0", "A step", "What goes on in it.", "+", *kinds[n % len(kinds)]
        )
        for n in range(STEPS)
    )
    film = FilmView()
    film.resize(WIDE, HIGH)
    film.show_content(PassFilm(scenes, 0))
    film.show()
    app.processEvents()
    times = []
    for step in range(1, STEPS):
        film.go_to(step)
        for frame in range(FRAMES):
            start = time.perf_counter()
            film.glide(frame / FRAMES)
            film.repaint(film.moving())
            times.append(time.perf_counter() - start)
    sys.stdout.write(f"{sorted(times)[int(len(times) * 0.9)]}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _ours()
