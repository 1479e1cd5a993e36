"""How questions are typed, asked and answered in a terminal."""
