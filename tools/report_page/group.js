"use strict";
// One group: which page to keep and why, and its pages, a hundred at a time.
(function (report) {
  const { element } = report;
  const rowsShown = 100;

  function memberRow(group, page) {
    const { word } = report;
    const badge = page.kept ? element("strong", { class: "tag keep" }, word("keptPage"))
      : element("span", { class: "tag" }, word("leave"));
    const score = page.resemblance < 0 ? "–" : report.share(page.resemblance / 10000);
    const verdict = page.represents ? word("representative") : report.ruleOf(page);
    const disputed = page.pair !== null && page.pair.v === "different";
    return element("tr", { "data-row": page.index, class: page.kept ? "kept" : undefined },
      element("td", { class: "main" }, badge, " ", page.represents ? null : element("a", { class: "title",
        href: "#/group/" + group + "/" + page.index, "aria-label": word("compareWith", page.title || page.url) },
      element("bdi", {}, page.title === "" ? word("untitled") : page.title)),
      page.represents ? element("bdi", { class: "title" }, page.title === "" ? word("untitled") : page.title) : null,
      element("bdi", { class: "url" }, page.url), element("span", { class: "remarks" },
        report.flagNames(page.flags, 9).concat(disputed ? [word("disputed")] : [])
          .map((text) => element("span", { class: "tag" }, text)))),
      element("td", { "data-label": word("time") }, report.time(page.time)),
      element("td", { class: "count", "data-label": word("bytes") }, report.bytes(page.bytes)),
      element("td", { class: "count", "data-label": word("width") }, report.number(page.width)),
      element("td", { class: "count", "data-label": word("resemblance") }, score),
      element("td", { "data-label": word("decision") }, verdict));
  }

  function pager(group, from, count) {
    if (count <= rowsShown) return null;
    const { word } = report;
    const step = (to, label, id) => to < 0 || to >= count ? element("span", { class: "button off" }, label)
      : element("a", { class: "button", id, href: "#/group/" + group + "?at=" + to }, label);
    return element("nav", { class: "pager", "aria-label": word("members") },
      step(from - rowsShown, word("previous"), "previous"),
      element("span", {}, word("pageOf", from + 1, Math.min(count, from + rowsShown), count)),
      step(from + rowsShown, word("next"), "next"));
  }

  function facts(group, kept) {
    const { word } = report;
    const c = report.columns;
    const tags = report.flagNames(c.flags[group]);
    return element("div", { class: "facts" },
      element("p", {}, word("pages", c.pages[group]), " · ", word("savedColumn"), ": ", report.bytes(c.saved[group])),
      element("p", {}, element("strong", { class: "tag keep" }, word("keptPage")), " ",
        element("bdi", { class: "url" }, kept.url)),
      element("p", {}, word("keptBecause", report.keptReason(kept))),
      tags.length > 0 ? element("p", { class: "remarks" }, tags.map((text) => element("span", { class: "tag" }, text)))
        : null);
  }

  report.showGroup = async function (group, query) {
    const { word } = report;
    await report.loadColumns();
    if (!(group >= 0 && group < report.meta.groups)) return report.showGroups("");
    const first = report.columns.first[group];
    const count = report.columns.pages[group];
    const wanted = Number(new URLSearchParams(query).get("at")) || 0;
    const from = Math.min(Math.max(0, Math.floor(wanted / rowsShown) * rowsShown), count - 1);
    const [[kept], pages] = await Promise.all([report.pages(first, first + 1),
      report.pages(first + from, first + Math.min(count, from + rowsShown))]);
    const heading = kept.title === "" ? word("groupName", group + 1) : kept.title;
    const head = ["right", "time", "bytes", "width", "resemblance", "decision"];
    const counts = ["bytes", "width", "resemblance"];
    report.show(word("groupName", group + 1),
      element("p", { class: "up" }, element("a", { href: report.listAddress(), id: "up" }, word("back"))),
      element("h2", {}, element("bdi", {}, heading)), facts(group, kept),
      element("table", { class: "rows" }, element("caption", {}, word("members")),
        element("thead", {}, element("tr", {}, head.map((key) => element("th", { scope: "col",
          class: counts.includes(key) ? "count" : undefined }, word(key))))),
        element("tbody", {}, pages.map((page) => memberRow(group, page)))),
      pager(group, from, count));
    return undefined;
  };
})(window.ndcReport);
