"""Claims about answers: inequalities over cells, evaluated safely."""
