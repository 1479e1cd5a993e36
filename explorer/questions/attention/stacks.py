"""The stacks of a model whose attention can be looked at, and what their question is called."""

from explorer.api.question import Choice, Entry, Words
from explorer.text import N_

TITLE = N_("Attention")
ENTITIES = "entities"
"""The kind of attention of entities to each other, where a model reads any."""
KIND = Choice(
    N_("Attention"),
    "",
    N_("Attention"),
    entries=(
        Entry("", N_("The model's first")),
        Entry("encoder", N_("Encoder")),
        Entry("decoder", N_("Decoder")),
        Entry("cross", N_("Decoder to encoder")),
        Entry(ENTITIES, N_("Entities")),
    ),
    key="attention.kind",
)
ANSWER = Words(
    N_("Decoder reads"),
    "",
    N_("A text for the decoder to read; empty for what it writes itself"),
    placeholder=N_("Decoder's text: what it writes itself"),
    key="attention.answer",
)
