"""What the thesis found on CIFAR-10 with 5 % of feature noise, in per cent: type I, type II, agreement."""

from justesse.cleaning.simulated import Nett

Triple = tuple[float, float, float]

TABLE_6_2: dict[str, Triple] = {
    "classical": (1.62, 1.58, 98.39),
    "prudent_v1": (0.00, 66.82, 71.45),
    "prudent_v2, own ranking": (0.00, 52.61, 77.53),
}
TABLE_6_3: dict[Nett, Triple] = {
    Nett(0.75, 0.25): (1.59, 1.32, 98.53),
    Nett(0.75, 0.25, 0.25): (0.34, 5.79, 97.33),
    Nett(0.75, 0.25, 0.5): (0.56, 3.90, 98.01),
    Nett(0.75, 0.25, 0.75): (0.51, 2.34, 98.71),
    Nett(0.6, 0.1): (1.53, 1.02, 98.69),
    Nett(0.6, 0.1, 0.25): (0.71, 2.60, 98.48),
    Nett(0.6, 0.1, 0.5): (0.76, 2.06, 98.69),
    Nett(0.6, 0.1, 0.75): (0.86, 1.32, 98.94),
    Nett(0.9, 0.4): (2.20, 1.68, 98.02),
    Nett(0.9, 0.4, 0.25): (0.51, 9.22, 95.77),
    Nett(0.9, 0.4, 0.5): (0.32, 5.65, 97.40),
    Nett(0.9, 0.4, 0.75): (0.25, 2.77, 98.68),
    Nett(0.6, 0.4): (2.35, 2.32, 97.67),
    Nett(0.6, 0.4, 0.25): (0.34, 9.39, 95.80),
    Nett(0.6, 0.4, 0.5): (0.60, 6.08, 97.06),
    Nett(0.6, 0.4, 0.75): (0.37, 3.05, 98.48),
    Nett(0.9, 0.6): (3.02, 3.00, 96.99),
    Nett(0.9, 0.6, 0.25): (0.18, 16.58, 92.82),
    Nett(0.9, 0.6, 0.5): (0.39, 8.87, 95.99),
    Nett(0.9, 0.6, 0.75): (0.42, 4.28, 97.93),
    Nett(0.4, 0.1): (1.50, 1.30, 98.59),
    Nett(0.4, 0.1, 0.25): (0.83, 2.65, 98.39),
    Nett(0.4, 0.1, 0.5): (0.88, 2.18, 98.57),
    Nett(0.4, 0.1, 0.75): (1.09, 1.51, 98.73),
}
REMOVING = tuple(nett for nett in TABLE_6_3 if nett.corrects is None)
# of class 0 alone
TABLE_6_4: dict[str, Triple] = {"classical": (1.24, 1.50, 98.64), "prudent_v1": (0.00, 11.94, 94.36)}
TABLE_6_5: dict[str, Triple] = {"classical": (1.30, 1.35, 98.68), "prudent_v1": (0.00, 30.51, 85.57)}
# figure 6.3: the share of wrong test labels in the version at 10 %
FIGURE_6_3 = 0.10325
