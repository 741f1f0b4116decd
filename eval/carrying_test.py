#!/usr/bin/env python3
"""Tests of carrying.py: an ingredient that moves figures in both directions does not carry, and is named."""
import unittest

import ablation
import carrying
import gate
import ingredients

NAMES = [name for name, _ in ingredients.INGREDIENTS]


def figures_of(changes):
    """The figures of the whole and without each ingredient; changes: {name: what each of ten figures loses}."""
    figures = {ingredients.WHOLE: {(f"set {i}", "f1"): 0.9 for i in range(10)}}
    for name in NAMES:
        lost = changes.get(name, [0.01] * 10)
        figures["without " + name] = {(f"set {i}", "f1"): 0.9 - lost[i] for i in range(10)}
    return figures


class CarryingTest(unittest.TestCase):
    def idle(self, **changes):
        lines, idle = carrying.report(figures_of(changes))
        self.assertEqual(len(lines), len(NAMES))
        return idle

    def test_ingredients_that_carry(self):
        self.assertEqual(self.idle(), [])
        self.assertEqual(self.idle(rounds=[0.01, 0.01, -0.01] + [0] * 7), [])

    def test_an_ingredient_that_moves_nothing(self):
        self.assertEqual(self.idle(rounds=[0.0019] * 10), ["rounds"])

    def test_an_ingredient_that_gains_as_often_as_it_loses(self):
        self.assertEqual(self.idle(rounds=[0.05, -0.002] + [0] * 8), ["rounds"])
        self.assertEqual(self.idle(rounds=[-0.01] * 10), ["rounds"])

    def test_one_that_has_a_reason(self):
        lines, idle = carrying.report(figures_of({"spot signatures": [0] * 10}))
        self.assertEqual(idle, [])
        self.assertIn("it stays", lines[NAMES.index("spot signatures")])

    def test_a_figure_is_the_greater_the_better(self):
        decided = [
            {"kind": "words", "label": str(gate.decided_pairs.DIFFERENT), "joined": "0.25"},
            {"kind": "dated", "label": str(gate.decided_pairs.SAME), "joined": "0.75"},
        ]
        self.assertEqual(set(carrying.figures_of_decisions(decided).values()), {0.75})
        row = ingredients.row_of(ablation.Ablation("x"), "en", "file", "first", precision=1, recall=0.5, f1=0.75)
        self.assertEqual(carrying.figures_of_rows([row]), {("en, file, first", "f1"): 0.75})

    def test_each_reason_is_of_an_ingredient(self):
        self.assertEqual(set(carrying.STAYS) - set(NAMES), set())


if __name__ == "__main__":
    unittest.main()
