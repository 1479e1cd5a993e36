"""Whether a loaded model is what its plugin says of it: claims, tried beside its own forward."""
