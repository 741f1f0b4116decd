#!/usr/bin/env python3
"""check_icu_data.py STOCK PACKAGE PORTABLE: fails unless a library with trimmed ICU data answers as one with all of it.
check_icu_data.py STOCK PACKAGE --pieces DIRECTORY: fails unless each piece of trimmed data that is left out shows.

STOCK is the libndc.so of a plain build, which takes ICU from the machine; PACKAGE the directory of the Python package
`ndc`; DIRECTORY what scripts/portable-natives makes of ICU's data. Asked are, in a process of its own for each library:
every sequence of one and of two bytes in each charset of the encoding standard, and the longer ones of those that have
them; words of each script with a dictionary; all of Unicode that is assigned. An answer is the text, and the features,
which hold the words. For the pieces, every sixty-seventh question and all words.
"""
import concurrent.futures
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHARSETS = (
    "ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 "
    "iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 "
    "windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gb18030 "
    "big5 euc-jp iso-2022-jp shift_jis euc-kr utf-8 utf-16be utf-16le"
).split()
# Of a charset whose converter is missing no page can be read, so that one page in so many shows it. A prime number:
# there are 257 of each.
SAMPLED = 67
# The first article of the Universal Declaration of Human Rights.
SENTENCES = {
    "thai": (
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม "
        "และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ"
    ),
    "lao": (
        "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ ທຸກໆຄົນມີເຫດຜົນ ແລະ "
        "ຄວາມຄິດຄວາມເຫັນສ່ວນຕົວຂອງໃຜຂອງມັນ"
    ),
    "khmer": (
        "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ "
        "មនុស្សមានវិចារណញ្ញាណនិងសតិសម្បជញ្ញៈជាប់ពីកំណើត"
    ),
    "burmese": (
        "လူတိုင်းသည် တူညီလွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် လည်းကောင်း၊ "
        "မွေးဖွားလာသူများ ဖြစ်သည်"
    ),
    "chinese": "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。人人生而自由,在尊嚴和權利上一律平等。",
    "japanese": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、ｶﾀｶﾅモ。",
    "korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며",
}
# A label is believed only if the bytes look like its charset: hardly any malformed, most of them usual characters.
USUAL = {
    "gb18030": "人人生而自由在尊严和权利上一律平等他们赋有理性和良心并应以兄弟关系的精神相对待",
    "big5": "人人生而自由在尊嚴和權利上一律平等他們賦有理性和良心並應以兄弟關係的精神相對待",
    "shift_jis": "すべての人間は生まれながらにして自由でありかつ尊厳と権利とについて平等である",
    "euc-jp": "すべての人間は生まれながらにして自由でありかつ尊厳と権利とについて平等である",
    "euc-kr": "모든인간은태어날때부터자유로우며그존엄과권리에있어동등하다인간은이성과양심을부여받았으며",
}
USUAL_PER_SEQUENCE = 60
READ_AS = "charsets"
# Where characters are assigned: the planes of texts, signs and Chinese characters, and that of tags.
CODE_POINTS = [*range(0x80, 0xD800), *range(0xE000, 0x34000), *range(0xE0000, 0xE0200)]


def page(sequences, around=(b"", b""), charset=None):
    """A page with a paragraph for each sequence, and usual text of the charset."""
    paragraphs = [b"<p>" + around[0] + sequence + around[1] + b" text</p>" for sequence in sequences]
    if charset in USUAL:
        usual = USUAL[charset]
        paragraphs += [b"<p>" + usual.encode(charset) + b"</p>"] * (
            len(paragraphs) * USUAL_PER_SEQUENCE // len(usual) + 1
        )
    return b"<html><body>" + b"\n".join(paragraphs)


def byte_pages():
    """Name, charset and page of each question about bytes."""
    one = [bytes([first]) for first in range(256)]
    for charset in CHARSETS:
        yield f"{charset}, one byte", charset, page(one, charset=charset)
        for first in one:
            yield f"{charset}, two bytes, {first.hex()}", charset, page(
                [first + second for second in one], charset=charset
            )
    for first in one[0xA1:0xFF]:
        yield f"euc-jp, three bytes, {first.hex()}", "euc-jp", page(
            [b"\x8f" + first + second for second in one[0xA1:0xFF]], charset="euc-jp"
        )
    for escape in (b"\x1b$B", b"\x1b$@", b"\x1b(J", b"\x1b(I"):
        for first in one[0x21:0x7F]:
            pairs = [first + second for second in one[0x21:0x7F]]
            yield f"iso-2022-jp, {escape[1:].decode()}, {first.hex()}", "iso-2022-jp", page(pairs, (escape, b"\x1b(B"))
    digits = range(0x30, 0x3A)
    for first in range(0x81, 0xFF):
        for second in digits:
            last = [bytes([first, second, third, fourth]) for third in range(0x81, 0xFF) for fourth in digits]
            yield f"gb18030, four bytes, {first:02x}{second:02x}", "gb18030", page(last, charset="gb18030")


