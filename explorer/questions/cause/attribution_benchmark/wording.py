"""What is said of the benchmark."""

from explorer.text import N_

ABOUT = N_(
    "The miniatures' world comes from a grammar, so a word's true worth is known "
    "exactly: how much less probable the hidden word is without that word too. "
    "Each place is in a text of its own that was kept from training, drawn by "
    "chance among those where some word is worth more than 0.1 nats. A method is "
    "right where it gives the word that is worth most the highest score."
)

AGREEMENT = N_(
    "Model and world agree at a place where the model's log-probability of the hidden word is "
    "within half a nat of the exact one, with all words seen and without those that matter most: "
    "there the model goes by the words that matter, and a method that misses them is wrong about "
    "the model, too. p is that of McNemar's exact test on the same places, against the method that "
    "is right most often; of many such tests one in twenty is below 0.05 by chance."
)

LIMITS = N_(
    "An attribution explains the model, and the truth is of the world: where the "
    "model relies on the wrong word, even a perfect method is wrong here. "
    "Sequential integrated gradients, summed over a word's numbers, equal "
    "occlusion up to the error of the steps."
)
