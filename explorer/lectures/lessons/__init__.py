"""What a lesson asks and how it is answered: by one person, and by a class."""
