"""How many labels fewer than a random sample `plan labels --active` needs, on CIFAR-10."""
