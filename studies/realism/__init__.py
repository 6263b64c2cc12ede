"""How realistic is simulated noise, held against labels that people gave?"""
