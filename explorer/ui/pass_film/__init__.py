"""The steps of a pass, drawn and played."""
