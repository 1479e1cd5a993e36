"""Words for people, free of Qt."""
