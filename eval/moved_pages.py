"""The pages of a corpus on one host, as an archive of several sites has them."""
import re
import uuid

import page_differences

ONE_HOST = "http://all.example/"


def record(url, http_head, body):
    """A WARC record of a response; http_head without the empty line behind it."""
    http = http_head + b"\r\n\r\n" + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def responses(archive):
    """(URL, HTTP head, body) of each response."""
    for head, block in page_differences.records(archive):
        target = re.search(r"^WARC-Target-URI: *<?(\S+?)>?\s*$", head, re.M | re.I)
        if target and b"\r\n\r\n" in block:
            yield target[1], *block.split(b"\r\n\r\n", 1)


def on_one_host(url):
    return ONE_HOST + url.split("://", 1)[1]


def original(url):
    """The address that on_one_host() made another of, but for its scheme."""
    return "http://" + url.removeprefix(ONE_HOST)


def write_on_one_host(archive, out):
    with open(out, "wb") as file:
        for url, head, body in responses(archive):
            file.write(record(on_one_host(url), head, body))
