"""The experiment of the thesis, 6.5: a hundred classifiers, wrong labels, and who should replace whom by which judge."""
