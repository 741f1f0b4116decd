"""Gradient boosting of symmetric trees over small integers, for the model of block weights (docs/block_weights.md).

A symmetric tree asks one question a level, the same of all rows: `levels` pairs of a feature and a threshold, and a
table of 2 ** levels answers. The loss is the logistic one. Needs numpy; the same rows and seed give the same trees.
"""
import dataclasses

import numpy

UNITS = 1024  # of a leaf, to a logit


@dataclasses.dataclass
class Settings:
    trees: int = 90
    levels: int = 5
    rate: float = 0.3
    ridge: float = 3.0  # added to the weight of a leaf
    least_weight: float = 1.0  # of the rows on either side of a question, in all leaves together
    bins: int = 24  # thresholds a feature, at most, are its quantiles
    drawn_rows: int = 80000  # for each tree anew, by their weight
    feature_share: float = 0.5
    seed: int = 1


@dataclasses.dataclass
class Tree:
    features: list
    thresholds: list
    # In UNITS of a logit; a feature above its threshold sets the level's bit, the first level's the highest.
    leaves: list


@dataclasses.dataclass
class Model:
    bias: int
    trees: list


def thresholds_of(column, weights, bins):
    """The values between which `bins` equal parts of the weight meet, without the largest value of all."""
    mass = numpy.bincount(column, weights=weights, minlength=256)
    values = numpy.flatnonzero(mass)
    if len(values) <= bins + 1:
        return values[:-1].astype(numpy.int64)
    total = numpy.cumsum(mass)
    cuts = numpy.searchsorted(total, total[-1] * numpy.arange(1, bins + 1) / (bins + 1))
    return numpy.unique(numpy.minimum(cuts, values[-1] - 1)).astype(numpy.int64)


def best_question(binned, counts, node, nodes, gradient, weight, features, settings):
    """The feature and bin whose question lowers the loss of all nodes together most; None if none does."""
    best, best_gain = None, 1e-9
    for feature in features:
        if counts[feature] == 0:
            continue
        size = int(counts[feature]) + 1
        cell = node * size + binned[feature]
        sums = numpy.bincount(cell, weights=gradient, minlength=nodes * size).reshape(nodes, size)
        masses = numpy.bincount(cell, weights=weight, minlength=nodes * size).reshape(nodes, size)
        low, low_mass = sums.cumsum(axis=1), masses.cumsum(axis=1)
        all_, all_mass = low[:, -1:], low_mass[:, -1:]
        low, low_mass = low[:, :-1], low_mass[:, :-1]
        gain = (
            low**2 / (low_mass + settings.ridge)
            + (all_ - low) ** 2 / (all_mass - low_mass + settings.ridge)
            - all_**2 / (all_mass + settings.ridge)
        ).sum(axis=0)
        small = numpy.minimum(low_mass.sum(axis=0), (all_mass - low_mass).sum(axis=0)) < settings.least_weight
        gain[small] = 0
        at = int(gain.argmax())
        if gain[at] > best_gain:
            best, best_gain = (feature, at), gain[at]
    return best


def grow(binned, cuts, counts, gradient, weight, features, settings):
    node = numpy.zeros(len(gradient), dtype=numpy.int64)
    questions = []
    for level in range(settings.levels):
        found = best_question(binned, counts, node, 1 << level, gradient, weight, features, settings)
        if found is None:  # no question helps: one that all rows answer alike
            found = (features[0], int(counts[features[0]]))
        feature, at = found
        questions.append((int(feature), int(cuts[feature][at]) if at < counts[feature] else 255))
        node = 2 * node + (binned[feature] > at)
    sums = numpy.bincount(node, weights=gradient, minlength=1 << settings.levels)
    masses = numpy.bincount(node, weights=weight, minlength=1 << settings.levels)
    leaves = numpy.rint(settings.rate * sums / (masses + settings.ridge) * UNITS).astype(int)
    return Tree([f for f, _ in questions], [t for _, t in questions], leaves.tolist())


def leaf_of(tree, columns):
    node = numpy.zeros(columns.shape[1], dtype=numpy.int64)
    for feature, threshold in zip(tree.features, tree.thresholds):
        node = 2 * node + (columns[feature] > threshold)
    return node


def scores(model, columns):
    """In UNITS of a logit. `columns`: by feature, then by row, whole numbers."""
    result = numpy.full(columns.shape[1], model.bias, dtype=numpy.int64)
    for tree in model.trees:
        result += numpy.array(tree.leaves)[leaf_of(tree, columns)]
    return result


def probability(score):
    return 1 / (1 + numpy.exp(-numpy.asarray(score) / UNITS))


def train(columns, labels, weights, usable, settings):
    """`columns`: by feature, then by row; `labels` 0 or 1; `usable`: the features that may be asked about."""
    random = numpy.random.default_rng(settings.seed)
    cuts = [thresholds_of(column, weights, settings.bins) for column in columns]
    counts = numpy.array([len(cut) for cut in cuts])
    binned = [numpy.searchsorted(cut, column, side="left") for cut, column in zip(cuts, columns)]
    binned = numpy.array(binned, dtype=numpy.uint8)
    share = (weights * labels).sum() / weights.sum()
    model = Model(int(round(float(numpy.log(share / (1 - share))) * UNITS)), [])
    score = numpy.full(columns.shape[1], model.bias, dtype=numpy.int64)
    sums = numpy.cumsum(weights)
    each = sums[-1] / settings.drawn_rows
    for _ in range(settings.trees):
        rows = numpy.searchsorted(sums, random.random(settings.drawn_rows) * sums[-1], side="right")
        drawn = random.permutation(usable)[: max(1, round(len(usable) * settings.feature_share))]
        likely = probability(score[rows])
        gradient = each * (labels[rows] - likely)
        mass = each * likely * (1 - likely)
        tree = grow(binned[:, rows], cuts, counts, gradient, mass, list(drawn), settings)
        model.trees.append(tree)
        score += numpy.array(tree.leaves)[leaf_of(tree, columns)]
    return model
