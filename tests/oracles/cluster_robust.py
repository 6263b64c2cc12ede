"""Cluster-robust variances of regressions by their matrices, row by row: an oracle that shares no code with justesse.

V(CR0) = B Σ_g X_g' e_g e_g' X_g B,   B = (X'X)⁻¹
V(CR2): e_g is replaced by A_g e_g with A_g = (I - H_gg)^(-1/2)        (Bell and McCaffrey 2002)
ν of a coefficient c: Satterthwaite's, 2·E(v)²/Var(v) of the quadratic form v = c'V(CR2)c = ε'Qε for independent
normal rows: tr(Q)²/tr(Q²)                                               (Pustejovsky and Tipton 2018)
"""

import numpy as np


def inverse_root(matrix):
    """Return the symmetric inverse square root; directions without spread stay without."""
    value, vector = np.linalg.eigh(matrix)
    return vector @ np.diag([1 / np.sqrt(own) if own > 1e-10 else 0.0 for own in value]) @ vector.T


class ClusterRobust:
    """An ordinary least squares fit, with its variances CR0 and CR2."""

    def __init__(self, y, design, cluster):
        self.y, self.design, self.cluster = np.asarray(y, float), np.asarray(design, float), np.asarray(cluster)
        self.bread = np.linalg.inv(self.design.T @ self.design)
        self.rest = np.eye(len(self.y)) - self.design @ self.bread @ self.design.T
        self.coefficients = self.bread @ self.design.T @ self.y
        self.groups = [np.flatnonzero(self.cluster == name) for name in dict.fromkeys(self.cluster.tolist())]

    def weights(self, kind):
        """Return, for each cluster, what its residuals are multiplied by in each coefficient."""
        for rows in self.groups:
            own = np.eye(len(rows)) if kind == "CR0" else inverse_root(self.rest[np.ix_(rows, rows)])
            yield rows, self.bread @ self.design[rows].T @ own

    def covariance(self, kind):
        residual = self.rest @ self.y
        parts = [weight @ residual[rows] for rows, weight in self.weights(kind)]
        return sum(np.outer(part, part) for part in parts)

    def quadratic_form(self, at):
        """Return Q of coefficient number `at`: its variance CR2 is ε'Qε."""
        columns = [self.rest[:, rows] @ weight[at] for rows, weight in self.weights("CR2")]
        return sum(np.outer(column, column) for column in columns)

    def degrees(self, at):
        form = self.quadratic_form(at)
        return np.trace(form) ** 2 / np.sum(form * form)
