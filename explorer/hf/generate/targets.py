"""How probable some texts are as what a model writes."""

from collections.abc import Sequence

from explorer.api.family import Context, GenerationState


def log_probabilities_of(
    writing: GenerationState, texts: Sequence[Sequence[int]], context: Context
) -> list[float]:
    """The log-probability of each text, in nats, all pieces and the end among them.

    Texts that begin alike share what is read.

    Args:
        writing: What they are written behind.
        texts: Pieces of each, with the one that ends it.
        context: Can stop it.

    Raises:
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    found = [0.0] * len(texts)
    for step in range(max(map(len, texts), default=0)):
        context.check()
        going = [number for number, text in enumerate(texts) if len(text) > step]
        before = list(dict.fromkeys(tuple(texts[number][:step]) for number in going))
        logs = writing.logits(before, context).cpu().double().log_softmax(dim=-1)
        for number in going:
            text = texts[number]
            found[number] += float(logs[before.index(tuple(text[:step])), text[step]])
    return found
