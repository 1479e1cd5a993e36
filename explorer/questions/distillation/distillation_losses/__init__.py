"""How large are the losses of distillation for this very input, layer by layer?"""
