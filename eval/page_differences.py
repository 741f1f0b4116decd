#!/usr/bin/env python3
"""page_differences.py W.warc.gz URL_A URL_B: what two archived pages say differently, for a reader who
is to judge them.

Prints sizes and titles, the longest hunks with the words before them ([-only in A-] [+only in B+]), and the longest
runs they share. All visible text counts, navigation included: nothing here knows what ndc thinks of it.
"""
import argparse
import difflib
import html
import pathlib
import re
import zlib

SHORT_RUN = 2  # tokens in common that do not part two hunks
HUNKS = 9
HUNK_CHARACTERS = 160
SHARED_RUNS = 2
WORDS_BEFORE = 4
BLOCKS = "p|div|h[1-6]|li|tr|td|th|br|dt|dd|pre|ul|ol|table|title"
CHUNK = 1 << 16


def records(path):
    """(head, block) of each record of a WARC file with one gzip member a record."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        inflate, parts = zlib.decompressobj(31), []
        while not inflate.eof:
            if at >= len(data):
                raise ValueError(f"{path}: the last gzip member is cut")
            piece = data[at : at + CHUNK]
            parts.append(inflate.decompress(piece))
            at += len(piece) - len(inflate.unused_data)
        head, rest = b"".join(parts).split(b"\r\n\r\n", 1)
        head = head.decode("utf-8", "replace")
        yield head, rest[: int(re.search(r"^Content-Length: *(\d+)", head, re.M | re.I)[1])]


def archived_bodies(paths, urls):
    """{url: (charset of the HTTP head or None, body)} of the first response for each URL that is there."""
    wanted, found = set(urls), {}
    for path in paths:
        for head, block in records(path):
            target = re.search(r"^WARC-Target-URI: *<?(\S+?)>?\s*$", head, re.M | re.I)
            if not target or target[1] not in wanted or target[1] in found or b"\r\n\r\n" not in block:
                continue
            http, body = block.split(b"\r\n\r\n", 1)
            charset = re.search(rb"^Content-Type:[^\r\n]*charset=\"?([\w-]+)", http, re.M | re.I)
            found[target[1]] = (charset[1].decode() if charset else None, body)
    return found


def decoded(body, charset=None):
    meta = re.search(rb"charset=[\"']?([\w-]+)", body[:2000])
    for name in (charset, meta[1].decode() if meta else None):
        try:
            return body.decode(name, "replace") if name else body.decode("utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("utf-8", "replace")


def visible_text(markup):
    text = re.sub(r"(?is)<!--.*?-->|<(script|style|noscript)\b.*?</\1\s*>", " ", markup)
    text = re.sub(rf"(?i)</?({BLOCKS})\b[^>]*>", "\n", text)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def title_of(markup):
    match = re.search(r"(?is)<title[^>]*>(.*?)</title>", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", match[1])).split()) if match else ""


def tokens(text):
    """Words, Han characters and kana one by one, and punctuation."""
    return re.findall(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+|[^\w\s]", text)


def hunks_and_runs(a, b):
    """([(begin and end in a, begin and end in b)], the same of what they share); hunks that hardly anything
    parts are one."""
    hunks, runs, open_hunk = [], [], False
    for kind, a_begin, a_end, b_begin, b_end in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal" and a_end - a_begin > SHORT_RUN:
            runs.append((a_begin, a_end, b_begin, b_end))
            open_hunk = False
        elif open_hunk:
            hunks[-1] = (hunks[-1][0], a_end, hunks[-1][2], b_end)
        else:
            hunks.append((a_begin, a_end, b_begin, b_end))
            open_hunk = True
    worded = [h for h in hunks if any(token[0].isalnum() for token in a[h[0] : h[1]] + b[h[2] : h[3]])]
    return worded, runs


def shortened(words, characters=HUNK_CHARACTERS):
    text = " ".join(words)
    return text if len(text) <= characters else f"{text[:characters * 2 // 3]} … {text[-characters // 3:]}"


def differences(markup_a, markup_b):
    a, b = (tokens(visible_text(markup)) for markup in (markup_a, markup_b))
    hunks, runs = hunks_and_runs(a, b)
    only_a, only_b = sum(h[1] - h[0] for h in hunks), sum(h[3] - h[2] for h in hunks)
    lines = [
        f"  A: {len(a)} tokens, {only_a} of them not in B: {title_of(markup_a)}",
        f"  B: {len(b)} tokens, {only_b} of them not in A: {title_of(markup_b)}",
    ]
    longest = sorted(hunks, key=lambda h: h[0] - h[1] + h[2] - h[3])[:HUNKS]
    for a_begin, a_end, b_begin, b_end in sorted(longest):
        before = " ".join(a[max(0, a_begin - WORDS_BEFORE) : a_begin])
        lines.append(f"  …{before} [-{shortened(a[a_begin:a_end])}-] [+{shortened(b[b_begin:b_end])}+]")
    if len(hunks) > HUNKS:
        lines.append(f"  and {len(hunks) - HUNKS} shorter hunks")
    for a_begin, a_end, _, _ in sorted(runs, key=lambda run: run[0] - run[1])[:SHARED_RUNS]:
        lines.append(f"  both: {shortened(a[a_begin:a_end])}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("urls", nargs=2)
    asked = parser.parse_args()
    bodies = archived_bodies([asked.archive], asked.urls)
    for url in asked.urls:
        if url not in bodies:
            parser.error(f"{url} is not in {asked.archive}")
    print(differences(*(decoded(bodies[url][1], bodies[url][0]) for url in asked.urls)))


if __name__ == "__main__":
    main()
