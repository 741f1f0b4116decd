"""Invented pages and texts that several tests share, so that all of them know what is near what."""

import random

STORY = (
    "<p>The council will rebuild the lighthouse in spring. The keeper's house becomes a museum of the coast, and the "
    "lamp, which was lit for the first time in 1871, will burn again on its birthday.</p>"
)
NEWS = "<h1>Local news</h1>" + STORY
FERRY = (
    "<p>The ferry leaves at noon and at six; dogs travel free on weekdays, and nobody has ever asked what the captain "
    "thinks of it.</p>"
)

_WORDS = [
    first + last
    for first in "bar del fen gor hul jam kes lor mun nat pol ril sam tov ved wix".split()
    for last in "a en is ot um ay".split()
]


def text(seed, words=120):
    """Invented prose, the same for a seed."""
    source = random.Random(seed)
    out = []
    while len(out) < words:
        sentence = [source.choice(_WORDS) for _ in range(source.randint(6, 14))]
        out += [sentence[0].capitalize(), *sentence[1:-1], sentence[-1] + "."]
    return " ".join(out)


def edited(seed, words=120):
    """The same with another ending."""
    return text(seed, words) + " It was changed on Monday."
