"use strict";
// One group: which page to keep and why, and its pages, a hundred at a time.
(function (report) {
  const { element } = report;
  const rowsShown = 100;
  const typingPause = 150;  // milliseconds
  const empty = { at: "0", sort: "", up: "", q: "" };
  const keys = { url: (page) => page.url, time: (page) => page.time, bytes: (page) => page.bytes,
    width: (page) => page.width, resemblance: (page) => page.resemblance };
  let state = Object.assign({}, empty);

  const address = (group, changes) => {
    const given = Object.entries(Object.assign({}, state, changes)).filter(([key, value]) => value !== empty[key]);
    return "#/group/" + group + (given.length > 0 ? "?" + new URLSearchParams(given) : "");
  };

  // The pages that are shown, and how many there are. Without order and search only those are loaded.
  async function membersShown(first, count) {
    const from = Math.floor(Math.max(0, Number(state.at) || 0) / rowsShown) * rowsShown;
    if (state.sort === "" && state.q === "") {
      const begin = Math.min(from, count - 1);
      const end = Math.min(count, begin + rowsShown);
      return { begin, all: count, pages: await report.pages(first + begin, first + end) };
    }
    const words = state.q.trim().toLowerCase().split(/\s+/);
    const found = (await report.pages(first, first + count)).filter((page) => {
      const text = (page.url + " " + report.readable(page.address) + " " + page.title).toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const key = keys[state.sort];
    if (key !== undefined) {
      const turn = state.up === "" ? 1 : -1;
      found.sort((x, y) => turn * (key(x) < key(y) ? -1 : key(x) > key(y) ? 1 : 0));
    }
    const begin = Math.min(from, Math.max(0, found.length - 1));
    return { begin, all: found.length, pages: found.slice(begin, begin + rowsShown) };
  }

  const sortable = (group, label, sort) => element("a", { class: "sort", id: "sort-" + sort,
    href: address(group, { sort, up: sort === state.sort && state.up === "" ? "1" : "", at: "0" }) },
  report.word(label),
  sort !== state.sort ? "" : state.up === "" ? " ↑" : " ↓");

  function memberRow(group, page) {
    const { word } = report;
    const stays = report.stays(page);
    const badge = stays ? element("strong", { class: "tag keep" }, word("keptPage"))
      : element("span", { class: "tag" }, word("leave"));
    const score = page.resemblance < 0 ? "–" : report.share(page.resemblance / 10000);
    const verdict = page.represents ? word("representative") : report.ruleOf(page);
    const disputed = page.pair !== null && page.pair.v === "different";
    return element("tr", { "data-row": page.index, class: stays ? "kept" : undefined },
      element("td", { class: "main" }, badge, " ", page.represents ? null : element("a", { class: "title",
        href: "#/group/" + group + "/" + page.index, "aria-label": word("compareWith", page.title || page.url) },
      element("bdi", {}, page.title === "" ? word("untitled") : page.title)),
      page.represents ? element("bdi", { class: "title", tabindex: "-1" }, page.title || word("untitled")) : null,
      report.urlOf(page), element("span", { class: "remarks" },
        report.flagNames(page.flags, 9).concat(disputed ? [word("disputed")] : [])
          .map((text) => element("span", { class: "tag" }, text)), report.linksOf(page)),
      report.decisionButtons(page.index)),
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
      : element("a", { class: "button", id, href: address(group, { at: String(to) }) }, label);
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
        element("bdi", { class: "url" }, report.readable(kept.address))),
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
    state = Object.assign({}, empty, Object.fromEntries(new URLSearchParams(query)));
    const [[kept], { begin, all, pages }] = await Promise.all([report.pages(first, first + 1),
      membersShown(first, count)]);
    const heading = kept.title === "" ? word("groupName", group + 1) : kept.title;
    const head = [["page", "url"], ["time", "time"], ["bytes", "bytes"], ["width", "width"],
      ["resemblance", "resemblance"], ["decision"]];
    const counts = ["bytes", "width", "resemblance"];
    let pause = 0;
    const typed = (event) => {
      clearTimeout(pause);
      const text = event.target.value;
      pause = setTimeout(() => {
        if (text === state.q || !location.hash.startsWith("#/group/" + group)) return;
        history.replaceState(null, "", address(group, { q: text, at: "0" }));
        report.redraw();
      }, typingPause);
    };
    const search = count < 2 * rowsShown / 10 ? null : element("label", { class: "search" },
      element("span", { class: "hidden" }, word("searchMembers")), element("input", { type: "search", id: "search",
        value: state.q, placeholder: word("searchMembers"), autocomplete: "off", input: typed }));
    report.show(word("groupName", group + 1),
      element("p", { class: "up" }, element("a", { href: report.listAddress(), id: "up" }, word("back"))),
      element("h2", {}, element("bdi", {}, heading)), facts(group, kept),
      report.groupButtons(first, count), search,
      element("table", { class: "rows" }, element("caption", {}, word("members")),
        element("thead", {}, element("tr", {}, head.map(([label, sort]) => element("th", { scope: "col",
          class: counts.includes(sort) ? "count" : undefined, "aria-sort": sort === undefined || sort !== state.sort
            ? undefined : state.up === "" ? "ascending" : "descending" },
        sort === undefined ? word(label) : sortable(group, label, sort))))),
        element("tbody", {}, pages.map((page) => memberRow(group, page)))),
      pager(group, begin, all));
    return undefined;
  };
})(window.ndcReport);
