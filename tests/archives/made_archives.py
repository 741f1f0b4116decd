"""Archives of the site of crawled_site.py, made by real tools: GNU Wget, warcio, and py-wacz as Browsertrix
lays a WACZ out.

Each function writes into a folder and gives the files. `why_not` of a tool is a sentence if it is not there."""
import http.client
import io
import json
import os
import shutil
import subprocess
import sys
import urllib.parse

import crawled_site

try:
    from warcio.capture_http import capture_http
    from warcio.warcwriter import WARCWriter
except ImportError:
    capture_http = None

WACZ = shutil.which("wacz", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")]))


def why_not(tool):
    if tool == "wget" and not shutil.which("wget"):
        return "wget is not installed (Debian: apt-get install wget)"
    if tool != "wget" and capture_http is None:
        return "warcio is not installed (pip install warcio)"
    if tool == "wacz" and not WACZ:
        return "py-wacz is not installed (pip install wacz)"
    return None


def run(*command, codes=(0,)):
    done = subprocess.run(command, capture_output=True, timeout=120)
    if done.returncode not in codes:
        raise RuntimeError("%s exits with %d: %s" % (" ".join(command), done.returncode, done.stderr.decode()))


def wget(site, folder, name, *options):
    """A recursive crawl. wget exits with 8 since the server answered with an error, 404, which is archived too."""
    mirror = os.path.join(folder, name + "-mirror")
    run(
        "wget",
        "-q",
        "-r",
        "-l",
        "2",
        "-p",
        "--no-parent",
        "-P",
        mirror,
        "--warc-cdx",
        "--warc-file",
        os.path.join(folder, name),
        *options,
        site + "/",
        codes=(8,),
    )
    return [os.path.join(folder, name + (".warc" if "--no-warc-compression" in options else ".warc.gz"))]


def wget_twice(site, folder):
    """A crawl, and a second one that leaves revisit records in the place of what has not changed."""
    first = wget(site, folder, "wget-first")
    return first + wget(site, folder, "wget-second", "--warc-dedup", os.path.join(folder, "wget-first.cdx"))


def fetch(site, path):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(site).netloc)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()


def warcio(site, folder, name, gzip):
    path = os.path.join(folder, name)
    with open(path, "wb") as file, capture_http(WARCWriter(file, gzip=gzip)):
        for page in crawled_site.ANSWERS:
            fetch(site, page)
    return [path]


def browsertrix(site, folder):
    """Requests and responses, beside each page what the crawler noted of it under names of its own; then
    the WACZ of it."""
    warc = os.path.join(folder, "browsertrix.warc.gz")
    pages = os.path.join(folder, "pages.jsonl")
    logs = os.path.join(folder, "logs")
    os.makedirs(logs)
    with open(os.path.join(logs, "crawl.log"), "w", encoding="utf-8") as log:
        log.write(
            '{"timestamp":"2024-05-06T07:08:09.000Z","logLevel":"info","context":"general","message":"Crawling done"}\n'
        )
    with open(warc, "wb") as file, open(pages, "w", encoding="utf-8") as list_of_pages:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(
            writer.create_warcinfo_record("browsertrix.warc.gz", {"software": "like Browsertrix", "format": "WARC 1.1"})
        )
        with capture_http(writer):
            for page in crawled_site.ANSWERS:
                fetch(site, page)
        list_of_pages.write(json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}) + "\n")
        for number, page in enumerate(crawled_site.PAGES):
            url = site + page
            list_of_pages.write(
                json.dumps(
                    {
                        "id": str(number),
                        "url": url,
                        "title": page,
                        "ts": "2024-05-06T07:08:09Z",
                        "status": 200,
                        "text": crawled_site.article(number),
                    }
                )
                + "\n"
            )
            notes = (
                ("pageinfo", "application/json", json.dumps({"pageid": str(number), "url": url, "urls": {}}).encode()),
                ("text", "text/plain", crawled_site.article(number).encode()),
                ("view", "image/png", crawled_site.PIXEL),
                ("thumbnail", "image/jpeg", b"\xff\xd8\xff\xe0"),
            )
            for kind, media_type, data in notes:
                writer.write_record(
                    writer.create_warc_record(
                        "urn:%s:%s" % (kind, url), "resource", payload=io.BytesIO(data), warc_content_type=media_type
                    )
                )
    path = os.path.join(folder, "browsertrix.wacz")
    run(WACZ, "create", "-f", "-o", path, "-p", pages, "-l", logs, "--split-seeds", warc)
    return [path]


def made(site, folder):
    """What was made: (what made it, files). Sentences about tools that are not there: second."""
    makers = (
        ("wget", "GNU Wget, `-r --warc-file`", lambda: wget(site, folder, "wget")),
        (
            "wget",
            "the same with `--no-warc-compression`",
            lambda: wget(site, folder, "wget-plain", "--no-warc-compression"),
        ),
        ("wget", "Wget twice, `--warc-dedup`", lambda: wget_twice(site, folder)),
        ("warcio", "warcio, `capture_http`", lambda: warcio(site, folder, "warcio.warc.gz", True)),
        ("warcio", "the same, plain", lambda: warcio(site, folder, "warcio.warc", False)),
        ("wacz", "py-wacz, laid out as Browsertrix does", lambda: browsertrix(site, folder)),
    )
    archives, missing = [], []
    for tool, name, make in makers:
        reason = why_not(tool)
        if reason is None:
            archives.append((name, make()))
        elif reason not in missing:
            missing.append(reason)
    return archives, missing
