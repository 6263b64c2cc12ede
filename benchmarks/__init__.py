"""Speed against named peers, as ratios of one run: machines are noisy, ratios less so."""
