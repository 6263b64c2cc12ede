"""Accuracy of a CIFAR-10 network on shifted images, from its confidence, without labels."""
