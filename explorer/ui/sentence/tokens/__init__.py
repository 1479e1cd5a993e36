"""The tokens under the sentence: how they are laid out, painted, chosen and edited."""
