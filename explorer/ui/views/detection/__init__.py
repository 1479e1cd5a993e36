"""The parts of the two views of replaced-token detection."""
