"""What the traits of an architecture cite: the section in which the paper says it."""

import re
from pathlib import Path

import pytest

from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import read_manifest

PLUGINS = Path(__file__).parents[2] / "plugins"


@pytest.fixture(scope="module")
def host():
    return PluginHost(PLUGINS, entry_points=False)


@pytest.mark.parametrize(
    ("family", "name", "words", "cited"),
    [
        ("mobilebert", "google/mobilebert-uncased", "three neighbours", "section 3.4"),
        ("mobilebert", "google/mobilebert-uncased", "feed-forwards in a row", "section 3.2"),
        ("mobilebert", "google/mobilebert-uncased", "no layer norm", "section 3.3"),
        ("xlm", "FacebookAI/xlm-mlm-xnli15-1024", "a vector each is added", "section 3.4"),
        ("deberta", "microsoft/deberta-base", "enhanced mask decoder", "appendix A.8"),
        (
            "tinybert",
            "huawei-noah/TinyBERT_General_6L_768D",
            "imitates one of its teacher's",
            "every second for 6 (Jiao et al. 2020, section 4.2)",
        ),
        ("spanbert", "SpanBERT/spanbert-base-cased", "span boundary", "is predicted from"),
    ],
)
def test_a_trait_cites_where_the_paper_says_it(host, family, name, words, cited):
    manifest = read_manifest(PLUGINS / family / "plugin.toml")
    one = next(one for one in manifest.published if one.id == name)
    traits = host.family(family).blueprint(one.config, one.heads).traits
    [found] = [trait for trait in traits if words in trait.words]
    assert cited in found.why


def test_ernie_is_called_baidus():
    """Another model of that name has a knowledge graph; this one has none."""
    assert read_manifest(PLUGINS / "ernie" / "plugin.toml").title == "ERNIE (Baidu)"


def test_no_trait_holds_an_english_word_in_a_place_of_its_sentence(host):

    words = {
        f"{family}: {value}"
        for family, one in host.published
        for trait in host.family(family).blueprint(one.config, one.heads).traits
        for _code, values in (*trait.words.parts, *trait.why.parts)
        for value in values.values()
        if type(value) is str and re.search("[a-z]{3}", value)
    }
    assert not words
