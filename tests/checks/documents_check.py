#!/usr/bin/env python3
"""documents_check.py ROOT: in the documents (*.md) each link to a file or a heading leads somewhere, each source file,
function and experimental option that they name exists, and docs/README.md names all of docs/."""
import os
import pathlib
import re
import sys

LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")
SKIPPED = {"build", ".git"}
CODE = re.compile(r"`([^`]+)`")
FOREIGN = {"putil.cpp", "nd_noun_verb"}  # of ICU; the pattern of names
OPTION = re.compile(r'"(x_\w+)", "')
# CHANGELOG.md tells of what is gone.
OF_THE_PAST = {"CHANGELOG.md"}


def prose(text):
    """(number, line) of what is neither code nor a table that a program writes."""
    code = generated = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
            continue
        generated = (generated or "<!-- generated" in line) and "<!-- end" not in line
        if not code and not generated and not line.startswith("    "):
            yield number, line


def anchors(text):
    """As GitHub makes them of headings."""
    found = dict.fromkeys(re.findall(r'<a id="([^"]+)">', text), 0)
    for _, line in prose(text):
        if re.match(r"#+ ", line):
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
            slug = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
            found[slug] = found.get(slug, -1) + 1
    return {slug if not number else f"{slug}-{number}" for slug, most in found.items() for number in range(most + 1)}


def documents_below(root):
    for folder, folders, names in os.walk(root):
        # Not entered at all: below build/ a Debian being made has /proc, whose files are gone before they are read.
        folders[:] = [name for name in folders if name not in SKIPPED]
        yield from (pathlib.Path(folder, name) for name in names if name.endswith(".md"))


def sources_below(root):
    """The paths of all sources, and their names without folders."""
    found = set()
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        found.update(pathlib.Path(folder, name).relative_to(root).as_posix() for name in names)
    return found, {path.rpartition("/")[2] for path in found}


class Names:
    """What the project has of the names that documents put between backticks."""

    def __init__(self, root):
        self.root = root
        self.paths, self.files = sources_below(root)
        self.folders = {path.partition("/")[0] for path in self.paths if "/" in path}
        # The plugins name fields of Nutch and Heritrix alike.
        sources = [path for folder in ("include", "archives") for path in (root / folder).glob("*.h")]
        sources += (root / "plugins").rglob("*.java")
        self.functions = {
            name for path in sources for name in re.findall(r"\bnd_\w+", path.read_text(encoding="utf-8"))
        }
        table = root / "src/options/option_table.cpp"
        self.options = set(OPTION.findall(table.read_text(encoding="utf-8") if table.exists() else ""))

    def faults(self, code):
        if re.fullmatch(r"[a-z][\w-]*(/[\w.-]+)+", code) and code.partition("/")[0] in self.folders:
            known = (code, f"{code}.cpp", f"{code}.hpp")
            if not any((self.root / path).exists() for path in known) and not re.search("[A-Z]{4}", code):
                yield f"no file {code}"
        elif re.fullmatch(r"\w+\.[ch]pp", code):
            if code not in self.files | FOREIGN and not re.search("[A-Z]{4}", code):
                yield f"no file {code}"
        elif match := re.fullmatch(r"(nd_\w+)(\(.*\))?", code):
            if match[1] not in self.functions | FOREIGN:
                yield f"no function {match[1]}"
        elif match := re.fullmatch(r"(x_\w+)(=.*)?", code):
            if match[1] not in self.options and not match[1].endswith("_"):
                yield f"no option {match[1]}"


def faults(root):
    names = Names(root)
    documents = sorted(documents_below(root))
    texts = {path: path.read_text(encoding="utf-8") for path in documents}
    for path, text in texts.items():
        name = path.relative_to(root)
        for number, line in prose(text):
            if path.name not in OF_THE_PAST and name.parts[0] != "plugins":  # they name files of other projects
                for code in CODE.findall(line):
                    yield from (f"{name}:{number}: {fault}" for fault in names.faults(code))
            for target in LINK.findall(line):
                file, _, anchor = target.partition("#")
                if re.match(r"[a-z]+:", target):
                    continue
                other = (path.parent / file).resolve() if file else path
                if not other.exists():
                    yield f"{name}:{number}: no file {file}"
                elif anchor and other in texts and anchor not in anchors(texts[other]):
                    yield f"{name}:{number}: no heading #{anchor} in {other.relative_to(root)}"
    named = set(LINK.findall(texts[root / "docs/README.md"]))
    yield from (
        f"docs/README.md does not name {path.name}"
        for path in documents
        if path.parent == root / "docs" and path.name != "README.md" and path.name not in named
    )


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve()))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
