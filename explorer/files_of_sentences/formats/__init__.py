"""Files as others publish them: treebanks, tables, words with labels, questions about passages."""
