"""Does any filter of labels bring a judge nearer to the truth than no cleaning?"""
