"""How often does a method find the word that truly matters?"""
