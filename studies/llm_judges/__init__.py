"""How far are win rates of language models as judges from the experts', and what do few ratings correct?"""
