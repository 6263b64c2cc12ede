"""Recalibration: the share of right predictions at each confidence, a smooth curve through labelled rows."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray

CERTAIN = 1e-4  # confidences nearer to 0 or 1 count as this near: beyond, logits only say how numbers were stored
KNOTS = (0.1, 0.5, 0.9)
PENALTY = 0.01  # keeps the slope finite if right and wrong rows do not overlap
STEPS, HALVINGS, CLOSE = 40, 6, 1e-4
FARTHEST = 30.0  # beyond these log odds a share is 0 or 1 to the last digit


@dataclass(frozen=True, eq=False)
class Recalibration:
    """A logistic regression of being right on a restricted cubic spline of the confidence's logit, three knots.

    Parameters
    ----------
    basis
        Columns of the regression at each confidence: 1, the logit, and its bend between the knots.
    """

    basis: FloatArray

    @classmethod
    def of(cls, confidence: Array, rows: Array) -> "Recalibration":
        """Place the knots at the 10, 50 and 90 % quantiles of the rows that it will be fitted to.

        Parameters
        ----------
        confidence
            Distinct confidences, the lowest first.
        rows
            Rows of the reference at each.

        Notes
        -----
        Beyond the outer knots the logit of the share is a straight line. Harrell (2015), Regression Modeling
        Strategies, 2.4; Cox (1958) for the straight line everywhere, which is used if the knots coincide. Isotonic
        regression, the usual choice, follows chance at both ends, and is off if the target has more rows there.

        Examples
        --------
        >>> confidence = np.array([0.6, 0.7, 0.8, 0.9])
        >>> curve = Recalibration.of(confidence, np.full(4, 100))
        >>> curve.fitted(np.array([50.0, 60, 70, 80]), np.array([50.0, 40, 30, 20])).round(2).tolist()
        [0.5, 0.6, 0.7, 0.8]
        """
        logit = np.log(np.clip(confidence, CERTAIN, 1 - CERTAIN))
        logit -= np.log1p(-np.clip(confidence, CERTAIN, 1 - CERTAIN))
        mean = rows @ logit / rows.sum()
        spread = np.sqrt(rows @ (logit - mean) ** 2 / rows.sum()) or 1.0
        x = (logit - mean) / spread
        low, middle, high = x[np.searchsorted(np.cumsum(rows), rows.sum() * np.array(KNOTS))]
        columns = [np.ones_like(x), x]
        if high - middle > 0.05 and middle - low > 0.05:

            def cubed(knot: float) -> FloatArray:
                return np.asarray(np.maximum(x - knot, 0) ** 3)

            bend = cubed(low) - (cubed(middle) * (high - low) - cubed(high) * (middle - low)) / (high - middle)
            columns.append(bend / (high - low) ** 2)
        return cls(np.stack(columns, axis=-1))

    def fitted(self, right: FloatArray, wrong: FloatArray, *, start: FloatArray | None = None) -> FloatArray:
        """Return the share of right predictions at each confidence, for one table of counts or for many.

        Parameters
        ----------
        right, wrong
            Rows, or weights, at each confidence; resamples in front.
        start
            Coefficients to start from, such as those of the rows that were resampled. Default: a constant share.
        """
        return _share(self.coefficients(right, wrong, start=start) @ self.basis.T)

    def coefficients(self, right: FloatArray, wrong: FloatArray, *, start: FloatArray | None = None) -> FloatArray:
        """Return the coefficients of the regression, by Newton's method with halved steps.

        Parameters
        ----------
        right, wrong, start
            As in `fitted`.
        """
        hits, rows = np.atleast_2d(right), np.atleast_2d(right + wrong)
        size = self.basis.shape[1]
        products = (self.basis[:, :, None] * self.basis[:, None, :]).reshape(len(self.basis), -1)
        penalty = np.diag([1e-9, *[PENALTY] * (size - 1)])
        beta = np.zeros((len(hits), size))
        if start is None:
            share = np.clip(hits.sum(axis=1) / rows.sum(axis=1), 1e-6, 1 - 1e-6)
            beta[:, 0] = np.log(share) - np.log1p(-share)
        else:
            beta += start
        drawn = hits @ self.basis

        def loss(beta: FloatArray) -> tuple[FloatArray, FloatArray]:
            score = beta @ self.basis.T
            chances = _share(score)
            # log(1 + exp(score)) = score - log(share), and -log(1 - share) below 0
            above = np.where(score > 0, score, 0.0) - np.log(np.where(score > 0, chances, 1 - chances))
            fits = (beta * drawn).sum(axis=1) - (rows * above).sum(axis=1)
            return chances, ((beta @ penalty) * beta).sum(axis=1) / 2 - fits

        chances, lost = loss(beta)
        for _ in range(STEPS):
            slope = drawn - (rows * chances) @ self.basis - beta @ penalty
            curved = ((rows * (chances * (1 - chances))) @ products).reshape(-1, size, size) + penalty
            step = np.linalg.solve(curved, slope[:, :, None])[:, :, 0]
            for _ in range(HALVINGS):
                tried, reached = loss(beta + step)
                worse = reached > lost + 1e-9 * np.abs(lost)
                if not worse.any():
                    break
                step[worse] /= 2
            beta, chances, lost = beta + step, tried, reached
            if np.abs(step).max() < CLOSE:
                break
        return np.asarray(beta[0] if right.ndim == 1 else beta)


def _share(score: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-np.clip(score, -FARTHEST, FARTHEST))))
