"""Makes siblings of a text and fills templates, by exchanging words, names and numbers in any language; and makes the
changes of an editor.

Paragraphs are plain text. Chinese and Japanese have no spaces: there a word is two characters, or a run of katakana.
"""
import collections
import re

import invented_prose

WORD = re.compile(r"[^\W\d_]+")
UNSPACED_WORD = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}|[\u4e00-\u9fff]{2}")
LEAST_TERM_LETTERS = 4
LEAST_REPEATS = 3  # of a term in its text
LARGEST_SHARE = 0.25  # of the texts that may have the word too
COMMON_CHARACTERS = 20

ENTITY, NAME, NUMERAL, PLAIN = "entity", "name", "numeral", "plain"  # what a slot of a template takes


def is_unspaced(language):
    return language in invented_prose.UNSPACED


def word_pattern(language):
    return UNSPACED_WORD if is_unspaced(language) else WORD


def words_of(language, text):
    return [word.lower() for word in word_pattern(language).findall(text)]


def sentences_of(paragraph):
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", paragraph) if sentence]


def joined(language, parts):
    return ("" if is_unspaced(language) else " ").join(parts)


def rare_words(language, texts):
    """The words of these texts, {word: how often} each, that few of them have and that may name something."""
    texts_with = collections.Counter(word for counts in texts for word in counts)
    most = max(1, LARGEST_SHARE * len(texts))
    rare = {word for word, count in texts_with.items() if count <= most}
    if not is_unspaced(language):
        return {word for word in rare if len(word) >= LEAST_TERM_LETTERS}
    # Two characters side by side are seldom a word if one of them stands everywhere.
    characters = collections.Counter(
        character for counts in texts for word, count in counts.items() for character in word * count
    )
    everywhere = {character for character, _ in characters.most_common(COMMON_CHARACTERS)}
    return {word for word in rare if everywhere.isdisjoint(word)}


def subject_terms(counts, rare):
    """The words that a text, {word: how often}, is about, the most frequent first: it repeats them, and few
    others have them."""
    repeated = [word for word, count in counts.items() if count >= LEAST_REPEATS and word in rare]
    return sorted(repeated, key=lambda word: (-counts[word], word))


def as_written(pattern, word):
    """`word` in the case of what it replaces."""
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    return word.capitalize() if pattern[0].isupper() else word


def exchange(language, replacements, text):
    """The text with each word of {word: other word} replaced by the other, wherever it stands."""
    if not replacements:
        return text
    alternatives = "|".join(re.escape(word) for word in sorted(replacements, key=lambda word: (-len(word), word)))
    border = ("", "") if is_unspaced(language) else (r"(?<![^\W\d_])", r"(?![^\W\d_])")
    return re.sub(
        f"{border[0]}(?:{alternatives}){border[1]}",
        lambda found: as_written(found[0], replacements[found[0].lower()]),
        text,
        flags=re.IGNORECASE,
    )


def invented_name(rng, prose):
    """A name that no text has: the beginning of one word and the end of another."""
    if is_unspaced(prose.language):
        return "".join(prose.words(rng, 3))
    front, back = (rng.choice(prose.vocabulary) for _ in range(2))
    return (front[: max(2, len(front) // 2)] + back[len(back) // 2 :]).capitalize()


def numeral(rng):
    return rng.choice(
        (str(rng.randint(1, 99)), str(rng.randint(100, 9999)), f"{rng.randint(0, 99)}.{rng.randint(0, 9)}")
    )


def value(rng, prose, slot):
    if slot == NUMERAL:
        return numeral(rng)
    if slot == PLAIN:
        return joined(prose.language, prose.words(rng, 2 if is_unspaced(prose.language) else 1))
    return invented_name(rng, prose)


def template_of(rng, language, paragraphs, slots_of_sentence):
    """The paragraphs as lists of (text, slot or None); `slots_of_sentence(rng, words)` names the slots that a
    sentence takes."""
    template = []
    for paragraph in paragraphs:
        parts = []
        for sentence in sentences_of(paragraph):
            found = list(word_pattern(language).finditer(sentence))
            slots = slots_of_sentence(rng, len(found))[: len(found)]
            places = sorted(rng.sample(found, len(slots)), key=lambda place: place.start())
            end = 0
            for place, slot in zip(places, slots):
                parts += [(sentence[end : place.start()], None), ("", slot)]
                end = place.end()
            parts.append((sentence[end:] + joined(language, ("", "")), None))
        template.append(parts)
    return template


def fill(rng, prose, template, entity):
    """Every slot takes a value of its own, but ENTITY the same throughout."""
    return [
        "".join(
            text if slot is None else entity if slot == ENTITY else value(rng, prose, slot) for text, slot in parts
        ).strip()
        for parts in template
    ]


def reworded(rng, prose, paragraphs, rate):
    """Words replaced, dropped and added at this rate, and now and then a sentence written anew."""

    def changed(found):
        if rng.random() >= rate:
            return found[0]
        other = value(rng, prose, PLAIN)
        return rng.choice((other, other, "", joined(prose.language, (found[0], other))))

    out = []
    for paragraph in paragraphs:
        sentences = [word_pattern(prose.language).sub(changed, sentence) for sentence in sentences_of(paragraph)]
        if len(sentences) > 1 and rng.random() < 0.2:
            sentences[rng.randrange(len(sentences))] = prose.sentence(rng).strip()
        out.append(joined(prose.language, sentences))
    return out


def with_mark(rng, language, paragraph, mark):
    """The mark, as a version or a product's name, in front of some word of the paragraph."""
    place = rng.choice(list(word_pattern(language).finditer(paragraph)) or [re.match("", paragraph)]).start()
    return paragraph[:place] + joined(language, (mark, "")) + paragraph[place:]


def with_typing_errors(rng, language, paragraphs, count):
    """Two neighbouring letters exchanged, in so many words."""
    out = list(paragraphs)
    for _ in range(count):
        at = rng.randrange(len(out))
        found = list(word_pattern(language).finditer(out[at]))
        if not found:
            continue
        begin = rng.choice(found).start()
        out[at] = out[at][:begin] + out[at][begin : begin + 2][::-1] + out[at][begin + 2 :]
    return out
