"""The dialog of plugins: those there are, how one comes and goes, what others have published."""
