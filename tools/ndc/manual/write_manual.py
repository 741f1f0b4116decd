#!/usr/bin/env python3
"""write_manual.py NDC [--check]: writes what is made of the program's own help and of the library's table of options:

  tools/ndc/manual/ndc.1, ndc-COMMAND.1   the man pages
  tools/ndc/manual/ndc.bash               completion for bash
  docs/options.md                         the reference of the options

They are in git, so that a build needs no Python. --check: writes nothing, and fails if one of them is not
what it would be.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
MANUAL = pathlib.Path(__file__).resolve().parent

# The first option of each section of the reference.
SECTIONS = {
    "page_bytes_limit": "Reading a page",
    "detector": "What is a near-duplicate",
    "memory_budget_bytes": "Memory and time",
    "durability": "Stores",
}

ABOUT_OPTIONS = """# Options

<!-- Made by tools/ndc/manual/write_manual.py from the library's own table; a test compares. -->

The options of the library, as `ndc options` lists them. They are set

- on the command line by `--option KEY=VALUE`, which may be repeated;
- in C by `nd_options_set(options, "KEY", "VALUE")`, before `nd_open()`;
- in Java by a `Map<String, String>`, in Python by keyword arguments, in the plugins by the properties that their
  references name.

A key or value that does not exist is an error. *Needs*: without these an option has no effect, and setting it is an
error if a store would record it, else a warning; `store` is an engine that is not in memory. *Acts on*: a call or a
command without an engine, such as `nd_features_decide` or `ndc pairs`, refuses an option that acts on nothing it works
with (`nd_option_info` in ndcapi.h); engines take all. *Recorded*: a store keeps
the value with which it was made, and refuses to be opened with another one ([guide-store.md](guide-store.md)). Names in
capitals in parentheses are sources ([sources.md](sources.md)).
"""
ABOUT_EXPERIMENTAL = """
## Experimental options

