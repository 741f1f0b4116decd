"""The edits between an article and its copies. An article is a list of Paragraphs; each edit returns a new one."""
import dataclasses
import re

import sample_articles

ENGLISH_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


@dataclasses.dataclass(frozen=True)
class Paragraph:
    text: str
    kept: int  # width of the original's text that is still in it

    @staticmethod
    def original(text):
        return Paragraph(text, sample_articles.width(text))

    @staticmethod
    def foreign(text):
        return Paragraph(text, 0)


def resemblance(original, edited):
    """(r, c) of docs/decision.md, from what the edits say they kept; moved text counts."""
    before = sum(paragraph.kept for paragraph in original)
    after = sum(sample_articles.width(paragraph.text) for paragraph in edited)
    kept = min(sum(paragraph.kept for paragraph in edited), before, after)
    return kept / max(1, before + after - kept), kept / max(1, min(before, after))


def none(rng, paragraphs, prose):
    return list(paragraphs)


def add(rng, paragraphs, prose):
    out = list(paragraphs)
    for _ in range(rng.randint(1, max(2, len(paragraphs) // 2))):
        out.insert(rng.randrange(len(out) + 1), Paragraph.foreign(prose.paragraph(rng)))
    return out


def delete(rng, paragraphs, prose):
    keep = max(2, round(len(paragraphs) * rng.uniform(0.4, 0.85)))
    return [paragraphs[i] for i in sorted(rng.sample(range(len(paragraphs)), min(keep, len(paragraphs))))]


def extras(rng, paragraphs, prose):
    """Readers' comments below the article, sometimes as long as it is."""
    room = sum(paragraph.kept for paragraph in paragraphs) * rng.uniform(0.2, 1.0)
    out = list(paragraphs)
    while room > 0:
        comment = prose.paragraph(rng, 1, 3)
        room -= sample_articles.width(comment)
        out.append(Paragraph.foreign(comment))
    return out


def reorder(rng, paragraphs, prose):
    if len(paragraphs) < 3:
        return list(paragraphs)[::-1]
    cuts = sorted(rng.sample(range(1, len(paragraphs)), min(rng.randint(1, 3), len(paragraphs) - 1)))
    pieces = [paragraphs[begin:end] for begin, end in zip([0] + cuts, cuts + [len(paragraphs)])]
    rng.shuffle(pieces)
    return [paragraph for piece in pieces for paragraph in piece]


def split(rng, paragraphs, prose):
    """Other borders: paragraphs cut between sentences, or joined."""
    out = []
    for paragraph in paragraphs:
        sentences = [s for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", paragraph.text) if s]
        if out and rng.random() < 0.3:
            out[-1] = Paragraph(out[-1].text + " " + paragraph.text, out[-1].kept + paragraph.kept)
        elif len(sentences) > 1:
            cut = rng.randrange(1, len(sentences))
            space = "" if prose.language == "zh" else " "
            front = space.join(sentences[:cut])
            share = round(paragraph.kept * len(front) / max(1, len(paragraph.text)))
            out += [Paragraph(front, share), Paragraph(space.join(sentences[cut:]), paragraph.kept - share)]
        else:
            out.append(paragraph)
    return out


def interrupt(rng, paragraphs, prose):
    """An advertisement or a link in the middle of paragraphs."""
    out = []
    for paragraph in paragraphs:
        middle = paragraph.text.find(" " if " " in paragraph.text else "，", len(paragraph.text) // 2)
        if rng.random() < 0.6 and middle > 0:
            share = paragraph.kept * middle // len(paragraph.text)
            out += [
                Paragraph(paragraph.text[: middle + 1], share),
                Paragraph.foreign(prose.phrase(rng, 4, 12)),
                Paragraph(paragraph.text[middle + 1 :], paragraph.kept - share),
            ]
        else:
            out.append(paragraph)
    return out


def words(rng, paragraphs, prose):
    """Words replaced, dropped and added, at a rate from hardly any to one in four."""
    rate = rng.choice((0.03, 0.06, 0.1, 0.16, 0.24))
    out = []
    for paragraph in paragraphs:
        lost, parts = 0, []
        for token in re.findall(r"[A-Za-z][A-Za-z'-]*|\s+|[^A-Za-z\s]", paragraph.text):
            is_word = ENGLISH_WORD.match(token) or "\u4e00" <= token <= "\u9fff"
            if not is_word or rng.random() >= rate:
                parts.append(token)
                continue
            chosen = rng.random()
            new = prose.words(rng, 1)[0]
            if chosen < 0.6:
                parts.append(new)
                lost += sample_articles.width(token)
            elif chosen < 0.8:
                lost += sample_articles.width(token)
            else:
                parts.append(token + (" " if prose.language == "en" else "") + new)
        out.append(Paragraph("".join(parts), max(0, paragraph.kept - lost)))
    return out


# By the kind of the page that results; `markup` changes the text not at all, only the tags in it.
EDITS = {
    "none": none,
    "markup": none,
    "add": add,
    "del": delete,
    "extras": extras,
    "reorder": reorder,
    "split": split,
    "midpara": interrupt,
    "words": words,
}
