"""`justesse annotators`: how far annotators agree, what is probably true, whom to trust and whom to ask next."""
