import pytest
import torch

from explorer.learning.models.residual_layers import ENDS
from explorer.learning.plan.choices import ModelFamily, Objective, Residual
from tests.learning.tiny_plans import begun

FAMILIES = {
    "bert": ({}, 4),
    "albert": ({"family": ModelFamily.ALBERT}, 2),
    "gpt2": ({"objective": Objective.CAUSAL}, 4),
    "t5": ({"objective": Objective.DROPPED}, 10),
}


@pytest.mark.parametrize(("changed", "number"), FAMILIES.values(), ids=FAMILIES)
def test_only_residual_layers_are_scaled(changed, number):
    plain = dict(begun(residual=Residual.PLAIN, **changed).model.named_parameters())
    scaled = dict(begun(residual=Residual.SCALED, **changed).model.named_parameters())
    found = 0
    for name, weight in plain.items():
        expected = weight
        if name.endswith(ENDS):
            found += 1
            expected = weight * (2 * (3 if name.startswith("decoder.") else 2)) ** -0.5
        assert torch.allclose(scaled[name], expected, atol=1e-7), name
    assert found == number


def test_gpt2_alone_is_scaled_by_itself():
    for changed, residual in (
        ({"objective": Objective.CAUSAL}, Residual.SCALED),
        ({}, Residual.PLAIN),
    ):
        usual, same = begun(**changed).model, begun(residual=residual, **changed).model
        for one, other in zip(usual.parameters(), same.parameters(), strict=True):
            assert torch.equal(one, other)
