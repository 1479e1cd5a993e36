"""Questions asked about every sentence of a file: how one is read, who answers, where rows go."""
