"""How many cores there are for models."""

import os


def threads() -> int:
    """Threads that the model would have in this process alone."""
    import torch

    return min(int(torch.get_num_threads()), os.cpu_count() or 1)
