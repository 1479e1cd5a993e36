"""What pages are made of: blocks that are frozen values, drawn alike on screen and in exports."""
