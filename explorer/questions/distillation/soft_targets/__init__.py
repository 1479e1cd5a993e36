"""How do a teacher's and a student's whole distributions compare, at any temperature?"""
