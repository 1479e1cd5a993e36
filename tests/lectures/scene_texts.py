"""Scenes as lecturers write them."""


def one_mask(title: str, text: str, masked: str, rest: str = "") -> str:
    """A scene's file: bert-miniature fills one word.

    Args:
        title: In English.
        text: The sentence.
        masked: Its word that is masked.
        rest: Further lines of the step, and what follows it.
    """
    return f"""[en]
title = "{title}"
[[steps]]
models = ["bert-miniature"]
question = "masked_tokens"
text = "{text}"
masked = ["{masked}"]
{rest}"""
