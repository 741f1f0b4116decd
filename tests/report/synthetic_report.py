"""A report with invented data, written after docs/report_format.md: as many groups as a test wants, in seconds."""
import array
import base64
import json
import math
import pathlib
import random
import shutil
import sys

COLUMNS = (
    ("first", "I"),
    ("pages", "I"),
    ("host", "I"),
    ("saved", "f"),
    ("resemblance", "H"),
    ("margin", "H"),
    ("flags", "H"),
    ("rules", "H"),
    ("month", "H"),
    ("others", "H"),
)
GROUP_PART, PAGE_PART = 65536, 1024
HOSTS = 500


def column(code, numbers):
    packed = array.array(code, numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return base64.b64encode(packed.tobytes()).decode()


def write(template, folder, groups):
    """`template`: a report with --parts, whose page is taken. Groups of two pages; group N has the URLs .../N/0
    and .../N/1."""
    folder = pathlib.Path(folder)
    (folder / "data").mkdir(parents=True)
    for name in ("index.html", "report.js", "report.css"):
        shutil.copy(pathlib.Path(template) / name, folder / name)

    def part(name, data):
        text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
        (folder / "data" / (name + ".js")).write_text('ndcReport.part("%s",%s);\n' % (name, text), encoding="utf-8")

    rng = random.Random(28)
    pages = 2 * groups
    saved = [rng.randrange(1000, 1000000) for _ in range(groups)]
    resemblance = [rng.randrange(3000, 10000) for _ in range(groups)]
    for begin in range(0, groups, GROUP_PART):
        some = range(begin, min(groups, begin + GROUP_PART))
        numbers = {
            "first": [2 * i for i in some],
            "pages": [2] * len(some),
            "host": [i % HOSTS for i in some],
            "saved": [saved[i] for i in some],
            "resemblance": [resemblance[i] for i in some],
            "margin": [i % 3000 for i in some],
            "flags": [(i % 5 == 0) << 9 for i in some],
            "rules": [1] * len(some),
            "month": [600 + i % 60 for i in some],
            "others": [1] * len(some),
        }
        packed = {name: column(code, numbers[name]) for name, code in COLUMNS}
        packed["hosts"] = column("I", [(i + 1) % HOSTS for i in some])
        part("groups-%d" % (begin // GROUP_PART), packed)
    pair = '{"v":"near","p":0.9,"m":0.9,"w":1000,"d":["same_document",0.5,0.9]}'
    for begin in range(0, pages, PAGE_PART):
        some = range(begin, min(pages, begin + PAGE_PART))
        names = "\\n".join(
            "http://host-%d.example/archive/of/pages/%d/%d\\tTitle of the page %d"
            % (i // 2 % HOSTS, i // 2, i % 2, i // 2)
            for i in some
        )
        rows = ",".join(
            '["new",0,-1,-1,1600000000000,20000,9000,3,-1,-1,0,null]'
            if i % 2 == 0
            else '["near",0,%d,9000,1600000000000,%d,9000,0,0,-1,0,%s]' % (resemblance[i // 2], saved[i // 2], pair)
            for i in some
        )
        part("pages-%d" % (begin // PAGE_PART), '{"names":"%s","rows":%s}' % (names, json.dumps("[%s]" % rows)))
    part(
        "hosts",
        [
            ["host-%d.example" % i, pages // HOSTS, groups // HOSTS, 40000 * groups // HOSTS, 20000 * groups // HOSTS]
            for i in range(HOSTS)
        ],
    )
    part("review", [[2 * i, 2 * i + 1, i, 0] for i in range(min(groups, 500))])
    part(
        "meta",
        {
            "format": 1,
            "library": "0",
            "store": None,
            "inputs": ["invented"],
            "keep": "first",
            "pages": pages,
            "groups": groups,
            "singles": 0,
            "duplicates": groups,
            "sized": pages,
            "bytes": 40000 * groups,
            "bytes_saved": sum(saved),
            "page_rows": pages,
            "group_rows": pages,
            "near_miss_groups": groups,
            "page_part": PAGE_PART,
            "group_part": GROUP_PART,
            "group_parts": math.ceil(groups / GROUP_PART),
            "text_parts": 0,
            "texts_left_out": 0,
            "other_texts": 0,
            "damaged": 0,
            "left_out": 0,
            "without_url": 0,
            "months": [[600 + i, pages // 60, groups // 60, 0, 0] for i in range(60)],
            "rules": [["resemblance", groups]],
        },
    )
    return saved, resemblance
