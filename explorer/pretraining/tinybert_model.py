"""BERT with what ties a narrow student to a wide teacher. Imports torch and transformers."""

from __future__ import annotations

from typing import Any

from torch import nn
from transformers import BertForPreTraining


class TinyBertForPreTraining(BertForPreTraining):  # type: ignore[misc,unused-ignore]
    """A BERT with the published TinyBERT's ``fit_denses``.

    ``fit_denses.0`` is the paper's W_e and ``fit_denses.m`` its W_h at layer m: linear maps from
    the student's width to the teacher's, ``config.fit_size``. The published ones have biases.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.fit_denses = nn.ModuleList(
            nn.Linear(config.hidden_size, config.fit_size)
            for _ in range(config.num_hidden_layers + 1)
        )
        self.post_init()
