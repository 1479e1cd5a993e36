"""Pretraining objectives, one file each: what is asked of a model, in a few lines.

Where an objective turns numbered tokens into inputs and labels it does so in numpy. Where it needs
a model's answers (what a generator draws, what a decoder reads) it is written for torch.
"""

from typing import Final

# transformers' and torch's own mark for "no loss here".
IGNORED: Final = -100
