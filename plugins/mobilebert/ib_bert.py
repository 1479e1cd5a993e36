"""IB-BERT, MobileBERT's teacher. Imports torch: import it only when a model is loaded."""

from typing import Any

from torch import nn
from transformers import MobileBertForMaskedLM, MobileBertForPreTraining, MobileBertModel


def widen_attention(module: Any, config: Any) -> None:
    """Let queries and keys be made from the wide hidden states between the blocks.

    IB-BERT shares no bottleneck between query and key (Sun et al. 2020, table 1), so all three
    of them are made from the block's input; transformers' class expects queries and keys behind
    a bottleneck, and could not run such a config.
    """
    if not config.use_bottleneck or config.use_bottleneck_attention:
        return
    if config.key_query_shared_bottleneck:
        return
    base = getattr(module, "mobilebert", module)
    for layer in base.encoder.layer:
        attention = layer.attention.self
        attention.query = nn.Linear(config.hidden_size, attention.all_head_size)
        attention.key = nn.Linear(config.hidden_size, attention.all_head_size)


class IbBertModel(MobileBertModel):  # type: ignore[misc,unused-ignore]  # transformers is untyped
    """The encoder."""

    def __init__(self, config: Any, add_pooling_layer: bool = True) -> None:
        super().__init__(config, add_pooling_layer=add_pooling_layer)
        widen_attention(self, config)


class IbBertForMaskedLM(MobileBertForMaskedLM):  # type: ignore[misc,unused-ignore]
    """With the masked-LM head."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        widen_attention(self, config)


class IbBertForPreTraining(MobileBertForPreTraining):  # type: ignore[misc,unused-ignore]
    """With the masked-LM and the next-sentence head."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        widen_attention(self, config)
