"""Parts of the attention view."""
