#!/usr/bin/env python3
"""features_reader_test.py WRITER SAMPLE WORK: the reader that follows docs/features_format.md agrees with the library
on small pages and on pages of SAMPLE (a WARC with one gzip member a record); damage does not get past it."""
import gzip
import pathlib
import subprocess
import sys

import features_reader

SENTENCES = (
    "The council will rebuild the old lighthouse above the harbour before spring. Nobody knows yet who is going to pay "
    "for it. The harbour master says that the lamp can be repaired. The keeper, who has lived there for thirty years, "
    "wants to stay. A vote on the plan is expected at the end of the month. Visitors may climb the tower again in "
    "June. "
)
CHINESE = "市议会决定在春天之前重建港口上方的老灯塔。目前还没有人知道这笔钱由谁来出。港务长说灯还可以修好，看守人希望留下来。"
PAGES = {
    "empty": "",
    "titled": "<title>Ferry times</title><h1>Ferry</h1><nav>Home and news</nav><form>Search for it</form>"
    "<div class=navigation>Back to top</div><p><a href=/>All the ferries</a></p><p>The ferry leaves at noon.</p>",
    "one line": "<h1>Ferry</h1><p>The ferry leaves at noon and at six.</p>",
    "prose": f"<nav><a href=/>Home</a></nav><p>{SENTENCES}</p><p>{SENTENCES[::-1]}</p>",
    "many paragraphs": "".join(
        f"<p>{SENTENCES.replace('harbour', word)}</p>" for word in ("quay", "bay", "mole", "pier", "dock", "port")
    ),
    "chinese": f"<meta charset=utf-8><p>{CHINESE}</p><p>{CHINESE * 2}</p>",
}
OPTIONS = (
    (),
    ("x_fingerprint_sentences=2", "x_fingerprint_buckets=2"),
    ("x_relaxed=false",),
    ("keep_text=true", "x_relaxed_keys=3"),
    ("spotsigs=false",),
    ("x_spot_signatures=3", "x_spot_chain=1"),
    ("x_antecedents=harbour the",),
)
SAMPLE_PAGES = 8
METHODS = features_reader.METHODS[1:]


def sample_pages(path):
    """Of every 20th record the body, without the heads of WARC and HTTP."""
    records = gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]
    for record in records[::20][:SAMPLE_PAGES]:
        yield record.split(b"\r\n\r\n", 2)[2]


def check(writer, work, body, options, learned=0):
    body_file, features_file = work / "body.html", work / "features"
    body_file.write_bytes(body)
    url = "http://www.a.example/ferry"
    printed = subprocess.run(
        [writer, url, body_file, features_file, str(learned), *options], check=True, capture_output=True, text=True
    ).stdout
    data = features_file.read_bytes()
    features = features_reader.parse(data)
    expected = [f"key {key:016x}" for key in features.keys] + [
        f"part {part:016x}" for part in features_reader.parts_of(features)
    ]
    assert printed.split("\n")[:-1] == expected, "the library reads other keys or parts"
    if learned:
        assert features.on_site == [(learned, 0, learned)] + [(learned, learned - 1, 1)] * (len(features.on_site) - 1)
    assert features_reader.make_keys(features) == (
        features.fingerprints,
        features.shingles,
    ), "the keys do not follow from the record"
    assert features_reader.make_spots(features) == (
        features.spots,
        features.flags & 8 != 0,
    ), "the signatures do not follow from the record"
    assert ("spotsigs=false" in options) == (features.spot_parameters["enabled"] == 0)
    own_antecedents = any(option.startswith("x_antecedents=") for option in options)
    assert (features.spot_parameters["antecedents"] != 0) == own_antecedents
    assert features.url.decode() == url and features.site == b"a.example" and features.fetched_at_ms == 1700000000000
    assert features.body_size == len(body)
    assert features.width == sum(map(features_reader.width_of, features.symbols)) or any(
        features_reader.width_of(symbol) == 31 for symbol in features.symbols
    )
    assert features.content_width == features_reader.main_content(features) // 255
    assert len(features.title) <= features_reader.TITLE_SYMBOLS
    assert (features.flags & 4 != 0) == (not features.symbols)
    assert (features.text != b"") == ("keep_text=true" in options and bool(features.symbols))
    if features.text:
        assert features.text.count(b"\x1f") + 1 == len(features.symbols)
    return data, features


def check_descriptions(writer, work, body):
    plain, _ = check(writer, work, body, ())
    for method in METHODS:
        data, features = check(writer, work, body, ("detector=" + method,))
        assert plain[4] == data[4] == 1 and features.method == method
        assert features.description or not features.symbols, method + " finds nothing"
        if method in ("spotsigs", "i-match-s", "lsh-s"):
            assert features.description == features.spots, "the signatures are others"
        if method == "exact" and features.symbols:
            assert features.description == [
                features.digest & features_reader.MASK,
                features.digest >> 64,
            ], "the hash is another"
        check_damage(data)


def check_title_and_blocks(features):
    """Of the page "titled"."""
    ferry = features.symbols[0]
    assert len(features.title) == 2 and features.title[0] == ferry
    navigation, form = 1, 2
    assert [block[4:] for block in features.blocks] == [
        (1, 0),
        (0, navigation),
        (0, form),
        (0, 0),
        (0, 0),
        (0, 0),
    ], "blocks of other places"


def check_damage(data):
    for damaged in (data[:-1], data + b"\0", data[:100], data[:60] + bytes([data[60] ^ 1]) + data[61:]):
        try:
            features_reader.parse(damaged)
        except features_reader.FormatError:
            continue
        sys.exit("damage was not seen")


def main():
    writer, sample, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(exist_ok=True)
    fingerprints = shingles = spots = cut = 0
    for options in OPTIONS:
        for name, page in PAGES.items():
            data, features = check(writer, work, page.encode(), options)
            fingerprints += len(features.fingerprints)
            shingles += len(features.shingles)
            spots += len(features.spots)
            cut += features.flags & 8 != 0
            if name == "prose":
                check_damage(data)
            if name == "titled":
                check_title_and_blocks(features)
            for learned in (1, 2, 3, 9):
                check(writer, work, page.encode(), options, learned)
    for name in ("empty", "prose", "chinese"):
        check_descriptions(writer, work, PAGES[name].encode())
    for body in sample_pages(sample):
        _, features = check(writer, work, body, ())
        fingerprints += len(features.fingerprints)
        shingles += len(features.shingles)
        spots += len(features.spots)
    assert (
        fingerprints > 100 and shingles > 100 and spots > 100 and cut > 0
    ), "too few keys or signatures to have shown anything"
    print(f"{fingerprints} fingerprints and {shingles} shingle keys and {spots} signatures agree")


if __name__ == "__main__":
    main()
