#!/usr/bin/env python3
"""stage_documents.py ROOT WORK: copies the documents in git to WORK/docs, as MkDocs wants them, and writes
WORK/mkdocs.yml. The order of the pages is that of docs/README.md. A link to a header leads to its reference; any other
file that a document names comes along, as text.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"(\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?\)")
REFERENCES = {"include/ndcapi.h": "reference/c/ndcapi_8h.html"}
PICTURES = {".png", ".svg"}
INTERFACES = f"""# Interfaces

- [C](../{REFERENCES["include/ndcapi.h"]})
- [Java](java/index.html)
- [Python](python.md)
"""
HERE = pathlib.Path(__file__).resolve().parent


def outside_code(text, change):
    """The text with `change` applied to each line that is neither in a block of code nor indented as one."""
    inside = False
    for line in text.splitlines(keepends=True):
        fence = line.startswith("```")
        inside ^= fence
        yield line if inside or fence or line.startswith("    ") else change(line)


class Staging:
    def __init__(self, root, out):
        self.root, self.out = root.resolve(), out
        listed = subprocess.run(
            ["git", "ls-files", "*.md"], cwd=root, capture_output=True, text=True, check=True
        ).stdout
        self.documents = set(listed.split())

    def changed_link(self, document, match):
        text, target, anchor = match[1], match[2], match[3] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = (self.root / document).parent.joinpath(target).resolve()
        name = path.relative_to(self.root).as_posix()
        if name in self.documents:
            return match[0]
        up = "../" * document.count("/")
        if name in REFERENCES:
            return f"{text}{up}{REFERENCES[name]})"
        if path.suffix not in PICTURES:
            name += ".txt"
        copied = self.out / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)
        return f"{text}{up}{name}{anchor})"

    def stage(self, document):
        def change(line):
            if line.startswith("|"):
                # Markdown of GitHub takes a bar in code as the end of a cell; MkDocs does not.
                line = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
            return LINK.sub(lambda match: self.changed_link(document, match), line)

        copied = self.out / document
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(
            "".join(outside_code((self.root / document).read_text(encoding="utf-8"), change)), encoding="utf-8"
        )

    def title(self, document):
        found = re.search(r"^# (.*)$", (self.root / document).read_text(encoding="utf-8"), re.MULTILINE)
        return re.sub(r"[`*]", "", found[1]) if found else document

    def navigation(self):
        """The sections of docs/README.md, each with the documents that it names."""
        yield {"Start": ["README.md", "docs/README.md"]}
        seen = {"README.md", "docs/README.md"}
        sections = re.split(r"^## ", (self.root / "docs/README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        for section in sections:
            heading, _, body = section.partition("\n")
            named = [
                (self.root / "docs" / match[2]).resolve().relative_to(self.root).as_posix()
                for match in LINK.finditer(body)
            ]
            pages = [name for name in dict.fromkeys(named) if name in self.documents - seen]
            seen.update(pages)
            entries = [{self.title(name): name} for name in pages]
            if heading.startswith("Reference"):
                entries[:0] = [{"C, Java, Python": "reference/README.md"}, {"Python": "reference/python.md"}]
            yield {heading.partition(":")[0]: entries}
        others = sorted(self.documents - seen)
        yield {"More": [{self.title(name): name} for name in others]}


def main():
    root, work = map(pathlib.Path, sys.argv[1:])
    staging = Staging(root, work / "docs")
    for document in staging.documents:
        staging.stage(document)
    (work / "docs/reference/README.md").write_text(INTERFACES, encoding="utf-8")
    shutil.copy(HERE / "offline.js", work / "docs/offline.js")
    shutil.copy(HERE / "site.css", work / "docs/site.css")
    settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("THEME", str(HERE / "theme"))
    # JSON is YAML.
    (work / "mkdocs.yml").write_text(
        f"{settings}nav: {json.dumps(list(staging.navigation()), ensure_ascii=False)}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
