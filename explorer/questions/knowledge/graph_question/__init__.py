"""Which choice answers a question, and by which paths of a knowledge graph?"""
