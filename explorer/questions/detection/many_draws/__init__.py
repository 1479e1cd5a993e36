"""How well is replacing noticed over many draws, or over a file of sentences?"""
