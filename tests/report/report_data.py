"""The data of a report, read after docs/report_format.md, and an archive that teaches boilerplate."""
import array
import base64
import json
import pathlib
import re
import sys

from cli_test import article, html, response


def part(folder, name):
    """The data of a part, from a file of its own or from the page."""
    path = pathlib.Path(folder) / "data" / (name + ".js")
    if path.exists():
        text = path.read_text(encoding="utf-8")
        begin = 'ndcReport.part("%s",' % name
        assert text.startswith(begin) and text.endswith(");\n"), name
        return unpacked(json.loads(text[len(begin) : -3]))
    page = (pathlib.Path(folder) / "index.html").read_text(encoding="utf-8")
    found = re.search('<script type="application/json" id="part-%s">([^<]*)</script>' % name, page)
    return unpacked(json.loads(found[1]))


def unpacked(data):
    """The rows of a part of pages are a text of JSON."""
    if isinstance(data, dict) and isinstance(data.get("rows"), str):
        data["rows"] = json.loads(data["rows"])
    return data


def pieces_of(text, difference):
    """Of a difference: whose each piece is ("ab", "a" or "b"), its text, and whether it is boilerplate of the
    page's site."""
    pieces = []
    segments = iter(difference["s"])
    for kind in segments:
        if kind in (2, 3):
            pieces.append(("b", next(segments), kind == 3))
        else:
            begin, end = next(segments), next(segments)
            pieces.append(("a" if kind == 1 else "ab", text["t"][begin:end], kind == 4))
    return pieces


def column(folder, name, code):
    """The numbers of all groups."""
    numbers = array.array(code, base64.b64decode(part(folder, "groups-0")[name]))
    if sys.byteorder == "big":
        numbers.byteswap()
    return list(numbers)


def pages_of_groups(folder):
    """A list a group, of (URL, row)."""
    pages = part(folder, "pages-0")
    urls = [line.split("\t")[0] for line in pages["names"].split("\n")]
    first, size = column(folder, "first", "I"), column(folder, "pages", "I")
    return [list(zip(urls, pages["rows"], strict=True))[begin : begin + count] for begin, count in zip(first, size)]


class Sites:
    """One article on three hosts, of which two show by other pages what is their boilerplate."""

    frames = {
        "one": ("One's daily news", "Imprint of one"),
        "two": ("Two's weekly paper", "Contact of two"),
        "three": ("Three is quiet", "Nothing behind"),
    }

    @classmethod
    def page(cls, host, seed):
        head, foot = cls.frames[host]
        return response("http://%s.example/%d" % (host, seed), html([head, "", "", "", *article(seed), foot]))

    @classmethod
    def records(cls):
        return [
            *(cls.page(host, 1) for host in cls.frames),
            *(cls.page("one", seed) for seed in range(2, 12)),
            *(cls.page("two", seed) for seed in range(12, 22)),
        ]
