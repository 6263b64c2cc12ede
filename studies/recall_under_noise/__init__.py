"""Does uniform noise leave recall alone? A simulation of thesis (6.18) to (6.23)."""
