"""What results are made of: kinds of numbers that know their rows, their summary, their headline.

A part is made of a result when somebody asks for it, and is drawn by the module of
`explorer/ui/parts` that lies where its kind lies here. It knows no question, no Qt and no torch.
"""
