"""The scores and slips that the program shows, as the lecture notes and papers print them."""

from pathlib import Path

import pytest

from explorer.engine.plugins.manifest import read_manifest
from explorer.paths import Paths
from explorer.published.literature import score_tables, slips

NOTES = {
    "albert-against-bert": """
        BERT base 108M 90.4/83.2 80.4/77.6 84.5 92.8 68.2 82.3
        BERT large 334M 92.2/85.5 85.0/82.2 86.6 93.0 73.9 85.2
        ALBERT base 12M 89.3/82.3 80.0/77.1 81.6 90.3 64.0 80.1
        ALBERT large 18M 90.6/83.9 82.3/79.4 83.5 91.7 68.5 82.4
        ALBERT xlarge 60M 92.5/86.1 86.1/83.1 86.4 92.4 74.8 85.5
        ALBERT xxlarge 235M 94.1/88.3 88.1/85.1 88.0 95.2 82.3 88.7
    """,
    "roberta-masking": "76.3 84.3 92.8\n78.3 84.3 92.5\n78.7 84.0 92.9",
    "roberta-input": """
        90.4/78.7 84.0 92.9 64.2
        88.7/76.2 82.9 92.1 63.0
        90.4/79.1 84.7 92.5 64.8
        90.6/79.7 84.7 92.7 65.6
        88.5/76.3 84.3 92.8 64.3
    """,
    "roberta-data": """
        93.6/87.3 89.0 95.3
        94.0/87.7 89.3 95.6
        94.4/88.7 90.0 96.1
        94.6/89.4 90.2 96.4
    """,
}


def test_every_score_of_the_notes_is_there():
    tables = {table.id: table for table in score_tables()}
    assert set(tables) == set(NOTES)
    for name, printed in NOTES.items():
        lines = [line.split() for line in printed.strip().splitlines()]
        for row, words in zip(tables[name].rows, lines, strict=True):
            numbers = [float(n) for word in words for n in word.split("/") if "." in n]
            assert list(row.scores) == numbers
            assert len(row.scores) == len(tables[name].columns)
            if words[0] in {"BERT", "ALBERT"}:
                assert row.model == " ".join(words[:2])
                assert row.parameters == int(words[2].removesuffix("M")) * 10**6


def test_every_table_says_where_it_stands():
    assert all("table" in table.source for table in score_tables())
    assert all(slip.source and slip.says and slip.fact for slip in slips())


def test_the_notes_bert_base_is_put_right():
    found = next(slip for slip in slips() if slip.about == "BERT base")
    assert "330M" in found.says
    assert found.fact.startswith("110M")


@pytest.mark.parametrize(
    ("about", "notes", "paper", "source"),
    [
        ("BERT base", "330M", "110M", "table 1"),
        ("DeBERTa base and large", "100M and 350M", "139M and 406M", "counted here"),
        ("ALBERT", "1/18", "leave out “large”", "section 1"),
        ("T5", "no encoder-decoder", "encoder-decoder", "section 2.1"),
        ("ELECTRA", "GAN", "maximum likelihood", "section 2"),
        ("ELECTRA", "3.3 billion", "33 billion", "section 3.4"),
        ("ELECTRA", "real (fake)", "swapped", "section 2"),
        ("ELECTRA", "share their weights", "embeddings alone", "section 3.2"),
        ("ELECTRA", "80 %", "75 %", "table 2"),
        ("ELECTRA", "“the”", "right guess", "section 2"),
        ("ELECTRA large", "less compute", "7.1e20 against 1.9e20", "table 2"),
        ("MobileBERT", "architecture search", "no search", "abstract"),
        ("DeBERTa", "85 GB", "78 GB", "section 5.1.1"),
        ("DeBERTa v3", "1.5B", "160 GB", "section 4.1"),
        ("BERT", "ten copies", "BERT's own", "section 4.1"),
        ("BERT", "90 % of the data", "90 % of the steps", "model card"),
        ("BERT", "2.5 billion words", "3.3 billion", "section 3.1"),
        ("SQuAD", "2.2", "2.0", "section 4.3"),
        ("XLM", "encoder-decoder", "encoder alone", "section 3"),
        ("GPT-2", "Wikipedia", "taken out", "section 2.1"),
        ("GPT-2", "1/√n", "all residual layers", "section 2.3"),
        ("TinyBERT", "W_k", "QK/√d", "equation 7"),
        ("TinyBERT", "shrinks", "widens", "equation 8"),
        ("TinyBERT", "BookCorpus", "Wikipedia alone", "section 4.2"),
        ("ERNIE", "knowledge graph", "This program has both", "thunlp/ERNIE"),
    ],
)
def test_a_slip_is_shown_beside_what_the_paper_says(about, notes, paper, source):
    [found] = [slip for slip in slips() if slip.about == about and notes in slip.says]
    assert paper in found.fact
    assert source in found.source


def test_slips_of_one_model_stand_together():
    about = [slip.about for slip in slips()]
    firsts = [name for at, name in enumerate(about) if at == 0 or about[at - 1] != name]
    assert len(firsts) == len(set(about))


def test_every_published_figure_has_a_source():
    folders: list[Path] = sorted(Paths.standard().bundled_plugins.iterdir())
    manifests = [
        read_manifest(folder / "plugin.toml")
        for folder in folders
        if (folder / "plugin.toml").is_file()
    ]
    figures = [
        figure
        for manifest in manifests
        for one in (*manifest.published, *manifest.miniatures)
        for figure in one.figures
    ]
    assert len(figures) > 100
    assert all(figure.source and figure.value > 0 for figure in figures)
    sizes = {one.id for manifest in manifests for one in manifest.published}
    wanted = {"gpt3-small", "gpt3-medium", "gpt3-large", "gpt3-xl", "gpt3-2.7b", "gpt3-6.7b"}
    assert wanted | {"gpt3-13b", "google-t5/t5-11b", "ib-bert-large"} <= sizes
