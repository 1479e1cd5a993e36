"""What a student learns from a teacher, as formulas: numpy alone, no Qt and no torch.

The engine computes losses with it, and the window redraws a temperature with it from logits it
holds already, without asking a model again.

* `softening`: distributions at a temperature, and what a temperature shows of them;
* `losses`: what is minimised, and how large its gradient is;
* `similarity`: how alike two layers' states are;
* `layers`: which layer learns from which, and the losses between layers.

Logarithms are natural, so entropies, divergences and losses are in nats.
"""
