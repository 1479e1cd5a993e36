"""Students of a teacher, and the teacher that one of them needs."""
