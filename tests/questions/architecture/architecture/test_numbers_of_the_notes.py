"""Every figure that the lecture notes print is in the program, with its source, and on a page."""

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import read_manifest
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.architecture.question import ArchitectureRequest, derived
from explorer.ui.blocks.block import page_of
from tests.ui.pages import kind_of

PATHS = Paths.standard()
ALBERT, MASKING = "Lan et al. 2020, table 2", "Liu et al. 2019, table 1"
INPUT, DATA = "Liu et al. 2019, table 2", "Liu et al. 2019, table 4"
PRINTED = {
    (ALBERT, "BERT base"): "90.4/83.2 80.4/77.6 84.5 92.8 68.2 82.3",
    (ALBERT, "BERT large"): "92.2/85.5 85.0/82.2 86.6 93.0 73.9 85.2",
    (ALBERT, "ALBERT base"): "89.3/82.3 80.0/77.1 81.6 90.3 64.0 80.1",
    (ALBERT, "ALBERT large"): "90.6/83.9 82.3/79.4 83.5 91.7 68.5 82.4",
    (ALBERT, "ALBERT xlarge"): "92.5/86.1 86.1/83.1 86.4 92.4 74.8 85.5",
    (ALBERT, "ALBERT xxlarge"): "94.1/88.3 88.1/85.1 88.0 95.2 82.3 88.7",
    (MASKING, "BERT base"): "76.3 84.3 92.8",
    (MASKING, "static masks"): "78.3 84.3 92.5",
    (MASKING, "dynamic masks"): "78.7 84.0 92.9",
    (INPUT, "segment pair"): "90.4/78.7 84.0 92.9 64.2",
    (INPUT, "sentence pair"): "88.7/76.2 82.9 92.1 63.0",
    (INPUT, "full sentences"): "90.4/79.1 84.7 92.5 64.8",
    (INPUT, "sentences of one document"): "90.6/79.7 84.7 92.7 65.6",
    (INPUT, "BERT base"): "88.5/76.3 84.3 92.8 64.3",
    (DATA, "16 GB, 100,000 steps"): "93.6/87.3 89.0 95.3",
    (DATA, "160 GB, 100,000 steps"): "94.0/87.7 89.3 95.6",
    (DATA, "160 GB, 300,000 steps"): "94.4/88.7 90.0 96.1",
    (DATA, "160 GB, 500,000 steps"): "94.6/89.4 90.2 96.4",
}
"""By the table they stand in, and what their row is of: the order is that of its columns."""
PARAMETERS = {
    "BERT base": 108e6,
    "BERT large": 334e6,
    "ALBERT base": 12e6,
    "ALBERT large": 18e6,
    "ALBERT xlarge": 60e6,
    "ALBERT xxlarge": 235e6,
}
SIZES = {
    "bert": "110M 340M",
    "albert": "12M 18M 60M 235M",
    "electra": "14M 110M 335M",
    "mobilebert": "25.3M 293M",
    "deberta": "100M 350M 1.5B 44M 86M 304M",
    "gpt3": "175.0B",
}
"""Of the models, by who answers for them; 25 million of MobileBERT's are 25.3 in its paper."""


def numbers(printed):
    return [float(one) for words in printed.split() for one in words.split("/")]


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    hub = tmp_path_factory.mktemp("hub")
    runner = Runner(host, Catalogue(host, PATHS.bundled_models, hub, offline=True))
    return runner.ask(ArchitectureRequest("google-bert/bert-large-uncased"), {}, Context())


def is_of(row, model):
    """Whether a row is that of a model; of RoBERTa's the notes have what follows the colon."""
    kind = row.rpartition(": ")[2].removesuffix(", next sentence")
    return model in {kind, row.partition(", after")[0]}


@pytest.mark.parametrize(("source", "model"), PRINTED)
def test_json_has_every_score_with_its_source(result, source, model):
    (table,) = [one for one in derived(result)["scores"].values() if one["source"] == source]
    (row,) = [one for one in table["models"] if is_of(one["model"], model)]
    assert list(row["scores"].values()) == numbers(PRINTED[source, model])
    if source == ALBERT:
        assert row["parameters"] == PARAMETERS[model]


def test_the_published_page_shows_every_score_below_its_source(result, qtbot):
    view = kind_of("architecture")()
    qtbot.addWidget(view)
    document = Document().with_option("architecture.page", "published")
    view.set_document(document)
    view.show_result(result, document)
    source, shown = "", {}
    for node in page_of(list(view.declared.blocks(view.shown())), 860.0).nodes:
        source = next((one for one, _model in PRINTED if node.name.startswith(one)), source)
        for row in node.rows:
            label, *cells = [cell.value for cell in row.cells] or [row.words]
            shown.setdefault(source, {})[label] = cells[1:]
    for (source, model), printed in PRINTED.items():
        (cells,) = [cells for row, cells in shown[source].items() if is_of(row, model)]
        assert [float(cell) for cell in cells] == numbers(printed), (source, model)


def test_size_against_score_is_seen_before_what_is_often_said(result, qtbot):
    view = kind_of("architecture")()
    qtbot.addWidget(view)
    document = Document().with_option("architecture.page", "published")
    view.set_document(document)
    view.show_result(result, document)
    page = page_of(list(view.declared.blocks(view.shown())), 860.0)
    tops = {node.name: node.box.top() for node in reversed(page.nodes)}
    assert tops["Size against score"] < 400
    assert tops["Size against score"] < tops["Common mistakes, and what the papers say"]


@pytest.mark.parametrize("family", SIZES)
def test_every_size_is_a_published_figure_with_its_source(family):
    manifest = read_manifest(PATHS.bundled_plugins / family / "plugin.toml")
    every = (*manifest.published, *manifest.miniatures)
    found = {figure.says: figure for one in every for figure in one.figures}
    for size in SIZES[family].split():
        assert found[size].source, size
