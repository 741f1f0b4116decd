"""Invented texts of 30 to 500 words, a fifth of them changed copies of earlier ones; the same each time."""
import random


def generated_texts(count):
    source = random.Random(1)
    words = ["".join(source.choices("abcdefghijklmnoprstuvw", k=source.randint(2, 9))) for _ in range(20_000)]
    words += "the of and to in a is that it was for on with as by at from this".split() * 600
    made = []
    for number in range(count):
        if made and source.random() < 0.2:
            copy = source.choice(made[-5000:]).split(" ")
            for _ in range(max(1, len(copy) // 30)):
                copy[source.randrange(len(copy))] = source.choice(words)
            made.append(" ".join(copy))
            continue
        sentences = []
        length = source.randint(30, 500)
        while length > 0:
            size = source.randint(5, 20)
            sentences.append(" ".join(source.choices(words, k=size)).capitalize() + ".")
            length -= size
        made.append(" ".join(sentences))
    return made
