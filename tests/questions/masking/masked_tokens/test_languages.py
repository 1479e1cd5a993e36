"""The languages of the texts as an option of the page, for models that are told."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from explorer.api.family import LoadOptions
from explorer.api.question import MODEL, Context
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.masking.masked_tokens.question import (
    LANGUAGES,
    QUESTION,
    MaskedTokensRequest,
)
from tests.hf import tiny
from tests.ui.fake_engine import CATALOGUE, MINIATURE

BUNDLED = Paths.standard().bundled_models
XLM = replace(MINIATURE, id="xlm-miniature", title="XLM miniature", family="xlm")


def asked(engine):
    return engine.requests(MaskedTokensRequest)[-1].languages


def test_languages_are_told_to_a_model_that_is_told_them(engine, start, qtbot):
    engine.catalogue = (*CATALOGUE, XLM)
    running = start()
    bench = running.bench
    view = running.window.view_of("masked_tokens")
    bench.edits.take_text("They were [MASK].", "")
    qtbot.waitUntil(lambda: bench.asking.is_idle and bool(engine.requests(MaskedTokensRequest)))

    def fields():
        found = view.window().findChildren(QLineEdit, LANGUAGES.key)
        return [one for one in found if one.isVisibleTo(view)]

    assert asked(engine) == ()
    assert fields() == []
    bench.models.load("A", XLM.id, XLM.title, LoadOptions())
    qtbot.waitUntil(lambda: len(fields()) == 1)
    (field,) = fields()
    qtbot.keyClicks(field, "en,en")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked(engine) == ("en", "en"))
    assert LANGUAGES.of(bench.state.document) == ("en", "en")
    bench.models.load("A", MINIATURE.id, MINIATURE.title, LoadOptions())
    qtbot.waitUntil(lambda: fields() == [])
    bench.edits.type_text("We were [MASK].", 0)
    qtbot.waitUntil(lambda: engine.requests(MaskedTokensRequest)[-1].text == "We were [MASK].")
    assert LANGUAGES.of(bench.state.document) == ("en", "en")
    assert asked(engine) == ()


def test_the_miniature_says_which_languages_it_knows(tmp_path):
    host = tiny.families()
    runner = Runner(host, Catalogue(host, BUNDLED, tmp_path / "hub"))
    document = Document("They were [MASK].", "We left.").with_option(LANGUAGES.key, ["en", "en"])
    for name, known in (("xlm-miniature", ("en", "ko")), ("bert-miniature", ())):
        if not (BUNDLED / name / "model.safetensors").is_file():
            pytest.skip(f"{name} is not trained yet")
        card = runner.load("A", name, LoadOptions(device="cpu"), Context())
        assert card.languages == known
        request = QUESTION.request_of(document, [card])
        assert request.languages == (("en", "en") if known else ())
        note = runner.ask(request, {MODEL: "A"}, Context()).note
        assert note.count("English (en)") == len(known)
