"""Checkpoints with random weights, in the layout that transformers publishes."""

from tests.hf import tiny

MARKS = ["_start_", "_delimiter_", "_classify_"]
LABELS = {0: "no", 1: "maybe", 2: "yes"}
NAMED = {"id2label": LABELS, "label2id": {label: n for n, label in LABELS.items()}}


def gpt1(folder, ending, *, marks=True, **config):
    """GPT-1 with a head, and start, delimiter and extract in its vocabulary.

    Args:
        folder: Where.
        ending: Of its class.
        marks: Whether its vocabulary has the three pieces.
        **config: What its config says beside the sizes.
    """
    from tokenizers import AddedToken

    from explorer.hf.family.tiny import tiny_tokenizer, write_tiny

    tokenizer = tiny_tokenizer("openai-gpt")
    if marks:
        added = [AddedToken(mark, special=True, normalized=False) for mark in MARKS]
        tokenizer.add_tokens(added, special_tokens=True)
    family = tiny.families().family("gpt1")
    name = f"OpenAIGPT{ending}"
    return write_tiny(family, folder, model_class=name, tokenizer=tokenizer, config=config)


def other(folder, family, name, **config):
    """Any other family's."""
    from explorer.hf.family.tiny import write_tiny

    return write_tiny(tiny.families().family(family), folder, model_class=name, config=config)


def own_module(folder, name):
    """transformers' own class, from the same files."""
    import transformers

    return getattr(transformers, name).from_pretrained(folder, dtype="float32").eval()
