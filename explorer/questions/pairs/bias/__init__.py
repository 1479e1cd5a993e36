"""What do measures of bias say of a model, and what can they see?"""
