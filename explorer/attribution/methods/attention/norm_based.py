"""What each token's value adds to another's attention, by its length (Kobayashi et al. 2020)."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.api.ports.attention import AttentionModules
from explorer.attribution.attending import attending
from explorer.attribution.looking import one_stack, row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.head_weights import matrix_of
from explorer.text import N_


def norms(asked: ScoresAsked) -> Any:
    """The mean over the layers of |sum_h A_h f_h(x)|, of the row of the place that predicts.

    Kobayashi et al. (2020), "Attention is Not Only a Weight", section 2.2: f_h(x) is a token's
    value, with its bias, through the head's rows of the output's matrix.
    """
    import torch

    explained = asked.explained
    modules = explained.model.port(AttentionModules)
    with torch.no_grad(), modules.captured() as kept, attending(explained.model) as layers:
        explained.read(asked.own[None])
    chain, row = one_stack(explained, layers), row_of(explained)
    of_layer = {id(layer): one.values for layer, one in zip(layers, kept, strict=True)}
    rows = []
    for one in chain:
        matrix = matrix_of(one.module.output).to(asked.own)
        by_head = matrix.unflatten(1, (one.module.heads, one.module.width))
        added = torch.einsum("hk,hkd,ohd->ko", one.weights[0, :, row], of_layer[id(one)], by_head)
        rows.append(added.norm(dim=-1))
    return torch.stack(rows).mean(0)


METHOD = AttributionMethod(
    "norm_based",
    MethodDescription(
        N_("Attention by norms"),
        N_(
            "How long the vector is that attention brings from a word to the place that predicts; "
            "the mean of all layers."
        ),
        N_("Kobayashi et al. 2020"),
        signed=False,
        in_units=False,
    ),
    norms,
    short=N_("norms"),
    order=150,
)
