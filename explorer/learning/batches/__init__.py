"""From documents to the batches of a run, and the losses that are taken of them."""
