"""The GPU that tests have: what it does where a real one would do the same."""

import pytest
import torch

from tests.simulated_gpu import WrongDevice, simulated_gpu


@pytest.mark.parametrize("kind", ["cuda", "mps"])
def test_a_weight_takes_numbers_of_another_type(kind):
    """As families set what transformers leaves in float32."""
    numbers = torch.arange(6, dtype=torch.float32)
    with simulated_gpu(kind) as gpu:
        weight = torch.nn.Linear(3, 2, bias=False).to(kind).weight
        weight.data = numbers.reshape(2, 3).to(kind)
        assert gpu.allocated == 6 * 4, "what it had before is given back"
        weight.data = weight.data.to(torch.bfloat16)
        assert gpu.allocated == 6 * 2
        assert isinstance(weight, torch.nn.Parameter)
        assert weight.requires_grad
        assert weight.dtype == torch.bfloat16
        product = torch.ones(3, dtype=torch.bfloat16).to(kind) @ weight.T
        assert product.dtype == torch.bfloat16
        assert product.tolist() == [3.0, 12.0]
        assert product.grad_fn is not None


def test_a_weight_takes_no_numbers_of_the_machines():
    with simulated_gpu():
        weight = torch.nn.Linear(3, 2).to("cuda").weight
        with pytest.raises(WrongDevice):
            weight.data = torch.zeros(2, 3)
