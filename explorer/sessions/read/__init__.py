"""Reading, finding and comparing runs."""
