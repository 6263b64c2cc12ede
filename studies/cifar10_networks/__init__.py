"""Thirty published CIFAR-10 networks judged against each other, by labels and by true classes."""
