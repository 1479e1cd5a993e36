"""Products by oneDNN: the numbers of PyTorch's own, hooks seen, gradients left to PyTorch."""

import copy

import pytest

from explorer.hf.loading.products import has_onednn, use_onednn

pytestmark = pytest.mark.skipif(not has_onednn(), reason="This PyTorch has no oneDNN.")

PRODUCT = "mkldnn::_linear_pointwise"


def small(kind):
    import torch
    import transformers

    torch.manual_seed(0)
    if kind == "bert":
        config = transformers.BertConfig(vocab_size=500, num_hidden_layers=2, hidden_size=768)
        return transformers.BertForMaskedLM(config).eval()
    config = transformers.GPT2Config(
        vocab_size=500, n_layer=2, n_embd=768, n_head=12, bos_token_id=1, eos_token_id=1
    )
    return transformers.GPT2LMHeadModel(config).eval()


def profiled(run):
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as seen:
        found = run()
    return found, {one.key for one in seen.key_averages()}


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_the_numbers_are_those_of_transformers_own_forward(kind):
    import torch

    plain = small(kind)
    quick = copy.deepcopy(plain)
    use_onednn(quick)
    ids = torch.arange(96).reshape(2, 48)
    with torch.inference_mode():
        expected = plain(input_ids=ids).logits.log_softmax(-1)
        found, ops = profiled(lambda: quick(input_ids=ids).logits.log_softmax(-1))
        changed = copy.deepcopy(quick)
        again = changed(input_ids=ids).logits.log_softmax(-1)
    assert PRODUCT in ops
    torch.testing.assert_close(found, expected, atol=2e-5, rtol=0)
    assert torch.equal(found, again)


def test_a_copy_multiplies_with_its_own_weights():
    import torch

    layer = torch.nn.Sequential(torch.nn.Linear(512, 512))
    use_onednn(layer)
    other = copy.deepcopy(layer)
    with torch.no_grad():
        other[0].weight.zero_()
        states = torch.ones(64, 512)
        assert torch.equal(other(states), other[0].bias.expand(64, 512))
        assert not torch.equal(layer(states), other(states))


def test_hooks_see_it_and_gradients_go_through():
    import torch

    layer = torch.nn.Sequential(torch.nn.Linear(512, 512))
    use_onednn(layer)
    seen = []
    layer[0].register_forward_pre_hook(lambda _module, given: seen.append(given[0]))
    states = torch.randn(64, 512, requires_grad=True)
    found, ops = profiled(lambda: layer(states))
    assert PRODUCT not in ops
    found.sum().backward()
    torch.testing.assert_close(states.grad, layer[0].weight.sum(0).expand(64, 512))
    assert len(seen) == 1


def test_a_small_product_stays_as_it_was():
    import torch

    layer = torch.nn.Sequential(torch.nn.Linear(64, 64))
    use_onednn(layer)
    with torch.inference_mode():
        states = torch.randn(1, 20, 64)
        found, ops = profiled(lambda: layer(states))
        plain = torch.nn.functional.linear(states, layer[0].weight, layer[0].bias)
    assert PRODUCT not in ops
    assert torch.equal(found, plain)
