"""A published checkpoint fetched, cut off, fetched on, loaded and asked: window, engine, hub."""

import pytest

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.paths import Paths
from explorer.tour.hands import wait_until
from tests.hub.small_hub import small_hub

BERT = "google-bert/bert-base-uncased"
CASED, GPT2 = "google-bert/bert-base-cased", "openai-community/gpt2"
ROWS = "side_by_side.tokenizers"


@pytest.fixture
def hub(monkeypatch):
    """A hub whose only repository holds the miniature under a published name."""
    with small_hub() as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        folder = Paths.standard().bundled_models / "bert-miniature"
        running.add(BERT, {file.name: file.read_bytes() for file in folder.iterdir()})
        yield running


@pytest.fixture
def paths(tmp_path):
    """A cache of its own: other tests list what is in theirs."""
    return Paths.profile(tmp_path / "profile", {})


@pytest.fixture
def running(hub, open_window):
    return open_window()


def test_a_download_is_cancelled_gone_on_with_loaded_and_asked(hub, running, hands):
    weights = hub.repositories[BERT]["model.safetensors"]
    weights.bytes_per_second = 400_000
    window, bench = running.window, running.bench
    published = bench.checkpoints.find(BERT)
    assert published.source is Source.HUB

    bench.actions.download(published)
    transfer = bench.downloads.transfers
    wait_until(lambda: BERT in transfer and transfer[BERT].done > 200_000, "the first bytes")
    bench.actions.cancel(published)
    wait_until(lambda: BERT not in transfer, "the download to stop", 5)
    assert bench.checkpoints.find(BERT).source is Source.HUB

    weights.bytes_per_second = 0
    begun = len(hub.requests)
    bench.actions.download(published)
    wait_until(lambda: bench.checkpoints.find(BERT).source is Source.CACHE, "all of it")
    ranges = [r.range for r in hub.requests[begun:] if r.range and r.method == "GET"]
    assert any(int(r.removeprefix("bytes=").split("-")[0]) > 100_000 for r in ranges)

    fetched = bench.checkpoints.find(BERT)
    bench.models.load("A", BERT, fetched.title, LoadOptions())
    wait_until(lambda: bench.models.cards["A"].stamp.id == BERT, "it to be loaded")
    hands.settle()
    result = window.view_of("masked_tokens").result
    assert result.model.id == BERT
    assert result.masks[0].predictions


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_text_outside_the_small_world_leads_to_a_real_model(hub, running, hands):
    """Type what the miniature does not know, follow its line, fetch BERT base, load it.

    Then one that no list has: search the hub for it from the picker, fetch it, load it.
    """
    from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

    window, bench = running.window, running.bench
    assert window.notices.texts == ()
    hands.type_text("The astronaut [MASK] a quiche.")
    assert window.notices.texts == (
        "2 of your 4 words are new to this model, which knows a small made-up world.",
    )
    window.notices.findChild(QToolButton, "notice_action_1").click()
    row = window.findChild(object, "real_model_bert-base-uncased")
    state = row.findChild(QLabel, "real_model_state")
    assert state.text() == "440 MB to download"
    row.findChild(QPushButton, "real_model_get").click()
    wait_until(lambda: state.text() == "On this computer.", "the download")
    row.findChild(QPushButton, "real_model_get").click()
    wait_until(lambda: bench.models.cards["A"].stamp.id == BERT, "it to be loaded")
    hands.settle()
    assert window.view_of("masked_tokens").result.model.id == BERT
    assert window.notices.texts == ()

    found = "somebody/korean-bert"
    hub.repositories[found] = hub.repositories[BERT]
    hub.facts[found] = {"config": {"architectures": ["BertForMaskedLM"]}, "downloads": 7}
    window.open_library("B")
    window.library.filter_box.setText("korean")
    window.library.offers.search.click()
    search = window.findChild(object, "hub_search")
    wait_until(lambda: not search.is_searching, "what is found")
    row = window.findChild(object, f"found_{found}")
    state = row.findChild(QLabel, "real_model_state")
    assert state.text().endswith("MB to download")
    row.findChild(QPushButton, "real_model_get").click()
    wait_until(lambda: state.text() == "On this computer.", "the download")
    row.findChild(QPushButton, "real_model_get").click()
    wait_until(lambda: bench.models.cards["A"].stamp.id == found, "it to be loaded")


def test_tokenizers_alone_are_fetched_from_the_pages_that_want_them(hub, running, hands):
    """From a page, and stopped; from the line of one that is missing; where steps lack one."""
    from PySide6.QtWidgets import QPushButton

    from tests.ui.pages import choose, spot, words_on

    for name in (CASED, GPT2):
        hub.repositories[name] = hub.repositories[BERT]
    vocabulary = hub.repositories[BERT]["tokenizer.json"]
    vocabulary.bytes_per_second = 20_000
    window, bench = running.window, running.bench
    window.view_area.bring_forward("side_by_side")
    bench.edits.set_option(ROWS, ["t5-miniature"])
    hands.type_text("The unbelievable chef.")
    view = window.view_of("side_by_side")

    def rows():
        return [one.checkpoint for one in view.result.cuttings] if view.result else []

    wait_until(lambda: rows() == ["t5-miniature"], "an answer")
    choose(view, ("fetch", BERT))
    transfers = bench.downloads.transfers
    wait_until(lambda: BERT in transfers and transfers[BERT].done > 0, "the first bytes")
    wait_until(lambda: "%" in spot(view, ("fetch", BERT)).spoken, "how far it is")
    choose(view, ("fetch", BERT))
    wait_until(lambda: BERT not in transfers, "the download to stop", 5)
    assert bench.checkpoints.find(BERT).tokenizer_folder is None

    vocabulary.bytes_per_second = 0
    choose(view, ("fetch", BERT))
    wait_until(lambda: rows() == ["t5-miniature", BERT], "the row")
    assert hub.asked_for("model.safetensors") == []
    known = bench.checkpoints.find(BERT)
    assert (known.source, known.folder) == (Source.HUB, None)
    library = window.library
    library.choose(BERT)
    assert "Only its tokenizer is on this computer." in library.details.toPlainText()
    wait_until(library.tokenizer.isHidden, "the button to go")
    assert not library.download.isHidden()
    bench.state.stack.undo()
    wait_until(lambda: rows() == ["t5-miniature"], "the rows of before")

    bench.edits.set_option(ROWS, ["t5-miniature", CASED])
    wait_until(lambda: "is not on this machine yet" in words_on(view), "what is missing")
    choose(view, ("fetch", CASED))
    wait_until(lambda: rows() == ["t5-miniature", CASED], "the row")
    assert "not on this machine" not in words_on(view)

    bench.edits.set_option("merge_steps.tokenizer", GPT2)
    window.view_area.bring_forward("merge_steps")
    frame = bench.asking.askers["merge_steps"].frame
    wait_until(lambda: frame.findChild(QPushButton, "way_0") is not None, "the button")
    button = frame.findChild(QPushButton, "way_0")
    assert button.text() == "Download its tokenizer alone"
    button.click()
    steps = window.view_of("merge_steps")
    wait_until(lambda: steps.result is not None, "the steps")
    assert steps.result.tokenizer == GPT2