For measurements and tests, as `ndc options --experimental` lists them: any release may change or drop one.
"""

# What no command's help says.
ABOUT_NDC = """.PP
.B ndc
reads web archives (WARC, ARC, WACZ, WET), JSON lines and folders of pages, and says which pages are near-duplicates of
each other. A page joins a group only if its text was compared with the group's representative. What a site repeats on
all of its pages is learned and not counted.
.PP
Each command has a page of its own:
.BR ndc\\-dedup (1)
is where to begin.
"""
EXIT_STATUS = "0: done. 1: error. 2: wrong usage."
SKIPPED_STATUS = " 3: done, but damaged records were skipped."


class Help:
    """The help of a command, in its parts."""

    def __init__(self, text):
        blocks = text.rstrip("\n").split("\n\n")
        summary, _, usage = blocks[0].rpartition("\nUsage: ")
        self.summary, self.usage = summary.strip(), usage.strip()
        self.positionals, self.options, self.subcommands, self.notes, self.exit_codes, self.examples = (
            [],
            [],
            [],
            [],
            "",
            [],
        )
        for block in blocks[1:]:
            title, _, body = block.partition("\n")
            if title == "Positionals:":
                self.positionals = entries(body)
            elif title in ("Options:", "Subcommands:"):
                (self.options if title == "Options:" else self.subcommands).extend(entries(body))
            elif title in ("Example:", "Examples:"):
                self.examples = [line.strip() for line in body.splitlines()]
            else:
                paragraph = " ".join(line.strip() for line in block.splitlines())
                before, found, codes = paragraph.partition("Exit codes: ")
                self.exit_codes = codes or self.exit_codes
                if before.strip() and not before.startswith("`ndc help"):
                    self.notes.append(before.strip() if found else paragraph)


def entries(body):
    """(what is written, what it means) of each line of a list, which may go on in the next one."""
    found = []
    for line in body.splitlines():
        match = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
        if match and not line.startswith(" " * 20):
            found.append([match[1], match[2] or ""])
        else:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def with_code(text):
    """Text in which `code` is bold."""
    return "".join(f"\\fB{roff(part)}\\fR" if number % 2 else roff(part) for number, part in enumerate(text.split("`")))


def option_names(written):
    return [name for name in written.split()[0].split(",") if name.startswith("-")]


def option_value(written):
    """(value, default) of an option as its help writes it: "--format tsv|jsonl=tsv", "--pages N:UINT in [0 - 9]=0"."""
    text = re.sub(r":(UINT in \[.*?\]|\{.*?\})", "", " ".join(written.split()[1:]).removesuffix(" ..."))
    value, _, default = text.partition("=")
    if value == "KEY":  # --option KEY=VALUE has no default
        return "KEY=VALUE", ""
    return value, default


def man_page(name, text, commands):
    title = "ndc" + (f"-{name}" if name else "")
    lower = text.summary[:1].lower() + text.summary[1:]
    page = [
        f'.\\" Made by tools/ndc/manual/write_manual.py from `ndc help{" " + name if name else ""}`.',
        f'.TH {roff(title).upper()} 1 "" ndc "User Commands"',
        ".SH NAME",
        f"{roff(title)} \\- {with_code(lower.rstrip('.'))}",
        ".SH SYNOPSIS",
        f"\\fB{roff(' '.join(text.usage.split()[:2 if name else 1]))}\\fR "
        + roff(" ".join(text.usage.split()[2 if name else 1 :])),
    ]
    page += (
        [".SH DESCRIPTION", with_code(text.summary.rstrip(".") + ".")]
        if name
        else [".SH DESCRIPTION", ABOUT_NDC.rstrip("\n")]
    )
    for note in text.notes:
        page += [".PP", with_code(note)]
    if text.subcommands:
        page.append(".SH COMMANDS")
        for command, meaning in text.subcommands:
            page += [".TP", f"\\fB{roff(command)}\\fR", with_code(meaning)]
    if text.positionals:
        page.append(".SH ARGUMENTS")
        for written, meaning in text.positionals:
            page += [".TP", f"\\fI{roff(written.replace(' REQUIRED', ''))}\\fR", with_code(meaning)]
    if text.options:
        page.append(".SH OPTIONS")
        for written, meaning in text.options:
            value, default = option_value(written)
            head = ", ".join(f"\\fB{roff(option)}\\fR" for option in option_names(written))
            page += [
                ".TP",
                head + (f" \\fI{roff(value)}\\fR" if value else ""),
                with_code(meaning) + (f" (default: {roff(default)})" if default else ""),
            ]
    page += [".SH EXIT STATUS", with_code(text.exit_codes) or EXIT_STATUS + ("" if name else SKIPPED_STATUS)]
    if text.examples:
        page += [".SH EXAMPLES", ".nf", *(roff(line) for line in text.examples), ".fi"]
    others = [f".BR ndc\\-{roff(other)} (1)" for other in commands if other != name] if not name else [".BR ndc (1)"]
    page += [".SH SEE ALSO", ",\n".join(others)]
    return "\n".join(page) + "\n"


def completion(helps, options):
    detectors = next(option["range"] for option in options if option["key"] == "detector").replace("|", " ")
    commands = " ".join(name for name in helps if name)
    lines = [
        "# Completion of ndc for bash, made by tools/ndc/manual/write_manual.py from the program's help.",
        "",
        "_ndc() {",
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} "
        "words=",
        "  COMPREPLY=()",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f"    words='{commands} --help --version'",
        "  else",
        "    case $command,$previous in",
        f"      help,*) words='{commands}' ;;",
    ]
    for name, text in helps.items():
        for written, _ in text.options if name else []:
            value, _ = option_value(written)
            if "|" in value:
                places = "|".join(f"{name},{option}" for option in option_names(written))
                lines.append(f"      {places}) words='" + value.replace("|", " ") + "' ;;")
    keys = " ".join(option["key"] + "=" for option in options)
    lines += [
        f"      *,--detector) words='{detectors}' ;;",
        "      *,--option)",
        "        # A value follows its key at once.",
        "        compopt -o nospace 2>/dev/null",
        f"        words='{keys}' ;;",
        "      *)",
        "        [[ $current == -* ]] || return 0",
        "        case $command in",
    ]
    for name, text in helps.items():
        if name:
            every = " ".join(
                option for written, _ in text.options for option in option_names(written) if option.startswith("--")
            )
            lines.append(f"          {name}) words='{every}' ;;")
    lines += [
        "        esac ;;",
        "    esac",
        "  fi",
        '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
        "}",
        "",
        "# Files where nothing else fits.",
        "complete -o default -F _ndc ndc",
    ]
    return "\n".join(lines) + "\n"


OPTIONS_HEAD = [
    "",
    "| option | type | default | range | needs | acts on | recorded | meaning |",
    "|---|---|---|---|---|---|---|---|",
]


def option_line(option):
    def cell(text):
        return text.replace("|", "\\|")

    return "| `{}` | {} | {} | {} | {} | {} | {} | {} |".format(
        option["key"],
        option["type"],
        cell(option["default"]),
        cell(option["range"].replace("|", " | ")),
        cell(", ".join(f"`{condition}`" for condition in option["needs"].split())),
        option["acts_on"].replace(" ", ", "),
        "yes" if option["persistent"] else "no",
        cell(option["meaning"]),
    )


def option_reference(options, experimental):
    missing = SECTIONS.keys() - {option["key"] for option in options}
    if missing:
        sys.exit(f"write_manual.py: no option begins a section: {sorted(missing)}")
    lines = [ABOUT_OPTIONS.rstrip("\n")]
    for option in options:
        if option["key"] in SECTIONS:
            lines += ["", f"## {SECTIONS[option['key']]}", *OPTIONS_HEAD]
        lines.append(option_line(option))
    lines += [ABOUT_EXPERIMENTAL.rstrip("\n"), *OPTIONS_HEAD, *map(option_line, experimental)]
    return "\n".join(lines) + "\n"


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = arguments[0]

    def output_of(*words):
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout

    def help_of(*words):
        return Help(output_of("help", *words))

    top = help_of()
    commands = [name for name, _ in top.subcommands]
    helps = {"": top} | {name: help_of(name) for name in commands}
    options = json.loads(output_of("options", "--format", "json"))
    experimental = json.loads(output_of("options", "--experimental", "--format", "json"))
    files = {
        MANUAL / ("ndc" + (f"-{name}" if name else "") + ".1"): man_page(name, text, commands)
        for name, text in helps.items()
    }
    files[MANUAL / "ndc.bash"] = completion(helps, options)
    files[ROOT / "docs/options.md"] = option_reference(options, experimental)
    stale = [path for path in MANUAL.glob("*.1") if path not in files]
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
    if "--check" not in sys.argv:
        for path in stale:
            path.unlink(missing_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
        return
    if stale:
        sys.exit(
            "not what the program says: "
            + ", ".join(str(path.relative_to(ROOT)) for path in stale)
            + f"\nRun {pathlib.Path(__file__).relative_to(ROOT)} {program}"
        )


if __name__ == "__main__":
    main()
