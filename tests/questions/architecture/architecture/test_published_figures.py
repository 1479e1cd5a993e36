"""Published figures as their sources print them, and what is said where a count differs."""

import pytest

from explorer.engine.plugins.manifest import read_manifest
from explorer.paths import Paths
from explorer.published.literature import score_tables

PUBLISHED = {
    one.id: one
    for folder in sorted(Paths.standard().bundled_plugins.iterdir())
    if (folder / "plugin.toml").is_file()
    for manifest in [read_manifest(folder / "plugin.toml")]
    for one in (*manifest.published, *manifest.miniatures)
}
MULTILINGUAL = "google-research/bert, multilingual.md"


@pytest.mark.parametrize(
    ("name", "what", "says", "value", "source"),
    [
        ("google/electra-large-discriminator", "parameters", "335M", 335e6, "2020, table 2"),
        ("google/electra-base-discriminator", "parameters", "110M", 110e6, "2020, table 1"),
        ("microsoft/deberta-v2-xxlarge", "parameters", "1.5B", 1.5e9, "section 5.3"),
        ("microsoft/deberta-v2-xxlarge", "layers", "48", 48, "section 5.3"),
        ("microsoft/deberta-v2-xxlarge", "hidden_size", "1536", 1536, "section 5.3"),
        ("microsoft/deberta-v2-xxlarge", "heads", "24", 24, "section 5.3"),
        ("microsoft/deberta-base", "without head", "134M", 134e6, "table 13"),
        (
            "google-bert/bert-base-uncased",
            "without head",
            "108M",
            108e6,
            "Lan et al. 2020, table 1",
        ),
        ("google-bert/bert-base-cased", "without head", "108M", 108e6, "Lan et al. 2020, table 1"),
        ("google-bert/bert-base-multilingual-cased", "parameters", "172M", 172e6, "B, table 7"),
        ("google-bert/bert-base-multilingual-cased", "parameters", "110M", 110e6, MULTILINGUAL),
        ("google-bert/bert-base-multilingual-uncased", "parameters", "110M", 110e6, MULTILINGUAL),
        ("google-bert/bert-base-chinese", "parameters", "110M", 110e6, MULTILINGUAL),
        ("klue/bert-base", "parameters", "111M", 111e6, "the paper was not read"),
        ("klue/roberta-small", "parameters", "68M", 68e6, "the paper was not read"),
        ("google-t5/t5-3b", "parameters", "3B", 3e9, "table 14"),
        ("google-t5/t5-3b", "parameters", "2.8B", 2.8e9, "section 3.7"),
        ("openai-community/gpt2-xl", "parameters", "1542M", 1542e6, "table 2"),
        ("gpt3-13b", "hidden_size", "5140", 5140, "table 2.1"),
        ("gpt3-175b", "hidden_size", "12288", 12288, "table 2.1"),
        ("albert/albert-xlarge-v1", "heads", "32", 32, "section 3.1"),
        ("albert/albert-xlarge-v1", "heads", "16", 16, "config.json"),
        ("albert/albert-xlarge-v2", "heads", "32", 32, "section 3.1"),
        ("SpanBERT/spanbert-base-cased", "parameters", "110M", 110e6, "SpanBERT"),
        ("SpanBERT/spanbert-large-cased", "parameters", "340M", 340e6, "SpanBERT"),
        ("FacebookAI/xlm-mlm-en-2048", "parameters", "665M", 665e6, "facebookresearch/XLM"),
        ("FacebookAI/xlm-mlm-17-1280", "parameters", "570M", 570e6, "appendix B, table 7"),
        (
            "distilbert/distilbert-base-multilingual-cased",
            "without head",
            "134M",
            134e6,
            "distillation",
        ),
    ],
)
def test_a_figure_is_that_of_its_source(name, what, says, value, source):
    [found] = [
        figure for figure in PUBLISHED[name].figures if (figure.what, figure.says) == (what, says)
    ]
    assert found.value == value
    assert found.source.endswith(source) or source in found.source


@pytest.mark.parametrize(
    "name", ["google-bert/bert-large-cased", "google-bert/bert-large-cased-whole-word-masking"]
)
def test_berts_cased_large_models_are_not_given_the_uncased_sums(name):
    found = PUBLISHED[name]
    reason = next(figure.reason for figure in found.figures if figure.says == "340M")
    assert f"with pooler and both heads {found.parameters / 1e6:.1f}M" in reason
    assert "embeddings and layers are 332.5M" in reason


@pytest.mark.parametrize(
    ("name", "says", "words"),
    [
        ("microsoft/deberta-v2-xxlarge", "1.5B", "1.56B without head and mask decoder"),
        ("microsoft/deberta-v2-xxlarge", "1320M", "not known"),
        ("microsoft/deberta-v2-xlarge", "710M", "not known"),
        ("microsoft/deberta-v3-xsmall", "48M", f"{128_100 * 384 / 1e6:.1f}M"),
        ("google-bert/bert-base-multilingual-cased", "110M", f"{119_547 * 768 / 1e6:.1f}M"),
        ("google-bert/bert-base-multilingual-uncased", "110M", f"{105_879 * 768 / 1e6:.1f}M"),
        ("ib-bert-large", "293M", "this program's own class"),
        ("gpt3-13b", "5140", "the table prints 5140"),
        ("google/mobilebert-uncased", "25.3M", "not known"),
    ],
)
def test_the_reason_of_a_difference_is_the_counted_one(name, says, words):
    assert words in next(one.reason for one in PUBLISHED[name].figures if one.says == says)


def test_multilingual_berts_table_has_no_row_of_the_uncased_model():
    figures = PUBLISHED["google-bert/bert-base-multilingual-uncased"].figures
    assert "172M" not in {figure.says for figure in figures}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("albert/albert-base-v2", "more text"),
        ("albert/albert-xxlarge-v2", "3 million steps"),
        ("albert/albert-xlarge-v1", "16, where the paper's rule gives 32"),
        ("albert/albert-xxlarge-v1", "trained longer than the model of its table 2"),
        ("FacebookAI/xlm-mlm-en-2048", "1024 or 1280"),
    ],
)
def test_a_note_says_what_the_source_says(name, words):
    assert words in PUBLISHED[name].note


def test_robertas_ablations_have_the_size_of_bert_base():
    """Liu et al. 2019, section 4: L = 12, H = 768, A = 12, 110M parameters."""
    tables = {table.id: table for table in score_tables()}
    rows = [*tables["roberta-masking"].rows, *tables["roberta-input"].rows]
    assert len(rows) == 8
    assert {row.parameters for row in rows} == {110_000_000}
    assert {row.parameters for row in tables["roberta-data"].rows} == {355_000_000}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("google/mobilebert-uncased", "without head"),
        ("ib-bert-large", "without head"),
        ("google/electra-large-discriminator", "heads"),
        ("nghuyong/ernie-2.0-base-en", "layers"),
        ("microsoft/deberta-v3-base", "hidden_size"),
    ],
)
def test_a_source_that_was_not_read_says_so(name, what):
    assert "not checked" in next(one.source for one in PUBLISHED[name].figures if one.what == what)
