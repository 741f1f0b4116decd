"""What compare_artefacts.py asks of the Python package.

  texts LIST           prints of each page its URL, a tab, and what the library sees of it, in JSON
  store LIST DIRECTORY makes a store of the pages
  features LIST        prints of each page its URL, a tab, and its features in hexadecimal, made as those of
                       tests/golden/texts.tsv
  groups DIRECTORY     opens the store as its writer and prints of each page its group, a tab, and its URL

A line of LIST has the URL of a page, its content type, and the file with its body, parted by tabs.
"""
import json
import sys
from pathlib import Path

import ndc_dedup as ndc


def pages(path):
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        url, content_type, body = line.split("\t")
        yield url, Path(body).read_bytes(), content_type


def main(question, place, *rest):
    if question == "texts":
        for url, body, content_type in pages(place):
            print(url, json.dumps(ndc.extract(body, content_type, url=url)), sep="\t")
    elif question == "features":
        for url, body, content_type in pages(place):
            features = ndc.Features.compute(url, body, content_type, x_spot_signatures=1024)
            print(url, bytes(features).hex(), sep="\t")
    elif question == "store":
        with ndc.NearDuplicates(rest[0]) as engine:
            for url, body, content_type in pages(place):
                engine.check(url, body, content_type)
    elif question == "groups":
        with ndc.NearDuplicates(place) as engine:
            for group in engine.groups():
                for page in engine.members(group.group_id):
                    print(group.group_id, page.url, sep="\t")
    else:
        sys.exit(f"{__doc__}\nnot {question}")


if __name__ == "__main__":
    main(*sys.argv[1:])
