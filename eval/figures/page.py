"""The page: HTML of what the sections found. All text that comes in is plain; this file alone escapes it."""
import dataclasses
import html


LONG_WORD = 30
LONGEST_ADDRESS = 2000  # letters, of a link


@dataclasses.dataclass
class Picture:
    """A figure under OUT/figures: NAME.svg on the page, NAME.png beside it."""

    name: str
    alt: str
    across: bool = False  # above its texts, not beside them


@dataclasses.dataclass
class Link:
    """A cell that leads to a page of the collection."""

    address: str
    text: str

    def __str__(self):
        return self.text


@dataclasses.dataclass
class Grid:
    """A table of text cells; `emphasised` are the numbers of rows."""

    caption: str
    header: list
    rows: list
    emphasised: set = dataclasses.field(default_factory=set)
    folded: bool = False
    wide: bool = False  # stands below figure and texts, not under the figure


@dataclasses.dataclass
class Part:
    """One figure with its three texts and its tables."""

    title: str
    picture: Picture | None = None
    reported: list = dataclasses.field(default_factory=list)
    measured: list = dataclasses.field(default_factory=list)
    difference: list = dataclasses.field(default_factory=list)
    grids: list = dataclasses.field(default_factory=list)
    note: str = ""  # how to read the figure


@dataclasses.dataclass
class Section:
    anchor: str
    title: str
    about: str
    parts: list = dataclasses.field(default_factory=list)
    absent: list = dataclasses.field(default_factory=list)  # sentences


STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #222; font: 15px/1.5 "DejaVu Sans", Verdana, Arial, sans-serif; }
main, header, footer { max-width: 1200px; margin: 0 auto; padding: 0 18px; }
header { padding-top: 22px; }
h1 { font-size: 25px; margin: 0 0 6px; }
h2 { font-size: 20px; margin: 44px 0 6px; padding-top: 12px; border-top: 2px solid #0072B2; }
h3 { font-size: 16px; margin: 28px 0 8px; }
p { margin: 6px 0; max-width: 72em; }
nav { margin: 12px 0; font-size: 14px; }
nav a { margin-right: 18px; color: #0072B2; }
.beside { display: grid; grid-template-columns: 816px minmax(0, 1fr); gap: 24px; align-items: start; }
.shown { min-width: 0; }
.beside img { width: 816px; max-width: 100%; }
.across img { width: 100%; }
.across figcaption { margin-bottom: 10px; }
.across .texts { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 18px; }
figure { margin: 0; }
figcaption { font-size: 13px; color: #555; }
figcaption a { color: #0072B2; }
.text { border-left: 4px solid #d9d9d9; padding: 2px 0 2px 12px; margin-bottom: 14px; }
.text { font-size: 13.5px; line-height: 1.45; }
.text h4 { margin: 0 0 3px; font-size: 12.5px; text-transform: uppercase; letter-spacing: .04em; color: #555; }
.text p { margin: 0 0 5px; }
.reported { border-color: #CC79A7; } .measured { border-color: #0072B2; } .difference { border-color: #009E73; }
.texts, li, .long { overflow-wrap: anywhere; } td.long { min-width: 22em; }
.absent { color: #555; font-style: italic; }
.tables { overflow-x: auto; margin-top: 8px; display: flex; flex-wrap: wrap; gap: 0 36px; }
details { flex-basis: 100%; }
table { border-collapse: collapse; font-size: 12.5px; margin: 10px 0; }
caption { text-align: left; font-weight: bold; padding: 4px 0; }
th, td { padding: 2px 9px; border-bottom: 1px solid #e4e4e4; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #999; font-weight: bold; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; }
.short { white-space: nowrap; }
tr.emphasised td { background: #E6F4EE; font-weight: bold; }
summary { cursor: pointer; font-size: 13.5px; color: #0072B2; margin: 2px 0; }
.seen li { margin: 4px 0; max-width: 76em; }
footer { margin: 50px auto 30px; padding-top: 10px; border-top: 1px solid #ccc; font-size: 13px; color: #555; }
@media (max-width: 1120px) { .beside { grid-template-columns: 1fr; } .across .texts { grid-template-columns: 1fr; } }
@media (max-width: 700px) {
  figure { overflow-x: auto; }
  .beside img, .across img { width: auto; max-width: none; height: auto; min-width: 680px; }
  figcaption::before { content: "The figure can be moved sideways. "; }
  table { font-size: 11.5px; } th, td { padding: 2px 4px; }
}
@media print {
  body { font-size: 10.5pt; } nav { display: none; } h2 { break-before: page; }
  .beside { grid-template-columns: 1fr; } .part, figure, tr { break-inside: avoid; }
}
"""


def escaped(text):
    return html.escape(str(text), quote=True)


def is_number(text):
    """Whether a cell is to stand at the right."""
    text = text.removeprefix("< ")
    return (
        text == "–"
        or (text[:1].lstrip("+−") or text[1:2]).isdigit()
        and not any(letter.isalpha() for letter in text.rstrip("×% "))
    )


def long_mark(text):
    """Text without spaces, as URLs are, may break anywhere; short text nowhere."""
    if any(len(word) > LONG_WORD for word in str(text).split()):
        return ' class="long"'
    return ' class="short"' if len(str(text)) <= LONG_WORD else ""


def grid_html(grid):
    columns = range(len(grid.header))
    numeric = [bool(grid.rows) and all(is_number(str(row[column])) for row in grid.rows) for column in columns]
    mark = [' class="number"' if right else "" for right in numeric]
    lines = ["<table>", f"<caption>{escaped(grid.caption)}</caption>", "<thead><tr>"]
    lines += [f'<th scope="col"{mark[column]}>{escaped(grid.header[column])}</th>' for column in columns]
    lines.append("</tr></thead><tbody>")
    for number, row in enumerate(grid.rows):
        start = '<tr class="emphasised">' if number in grid.emphasised else "<tr>"
        lines.append(
            start
            + "".join(
                f"<td{mark[column] or long_mark(row[column])}>{cell_html(row[column])}</td>" for column in columns
            )
            + "</tr>"
        )
    table = "\n".join(lines + ["</tbody></table>"])
    if not grid.folded:
        return table
    return f"<details><summary>{escaped(grid.caption)} ({len(grid.rows)} rows)</summary>{table}</details>"


def cell_html(cell):
    """Only addresses of the web become links: others could run what a page of the collection says."""
    if (
        isinstance(cell, Link)
        and len(cell.address) <= LONGEST_ADDRESS
        and cell.address.lower().startswith(("http://", "https://"))
    ):
        return f'<a href="{escaped(cell.address)}" rel="noopener noreferrer nofollow">{escaped(cell.text)}</a>'
    return escaped(cell)


def text_html(kind, title, sentences):
    if not sentences:
        return ""
    paragraphs = "".join(f"<p>{escaped(sentence)}</p>" for sentence in sentences)
    return f'<div class="text {kind}"><h4>{title}</h4>{paragraphs}</div>'


def part_html(part):
    texts = (
        '<div class="texts">'
        + text_html("reported", "The document reports", part.reported)
        + text_html("measured", "We measure", part.measured)
        + text_html("difference", "The difference", part.difference)
        + "</div>"
    )
    narrow, wide = (
        "".join(grid_html(grid) for grid in part.grids if grid.wide == is_wide) for is_wide in (False, True)
    )
    tables = f'<div class="tables">{narrow}</div>' if narrow else ""
    body = f'<div class="across">{texts}</div>{tables}'
    if part.picture and part.picture.across:
        body = f'<div class="across">{figure_html(part)}{texts}</div>{tables}'
    elif part.picture:
        body = f'<div class="beside"><div class="shown">{figure_html(part)}{tables}</div>{texts}</div>'
    below = f'<div class="tables">{wide}</div>' if wide else ""
    return f'<div class="part"><h3>{escaped(part.title)}</h3>{body}{below}</div>'


def figure_html(part):
    name = escaped(part.picture.name)
    return (
        f'<figure><img src="figures/{name}.svg" alt="{escaped(part.picture.alt)}">'
        f'<figcaption>{escaped(part.note)} <a href="figures/{name}.png">PNG</a></figcaption></figure>'
    )


def section_html(section):
    lines = [
        f'<section id="{escaped(section.anchor)}"><h2>{escaped(section.title)}</h2>',
        f"<p>{escaped(section.about)}</p>",
    ]
    lines += [f'<p class="absent">{escaped(sentence)}</p>' for sentence in section.absent]
    return "\n".join(lines + list(map(part_html, section.parts)) + ["</section>"])


def page_html(title, ran, seen, sections, footer):
    """`ran`: a Grid of what was run; `seen`: sentences on what one sees; `footer`: sentences."""
    links = "".join(f'<a href="#{escaped(section.anchor)}">{escaped(section.title)}</a>' for section in sections)
    head = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style></head><body>'
    )
    items = "".join(f"<li>{escaped(sentence)}</li>" for sentence in seen)
    header = (
        f'<header><h1>{escaped(title)}</h1><nav>{links}</nav><section id="ran">{grid_html(ran)}</section>'
        f'<section id="seen"><h2>What one sees</h2><ul class="seen">{items}</ul></section></header>'
    )
    body = "\n".join(map(section_html, sections))
    end = "".join(f"<p>{escaped(sentence)}</p>" for sentence in footer)
    return f"{head}\n{header}\n<main>\n{body}\n</main>\n<footer>{end}</footer>\n</body></html>\n"
