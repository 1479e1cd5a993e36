"""The plugins that docs/plugins.md shows, taken from there and used."""

import itertools
import re
from collections import defaultdict
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import explorer.api.family as family
from explorer.api.family import Context, LoadOptions
from explorer.api.question.needs import ports_of
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance import check_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.faces import homes
from explorer.hf import EVERY_PORT
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny

PAGE = Path(__file__).resolve().parents[2] / "docs" / "plugins.md"
CPU = LoadOptions(device="cpu")


@pytest.fixture
def user_plugins(tmp_path):
    """The page's files, written where the page says."""
    folder = tmp_path / "user"
    text = PAGE.read_text(encoding="utf-8")
    for name, content in re.findall(
        r"^```\w+\n# (\S+/\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def host(tmp_path, user_plugins):
    return PluginHost(tmp_path / "none", user_plugins, entry_points=False)


@pytest.fixture
def runner(tmp_path, host):
    return Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))


def test_both_plugins_work(host):
    records = {record.id: record for record in host.records}
    assert set(records) == {"cbow", "my-xlmr", "word-lengths"}
    for record in records.values():
        assert (record.problem, record.traceback, record.source) == ("", "", "folder")


def test_what_is_published_has_as_many_weights_as_its_config_makes(host):
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM

    (_, published), *_ = host.published
    config = XLMRobertaConfig(**published.config, type_vocab_size=1)
    with torch.device("meta"):
        module = XLMRobertaForMaskedLM(config)
    assert published.parameters == sum(one.numel() for one in module.parameters())


def test_a_model_of_its_own_passes_the_check_that_the_page_names(user_plugins):
    """The other examples are tried where they are written, in tests/commands/test_new.py."""
    own = Paths.standard().bundled_plugins
    found = check_plugin(user_plugins / "cbow", own, questions=("masked_tokens",))
    assert [one for one in found if one.failed] == []
    assert len(found) > 5


def test_a_model_of_your_own(tmp_path, runner):
    import torch

    torch.manual_seed(0)
    pieces, width, window = len(tiny.VOCABULARY), 16, 2
    weights = {"words": torch.randn(pieces, width), "output": torch.randn(pieces, width)}
    config = {"model_type": "cbow", "window": window, "width": width, "vocab_size": pieces}
    folder = tiny.write(tmp_path / "bag", config, weights)
    card = runner.load("A", str(folder), CPU, Context())
    assert {"masked_tokens", "surprisal", "tokens"} <= set(card.operations)
    assert not {"attention", "replaced_tokens", "span_boundary"} & set(card.operations)
    assert card.parameters == 2 * pieces * width
    result = runner.ask(
        MaskedTokensRequest("the cat sat on the mat", None, (Mask(4, 7),), 5),
        {"model": "A"},
        Context(),
    )
    ids = [token.id for token in result.tokens]
    words, output = weights["words"].numpy(), weights["output"].numpy()
    mean = words[[ids[0], ids[1], ids[3], ids[4]]].mean(axis=0)
    logits = output @ mean
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    (mask,) = result.masks
    assert [p.id for p in mask.predictions] == np.argsort(-expected)[:5].tolist()
    np.testing.assert_allclose(
        [p.probability for p in mask.predictions], np.sort(expected)[::-1][:5], atol=1e-6
    )
    assert mask.original.word == "cat"


@pytest.fixture
def xlmr(tmp_path):
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM

    tokenizer = tiny.byte_level()
    torch.manual_seed(0)
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=34,
        type_vocab_size=1,
        pad_token_id=1,
        initializer_range=0.3,
    )
    module = XLMRobertaForMaskedLM(config).eval()
    return tiny.write(tmp_path / "xlmr", config, tiny.weights_of(module), tokenizer), module


def test_a_family_that_transformers_knows(runner, xlmr):
    import torch

    folder, module = xlmr
    card = runner.load("A", str(folder), CPU, Context())
    assert card.max_length == 32
    assert card.mask_token == "<mask>"
    assert {"architecture", "masked_tokens", "tokens"} <= set(card.operations)
    assert card.report.missing == ()
    result = runner.ask(MaskedTokensRequest("the [MASK] the", top_k=4), {"model": "A"}, Context())
    assert [token.text for token in result.tokens] == ["<s>", "the", "<mask>", "Ġthe", "</s>"]
    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        expected = torch.softmax(module(ids).logits[0, 2], dim=-1).topk(4)
    (mask,) = result.masks
    assert [p.id for p in mask.predictions] == expected.indices.tolist()
    np.testing.assert_allclose(
        [p.probability for p in mask.predictions], expected.values.numpy(), atol=1e-6
    )


def test_it_takes_as_much_text_as_its_positions_allow(runner, xlmr):
    runner.load("A", str(xlmr[0]), CPU, Context())
    result = runner.ask(
        MaskedTokensRequest("[MASK]" + " the" * 100, top_k=1), {"model": "A"}, Context()
    )
    assert len(result.tokens) == 32
    assert result.left_out.tokens == 101 - 30


def test_the_table_of_ports_is_that_of_the_program():
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    table = {port: cells for port, *cells in rows if hasattr(family, port)}
    asked = defaultdict(set)
    for name, question in all_questions().items():
        for need in itertools.chain(*question.roles.values()):
            for port in ports_of(need):
                asked[port.__name__].add(name)
    assert {port.__name__ for port in EVERY_PORT} | set(asked) <= set(table)
    for port, (methods, needed) in table.items():
        own = vars(getattr(family, port)).items()
        assert {n for n, one in own if n[0] != "_" and isinstance(one, FunctionType)} <= set(
            re.findall(r"`(\w+)\(", methods)
        ), port
        said = set(re.findall(r"`(\w+)`", needed))
        assert asked[port] <= said <= set(all_questions()), port


def test_the_table_of_the_toolkit_has_all_its_names():
    text = PAGE.read_text("utf-8")
    table = text.partition("| `explorer.hf` has for |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(homes("explorer.hf"))
