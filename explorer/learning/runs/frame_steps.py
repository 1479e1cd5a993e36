"""At which steps a run's weights are kept: dense at first, when most is learnt, and sparser later.

Pythia (Biderman et al. 2023) keeps steps 0, 1, 2, 4, ..., 512, and then every thousandth.
"""

HALVED_FROM = 64
"""From here on there is a frame between two powers of two."""


def frame_steps(steps: int) -> tuple[int, ...]:
    """0, the powers of two with what lies between the later ones, and the end.

    Args:
        steps: Of the whole run.
    """
    found, step = {0, steps}, 1
    while step < steps:
        found.add(step)
        if step >= HALVED_FROM and step * 3 // 2 < steps:
            found.add(step * 3 // 2)
        step *= 2
    return tuple(sorted(found))
