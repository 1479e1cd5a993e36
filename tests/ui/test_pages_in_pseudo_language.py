"""Every question's page in English that looks translated, in one window for all of them."""

import re
from dataclasses import fields
from functools import partial

from explorer.api.question import Entity
from explorer.paths import own_resources
from explorer.serialise import to_builtins
from explorer.text.pseudo import CLOSING, OPENING, pseudo
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import RECORDED, put_all
from tests.ui.painted_texts import painted_texts, told_texts
from tests.ui.test_matrix import quiet
from tests.ui.test_pseudo_language import bare, cut_off, texts_of

WIDTH = 960.0
OF_PYQTGRAPH = ("action  text", "action  tip")
"""Entries of a menu that it makes for itself and never shows here."""
TEXTS = {"text", "good", "bad", "before", "after", "following", "stereotyped", "opposite"}
"""Fields that hold what somebody wrote: texts, pairs of sentences, what stands around a word."""
ENTITY = {one.name for one in fields(Entity)}
LISTED = own_resources() / "locale" / "messages.txt"
OWN = {line.partition("\t")[2] for line in LISTED.read_text("utf-8").splitlines()}
BUNDLED = [one.name for one in (own_resources() / "models").iterdir()]
FORMULAS = re.compile(
    r"cos\([^)]*(?:\)|$)|^(?:h )?teacher\)$|\b(MLM|RTD|MSE|TransE|log|MASK)\b|\S*…\S*"
)
"""Mathematics, its functions, what papers call their methods, masks, names that are cut off."""


def data_of(value):
    """The strings of an answer that are names, words, pieces and texts: no sentence is there.

    An entity is told by its id, whatever words its graph calls it by.
    """
    if isinstance(value, dict):
        named = {"text", "name"} if value.keys() == ENTITY else TEXTS
        for name, one in value.items():
            is_text = name in named and isinstance(one, str)
            yield from [one] if is_text else data_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from data_of(one)
    elif isinstance(value, str) and " " not in value.strip():
        yield value


def words_of(run, library):
    """What a page may say in English: words of its text, its answer, and titles of models."""
    data = [*data_of(to_builtins(run.result)), *data_of(to_builtins(run.request))]
    data += [run.document.text, run.document.pair or "", *BUNDLED]
    data += [one.title for one in library]
    data.append(getattr(run.request, "watched", ""))
    return {word.lower() for one in data for word in re.findall(r"[A-Za-z]+", one)}


def untranslated(text, data):
    """Words that did not go through the catalogue; a line may be the middle of a sentence."""
    first, last = text.find(OPENING), text.rfind(CLOSING)
    if 0 <= text.find(CLOSING) < (first if first >= 0 else len(text)):
        text = OPENING + text
    if last < text.rfind(OPENING):
        text += CLOSING
    return [word for word in bare(FORMULAS.sub(" ", text)).split() if word.lower() not in data]


def taken_for_texts(run, said):
    """Words of somebody's sentence that went through the catalogue, as if they were the program's.

    Another language would say something else there: "on" of a sentence is no switch.
    """
    words = {word for word in re.findall(r"[A-Za-z]+", run.document.text) if word not in OWN}
    return {word for word in words if pseudo(word) in said}


def said_by(view, frame):
    """Every text of a page, and where it is said."""
    for _box, text in painted_texts(view, WIDTH):
        yield "painted", text
    yield from told_texts(view)
    for place, what, text in texts_of(frame):
        yield f"{place} {what}", text


def whole(frame):
    """Nothing is cut; what is laid out anew with the next event is waited for."""
    assert not list(cut_off(frame))


@quiet
def test_every_text_of_every_page_is_translated(speak, start, paths, qtbot, subtests):
    speak("en_XA")
    put_all(paths.sessions)
    running = start()
    running.window.resize(1024, 700)
    state = running.bench.state
    for name, run in sorted(RECORDED.items()):
        with subtests.test(name):
            running.window.commands.restore_run(run.summary.id)
            qtbot.waitUntil(lambda run=run: state.run_id == run.summary.id)
            asker = running.bench.asking.askers[run.summary.operation]
            qtbot.waitUntil(lambda asker=asker: asker.frame.state is FrameState.RESULT)
            knows = asker.view.declared.knows_library
            data = words_of(run, running.bench.checkpoints.all if knows else ())
            said = [*said_by(asker.view, asker.frame)]
            found = {
                " ".join(left): f"{where}: {text!r} ({' '.join(left)})"
                for where, text in said
                if (left := untranslated(text, data)) and where not in OF_PYQTGRAPH
            }
            assert not found, "\n".join(sorted(found.values()))
            assert not taken_for_texts(run, {text for _where, text in said})
            qtbot.waitUntil(partial(whole, asker.frame))
