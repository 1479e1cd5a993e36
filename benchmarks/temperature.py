"""A temperature moved over BERT's whole vocabulary, from the slider to the pixels.

python -m benchmarks temperature
"""

import os
import time

import numpy as np

from benchmarks.row import Row

AT_MOST = 1 / 60
"""Seconds: sixty frames a second."""
PIECES = 30_522
STEPS = range(300, 700, 10)


def measure() -> Row:
    """The row of the benchmark page."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from explorer.api.question import ModelStamp, Token
    from explorer.document import Document
    from explorer.questions.distillation.soft_targets.page import PAGE
    from explorer.questions.distillation.soft_targets.targets import (
        SharedClass,
        SharedVocabulary,
        SoftTargetsResult,
        Targets,
    )
    from explorer.ui.controls.options.number_slider import NumberSlider
    from explorer.ui.views.view_of_page import view_of

    app = QApplication.instance() or QApplication([])
    random = np.random.default_rng(0)
    teacher = random.normal(0, 3, PIECES).astype(np.float32)
    student = (teacher + random.normal(0, 1, PIECES)).astype(np.float32)
    order = np.argsort(-teacher)[:12].tolist()
    rows = tuple(SharedClass(f"word{i}", f"word{i}", i, n, n) for n, i in enumerate(order, 1))
    stamps = [ModelStamp(name, "bert", name * 16, "cpu", "float32") for name in ("te", "st")]
    tokens = tuple(Token(w, 5 + i, 0, 1, special=False) for i, w in enumerate("the movie was x"))
    vocabulary = SharedVocabulary(True, PIECES, PIECES, PIECES)
    masks = (Targets(4, teacher, student, rows),)
    result = SoftTargetsResult(stamps[0], stamps[1], tokens, masks, vocabulary, "masks")
    view = view_of(PAGE)()
    view.resize(900, 700)
    view.show()
    document = Document("The movie was [MASK].")
    view.show_result(result, document)
    app.processEvents()
    (both,) = view.findChildren(NumberSlider)
    view.option_moved.connect(
        lambda key, value: view.set_document(document.with_option(key, value))
    )
    frames = []
    for step in STEPS:
        start = time.perf_counter()
        both.slider.setValue(step)
        app.processEvents()
        frames.append(time.perf_counter() - start)
    view.deleteLater()
    median = sorted(frames)[len(frames) // 2]
    how = f"{PIECES:,} pieces, median of {len(frames)} steps of the slider, drawn offscreen"
    return Row("soft targets redrawn at another temperature", median, None, AT_MOST, how)
