"""How far off are comparisons and error rates without labels, on thirty real networks?"""