def word_pages():
    for script, sentence in SENTENCES.items():
        yield script, "utf-8", page([sentence.encode(), *(part.encode() for part in sentence.split())])
        # Compatibility forms, which a dictionary does not have as they stand.
        yield f"{script}, marked", "utf-8", page(
            ["\u0301".join(sentence[i : i + 5] for i in range(0, len(sentence), 5)).encode()]
        )


def unicode_pages():
    for start in range(0, len(CODE_POINTS), 128):
        part = [chr(code_point).encode() for code_point in CODE_POINTS[start : start + 128]]
        name = f"U+{CODE_POINTS[start]:04X} and on"
        yield name, "utf-8", page([c + b"a" + c + b" " + c + "\u4e00".encode() + c for c in part])


def answer(step):
    """Writes a line for each question, or for one in so many: its name, a tab, a digest of the answer."""
    import ndc_dedup as ndc

    questions = itertools.chain(
        itertools.islice(byte_pages(), 0, None, step), word_pages(), itertools.islice(unicode_pages(), 0, None, step)
    )
    read_as = set()
    for name, charset, body in questions:
        content_type = f"text/html; charset={charset}"
        try:
            seen = ndc.extract(body, content_type)
            read_as.add(seen["charset"])
            found = repr(seen).encode() + bytes(ndc.Features.compute(None, body, content_type))
        except ndc.NdcError as failure:  # an answer too, to be compared with the other's
            found = repr(failure).encode()
        print(name, hashlib.sha256(found).hexdigest(), sep="\t")
    print(READ_AS, " ".join(sorted(read_as)), sep="\t")


def answers(library, package, step=1, libraries=None):
    """By name; with a directory of shared libraries, those in it come before the machine's. A library that ends the
    process has no more."""
    environment = {**os.environ, "NDC_LIBRARY": str(library), "PYTHONPATH": str(package)}
    if libraries:
        environment["LD_LIBRARY_PATH"] = str(libraries)
    command = [sys.executable, "-B", __file__, "--answer", str(step)]
    run = subprocess.run(command, env=environment, check=not libraries, capture_output=True, text=True)
    return dict(line.split("\t") for line in run.stdout.splitlines())


def differences(expected, found):
    return [name for name, digest in expected.items() if found.get(name) != digest]


def pieces_of(directory):
    lines = (directory / "pieces.txt").read_text(encoding="ascii").splitlines()
    return [line for line in lines if line]


def tool(name):
    """Of icu-devtools, whose programs are for administrators."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin") or sys.exit(
        f"check_icu_data: install {name} (icu-devtools)"
    )


def data_library(directory, pieces, target):
    """A libicudata.so of these pieces, under the name by which the machine's is loaded."""
    data = target / next(directory.glob("*.dat")).name
    (target / "pieces.txt").write_text("".join(f"{piece}\n" for piece in pieces), encoding="ascii")
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(
        [tool("icupkg"), "-s", directory / "pieces", "-a", target / "pieces.txt", "--ignore-deps", "new", data], **quiet
    )
    version = data.stem[5:-1]
    subprocess.run([tool("genccode"), "-a", "gcc", "-e", f"icudt{version}", "-d", target, data], **quiet)
    (assembly,) = target.glob("*.S")
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-nostdlib",
            f"-Wl,-soname,libicudata.so.{version}",
            "-o",
            target / f"libicudata.so.{version}",
            assembly,
        ],
        check=True,
    )


def idle(stock, package, directory, expected, left_out):
    """Whether the library answers as ever without one of the pieces."""
    with tempfile.TemporaryDirectory() as name:
        data_library(directory, [piece for piece in pieces_of(directory) if piece != left_out], Path(name))
        differ = differences(expected, answers(stock, package, SAMPLED, name))
    print(
        f"{left_out}: {len(differ)} of {len(expected)} answers differ without it"
        + (f", first {differ[0]}" if differ else ""),
        flush=True,
    )
    return not differ


def main(arguments):
    if arguments[:1] == ["--answer"]:
        answer(int(arguments[1]))
        return 0
    if len(arguments) == 3 or (len(arguments) == 4 and arguments[2] == "--pieces"):
        stock, package, last = (Path(arguments[i]).resolve() for i in (0, 1, -1))
    else:
        sys.exit(__doc__)
    if len(arguments) == 4:
        expected = answers(stock, package, SAMPLED)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            found = threads.map(lambda piece: idle(stock, package, last, expected, piece), pieces_of(last))
            return 1 if any(list(found)) else 0
    expected = answers(stock, package)
    unread = set(CHARSETS) - set(expected[READ_AS].split())
    if unread:
        print(f"no page was read as {', '.join(sorted(unread))}: the questions do not reach their converters")
        return 1
    differ = differences(expected, answers(last, package))
    print(f"{len(differ)} of {len(expected)} answers differ", *differ[:10], sep="\n")
    return 1 if differ or not expected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
