"""Which claims about training are borne out in runs of small models?"""
