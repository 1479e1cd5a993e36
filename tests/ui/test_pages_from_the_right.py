"""Every question's page with a sentence that runs from the right, in one window for all of them.

The recorded answers are those of English sentences: the letters of their words become Hebrew ones,
so that every place in them stays where it is.
"""

import re
from dataclasses import replace

from explorer.serialise import from_json, to_json
from explorer.ui.blocks.shown import Origin
from explorer.ui.views.view_frame import FrameState
from tests.ui.painted_texts import painted_texts
from tests.ui.test_matrix import RECORDED, put_all, quiet

WIDTH = 960.0
GRIDS = {
    "logit_lens",
    "tuned_lens",
    "attention",
    "attention of few heads",
    "disentangled_attention",
    "query_key",
}
"""Tokens as the rows and columns of a matrix run from its first cell, whatever their letters."""
HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתםןףץ")


def in_hebrew(text):
    return text.lower().translate(HEBREW)


def turned(value, words):
    """A value with the words of its text, and what is made of them, in Hebrew letters."""
    written = to_json(value)
    for word in sorted(words, key=len, reverse=True):
        written = re.sub(
            rf'(?i)"(##|Ġ|▁)?{word}"(?!:)', lambda m: m[0].lower().translate(HEBREW), written
        )
    return from_json(type(value), written)


def lines_of(words, found):
    """Where words of a line are painted, line by line, in the order they are read."""
    at = {}
    for box, text in found:
        if text in words and not box.isNull():
            at.setdefault(round(box.center().y()), []).append((words.index(text), box.center().x()))
    return [sorted(line) for line in at.values()]


@quiet
def test_every_page_reads_from_the_right(start, paths, qtbot, subtests):
    put_all(paths.sessions)
    running = start()
    tried = set()
    for name, run in sorted(RECORDED.items()):
        running.window.commands.restore_run(run.summary.id)
        qtbot.waitUntil(lambda run=run: running.bench.state.run_id == run.summary.id)
        asker = running.bench.asking.askers[run.summary.operation]
        qtbot.waitUntil(lambda asker=asker: asker.frame.state is FrameState.RESULT)
        english = re.findall(r"[A-Za-z]+", run.document.text)
        document = replace(run.document, text=in_hebrew(run.document.text))
        tokens = getattr(run.result, "tokens", ())
        if not english or not tokens or run.document.pair:
            continue
        with subtests.test(name):
            result = turned(run.result, set(english))
            asker.view.show_result(result, document, Origin.of(run))
            words = list(dict.fromkeys(in_hebrew(one) for one in english))
            if len(words) < len(english):
                words = [one for one in words if [in_hebrew(w) for w in english].count(one) == 1]
            found = painted_texts(asker.view, WIDTH)
            lines = [line for line in lines_of(words, found) if len({n for n, _x in line}) > 2]
            if name not in GRIDS:
                tried.update([name] * bool(lines))
                for line in lines:
                    across = [x for _number, x in line]
                    assert across == sorted(across, reverse=True), line
    assert tried >= {"candidate_words", "joint_decoding", "masked_tokens", "masking_policy"}
    assert tried >= {"soft_targets", "surprisal"}
