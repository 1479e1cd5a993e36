"""Published models: searched for, and which of their revisions is downloaded."""
