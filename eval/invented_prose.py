"""Text that reads like a language and says nothing: a chain of words (Chinese and Japanese: characters) learned
from free pages."""
import collections
import re

TOKENS = {
    "en": re.compile(r"[a-z][a-z'-]*", re.I),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
    "ja": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"),
}
WORDS = re.compile(r"[^\W\d_]+")  # of any other language
UNSPACED = ("zh", "ja")


class InventedProse:
    """Deterministic for a given random.Random. Two calls of some length never give the same text twice
    but by chance."""

    def __init__(self, language, paragraphs):
        self.language = language
        self.followers = collections.defaultdict(list)
        words = [word for paragraph in paragraphs for word in TOKENS.get(language, WORDS).findall(paragraph)]
        for word, follower in zip(words, words[1:]):
            self.followers[word.lower()].append(follower.lower())
        self.vocabulary = sorted(self.followers)

    def words(self, rng, count):
        word, out = rng.choice(self.vocabulary), []
        for _ in range(count):
            out.append(word)
            # A step aside now and then, so that no run of the sample comes back whole.
            followers = self.followers.get(word)
            word = rng.choice(followers) if followers and rng.random() < 0.8 else rng.choice(self.vocabulary)
        return out

    def phrase(self, rng, least, most):
        words = self.words(rng, rng.randint(least, most))
        return "".join(words) if self.language in UNSPACED else " ".join(words).capitalize()

    def label(self, rng):
        """A menu entry."""
        return self.phrase(rng, 2, 5) if self.language in UNSPACED else self.phrase(rng, 1, 3)

    def sentence(self, rng):
        if self.language in UNSPACED:
            return self.phrase(rng, 6, 16) + "，" + self.phrase(rng, 5, 14) + "。"
        return self.phrase(rng, 8, 22) + ". "

    def paragraph(self, rng, least_sentences=2, most_sentences=5):
        return "".join(self.sentence(rng) for _ in range(rng.randint(least_sentences, most_sentences))).strip()
