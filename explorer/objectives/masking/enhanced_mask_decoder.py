"""Masked language modelling through the enhanced mask decoder.

He, Liu, Gao and Chen 2021 (DeBERTa), sections 3.2 and 4. The encoder knows relative positions only.
Just before masked tokens are predicted, absolute positions come in: "a new store opened beside the
new mall" with store and mall masked has the same neighbours at both places; that one of them is the
subject is a matter of place. The decoder is the encoder's last layer, applied n = 2 times with the
same weights:

    K, V = H            the second-last layer's states, both times
    Q_1  = H + P        P: absolute position embeddings, used nowhere else
    Q_2  = layer(Q_1, H)
    predictions from layer(Q_2, H)

The loss is the cross-entropy at the selected tokens (see `masked_language_model`).
"""

from __future__ import annotations

from typing import Any, Final

DECODER_STEPS: Final = 2


def decode(body: Any, tokens: Any, attention: Any, positions: Any) -> Any:
    """Run the encoder, with the decoder in the place of its last layer.

    Args:
        body: transformers' DebertaModel or DebertaV2Model, whose last layer takes query_states.
        tokens: token numbers, shape [batch, length].
        attention: 1 at real tokens and 0 at padding, shape [batch, length].
        positions: P, shape [positions, hidden].

    Returns:
        What the masked-LM head reads, shape [batch, length, hidden].
    """
    encoder = body.encoder
    embedded = body.embeddings(input_ids=tokens, mask=attention)
    rest = {
        "attention_mask": encoder.get_attention_mask(attention),
        "relative_pos": encoder.get_rel_pos(embedded),
        "rel_embeddings": encoder.get_rel_embedding(),
    }
    states = embedded
    for number, layer in enumerate(encoder.layer[:-1]):
        states, _ = layer(states, **rest)
        convolution = getattr(encoder, "conv", None)  # version 2 has one at its first layer
        if number == 0 and convolution is not None:
            states = convolution(embedded, states, attention)
    queries = states + positions[: tokens.shape[1]]
    for _ in range(DECODER_STEPS):
        queries, _ = encoder.layer[-1](states, query_states=queries, **rest)
    return queries
