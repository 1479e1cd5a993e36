"""Pretraining objectives, one file each: what is asked of a model, in a few lines of numpy.

Nothing here imports torch: an objective turns numbered tokens into inputs and labels.
"""

from typing import Final

# transformers' and torch's own mark for "no loss here".
IGNORED: Final = -100
