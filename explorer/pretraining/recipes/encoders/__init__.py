"""Encoders, pretrained as their papers pretrain them."""
