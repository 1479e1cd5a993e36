"""How probable are these words of mine where something is masked?"""
