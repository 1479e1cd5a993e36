"""Forward passes, as few and as small as answers need."""
