"""Every question's page with a sentence that runs from the right, in one window for all of them.

The recorded answers are those of English sentences: the letters of their words become Hebrew ones,
so that every place in them stays where it is.
"""

import re
from dataclasses import replace
from itertools import pairwise

from explorer.serialise import from_json, to_json
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import RECORDED, put_all
from tests.ui.painted_texts import painted_texts, told_texts
from tests.ui.test_matrix import quiet

WIDTH = 960.0
MATRICES = {
    *("logit_lens", "tuned_lens", "attention", "disentangled_attention", "patching", "answer_span")
}
"""Questions whose pages have tokens as the columns of a matrix."""
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


ISOLATED = re.compile(r"\u2068[^\u2069]*(\u2069|$)")
MIXED = re.compile(r"[\u0590-\u05ff][^\n]*[A-Za-z0-9]|[A-Za-z0-9][^\n]*[\u0590-\u05ff]")


def reordered(text, own):
    """Lines of a program's text in which a word of the user's draws others with it."""
    lines = (one for one in text.split("\n") if not set(re.findall(r"[^\s\u200f]+", one)) <= own)
    return [one for one in lines if MIXED.search(ISOLATED.sub("", one))]


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
        tokens = getattr(run.result, "tokens", None) or getattr(run.result, "key_tokens", ())
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
            tried.update([name] * bool(lines))
            own = {*document.text.split(), "[MASK]"}
            said = [*found, *((None, text) for _kind, text in told_texts(asker.view))]
            wrong = {one for _box, text in said for one in reordered(text, own)}
            assert not wrong, "\n".join(sorted(wrong))
            for line in lines:
                read = [number for number, _x in sorted(line, key=lambda one: -one[1])]
                # A word stands in a line as often as there are matrices side by side in it.
                times = max(read.count(number) for number in read)
                assert sum(b <= a for a, b in pairwise(read)) < times, read
    assert tried >= {"candidate_words", "joint_decoding", "masked_tokens", "masking_policy"}
    assert tried >= {"soft_targets", "surprisal", *MATRICES}
