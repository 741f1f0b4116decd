#!/usr/bin/env python3
"""doxygen_comments.py HEADER: prints ndcapi.h with its comments marked as doxygen's. The header is written for people
who read it as it is: a comment at the left margin is about what follows, one behind code about what is before it.
"""
import re
import sys

# Of headings between the parts of the header, and of what they end with.
HEADING = re.compile(r"^/\* -{4} (.*?) -+ \*/$", re.MULTILINE)
BEFORE = re.compile(r"^/\*(?= )", re.MULTILINE)
BEHIND = re.compile(r"(?<=\S)( +)/\*(?= )")
COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
# They open a paragraph, where the header has no room for an empty line; some are sentences, some a word.
POINTS = "Errors|Cost|Threads|Owns|Since|Memory|Strings|Structs|Sized outputs|Callbacks|Determinism|Process"
PARAGRAPH = re.compile(rf"^ \* ({POINTS})([.:]) +", re.MULTILINE)


def escaped(comment):
    """Characters that would be commands or marks of HTML."""
    comment = re.sub(r"([<>@#%])", r"\\\1", comment.removeprefix("/**").removeprefix("<"))
    return PARAGRAPH.sub(r" *\n * **\1**\2 ", comment)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    text = text.replace("/*\n", "/** @file\n", 1)
    text = HEADING.sub(r"/** @name \1 */", text)
    text = BEFORE.sub("/**", text)
    text = BEHIND.sub(r"\1/**<", text)

    def marked(match):
        comment = match[0]
        if comment.startswith("/** @"):
            head, _, rest = comment.partition("\n")
            return head + "\n" + escaped("/**" + rest) if rest else head
        mark = "/**<" if comment.startswith("/**<") else "/**"
        return mark + escaped(comment)

    print(COMMENT.sub(marked, text), end="")


if __name__ == "__main__":
    main()
