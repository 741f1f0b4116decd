"use strict";
// The list of groups: search, filters, order. What is chosen stands in the address, so that it can be kept and sent.
(function (report) {
  const { element } = report;
  const rowsShown = 50;
  const typingPause = 150;  // milliseconds
  const empty = { q: "", site: "", pages: "", most: "", since: "", until: "", saved: "", from: "", to: "",
    flag: "", rule: "", sort: "saved", up: "", at: "0" };
  const sorts = { saved: "savedColumn", pages: "size", resemblance: "worst", margin: "margin", month: "newest",
    first: "group" };
  const ascendingFirst = ["resemblance", "margin", "first"];
  const flagsToChoose = [9, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13];
  let state = Object.assign({}, empty);
  let hits = null;     // of the search for `searched`
  let searched = "";   // null: not to its end
  let order = null;    // groups that fit, in their order
  let drawing = 0;

  const address = (changes) => {
    const wanted = Object.assign({}, state, changes);
    const given = Object.entries(wanted).filter(([key, value]) => value !== empty[key]);
    return "#/groups" + (given.length > 0 ? "?" + new URLSearchParams(given) : "");
  };

  const go = (changes) => { location.hash = address(Object.assign({ at: "0" }, changes)); };

  function field(name, label, attributes) {
    const input = element("input", Object.assign({ name, value: state[name], autocomplete: "off",
      change: (event) => go({ [name]: event.target.value.trim() }) }, attributes));
    return element("label", {}, element("span", {}, label), input);
  }

  function choice(name, label, options) {
    const select = element("select", { name, change: (event) => go({ [name]: event.target.value }) },
      element("option", { value: "" }, report.word("any")),
      options.map(([value, text]) => element("option", { value, selected: state[name] === value }, text)));
    return element("label", {}, element("span", {}, label), select);
  }

  function filters() {
    const { word } = report;
    const share = { type: "number", min: 0, max: 1, step: 0.01, class: "short" };
    const whole = { type: "number", min: 0, step: 1, class: "short" };
    const active = ["site", "pages", "most", "since", "until", "saved", "from", "to", "flag", "rule"]
      .some((name) => state[name] !== "");
    return element("form", { class: "filters", role: "search", submit: (event) => event.preventDefault() },
      field("q", word("search"), { type: "search", class: "wide", id: "search", change: undefined, input: typed }),
      element("details", { open: active }, element("summary", { "data-fold": "filters" }, word("filters")),
        element("div", { class: "fields" },
          field("site", word("searchSite"), { type: "text" }), field("pages", word("minPages"), whole),
          field("most", word("maxPages"), whole), field("since", word("newestFrom"), { type: "month", class: "short" }),
          field("until", word("newestTo"), { type: "month", class: "short" }),
          field("saved", word("minSaved"), whole), field("from", word("scoreFrom"), share),
          field("to", word("scoreTo"), share),
          choice("rule", word("rule"), report.meta.rules.map(([name], i) => [String(i), report.ruleName(name)])),
          choice("flag", word("flags"), flagsToChoose.map((bit) => [String(bit), word("flag_" + bit)])),
          element("a", { class: "button", href: "#/groups" }, word("clear")))),
      element("div", { class: "order" }, sortChoice(), element("a", { class: "button", id: "reverse",
        href: address({ up: state.up === "" ? "1" : "", at: "0" }), "aria-label": word("reverse") },
      !ascendingFirst.includes(state.sort) === (state.up === "") ? "↓" : "↑")));
  }

  const sortChoice = () => element("label", {}, element("span", {}, report.word("order")), element("select", {
    name: "sort",
    change: (event) => go({ sort: event.target.value }) }, Object.entries(sorts).map(([name, label]) =>
    element("option", { value: name, selected: state.sort === name }, report.word(label)))));

  // The list follows what is typed, and the form stays as it is.
  let pause = 0;
  function typed(event) {
    clearTimeout(pause);
    const text = event.target.value.trim();
    pause = setTimeout(async () => {
      if (text === state.q || !location.hash.startsWith("#/groups")) return;
      state.q = text;
      state.at = "0";
      history.replaceState(null, "", address({}));
      const list = document.getElementById("list");
      report.stopSearch();
      for (const note of document.querySelectorAll("#searching")) note.remove();
      await (text === "" ? showAll(list) : searchFor(text, list));
      document.documentElement.dataset.ready = location.hash;
    }, typingPause);
  }

  function showAll(list) {
    hits = null;
    searched = "";
    return fillList(list);
  }

  function row(group, page) {
    const { word } = report;
    const c = report.columns;
    const score = c.resemblance[group] === report.unknownScore ? "–" : report.share(c.resemblance[group] / 10000);
    const remarks = report.flagNames(c.flags[group] & ~(1 << 5));
    const title = page.title === "" ? word("untitled") : page.title;
    return element("tr", { "data-row": group },
      element("td", { class: "main" }, element("a", { href: "#/group/" + group, class: "title" },
        element("bdi", {}, title)), report.urlOf(page),
      remarks.length > 0 ? element("span", { class: "remarks" }, remarks.map((text) =>
        element("span", { class: "tag" }, text))) : null),
      element("td", { class: "count", "data-label": word("size") }, report.number(c.pages[group])),
      element("td", { class: "count", "data-label": word("savedColumn") }, report.bytes(c.saved[group])),
      element("td", { class: "count", "data-label": word("worst") }, score),
      element("td", { "data-label": word("newest") }, report.month(c.month[group])));
  }

  async function drawRows(body, groups, own) {
    const rows = await Promise.all(groups.map(async (group) => {
      const [page] = await report.pages(report.columns.first[group], report.columns.first[group] + 1);
      return row(group, page);
    }));
    if (own === drawing) body.replaceChildren(...rows);
  }

  function pager(from, count) {
    const { word } = report;
    const step = (to, label, id) => to < 0 || to >= count ? element("span", { class: "button off" }, label)
      : element("a", { class: "button", id, href: address({ at: String(to) }) }, label);
    return element("nav", { class: "pager", "aria-label": word("groups") },
      step(from - rowsShown, word("previous"), "previous"),
      element("span", {}, count === 0 ? word("none")
        : word("pageOf", from + 1, Math.min(count, from + rowsShown), count)),
      step(from + rowsShown, word("next"), "next"));
  }

  function fillList(list) {
    const { word } = report;
    const own = ++drawing;
    const descending = !ascendingFirst.includes(state.sort) === (state.up === "");
    order = report.sorted(report.select(state, hits), state.sort, descending);
    const from = Math.min(Math.max(0, Number(state.at) || 0), Math.max(0, order.length - 1));
    const body = element("tbody", {});
    const head = [["title"], ["size", "pages"], ["savedColumn", "saved"], ["worst", "resemblance"],
      ["newest", "month"]];
    list.replaceChildren(element("table", { class: "rows" },
      element("caption", {}, word("found", order.length)),
      element("thead", {}, element("tr", {}, head.map(([label, sort]) => element("th", { scope: "col",
        class: ["pages", "saved", "resemblance"].includes(sort) ? "count" : undefined,
        "aria-sort": sort !== state.sort ? undefined : descending ? "descending" : "ascending" },
      sort === undefined ? word(label) : element("a", { class: "sort", id: "sort-" + sort,
        href: address({ sort, up: sort === state.sort && state.up === "" ? "1" : "", at: "0" }) }, word(label),
      sort !== state.sort ? "" : descending ? " ↓" : " ↑"))))),
        body),
    pager(from, order.length));
    report.say(word("found", order.length));
    return drawRows(body, Array.from(order.subarray(from, from + rowsShown)), own);
  }

  async function searchFor(text, list) {
    searched = null;
    const own = hits = new Uint8Array(report.meta.groups);
    const note = element("p", { class: "note", id: "searching" });
    list.before(note);
    let drawn = null;
    const whole = await report.search(text, own, (done, all) => {
      note.textContent = all ? "" : report.word("searching", done, report.meta.group_rows);
      drawn = fillList(list);
    });
    if (whole) searched = text;
    await drawn;
    if (note.isConnected) note.remove();
  }

  report.showGroups = async function (query) {
    state = Object.assign({}, empty, Object.fromEntries(new URLSearchParams(query)));
    if (!(state.sort in sorts)) state.sort = empty.sort;
    await report.loadColumns();
    report.stopSearch();
    const list = element("div", { id: "list" });
    report.show(report.word("groups"), element("h2", {}, report.word("groups")), filters(), list);
    if (state.q === "") await showAll(list);
    else if (state.q !== searched) await searchFor(state.q, list);
    else await fillList(list);
  };

  // The groups before and behind this one in the list that was shown last.
  report.neighbours = function (group) {
    const at = order === null ? -1 : order.indexOf(group);
    return at < 0 ? [group - 1, group + 1].map((i) => (i >= 0 && i < report.meta.groups ? i : null))
      : [at > 0 ? order[at - 1] : null, at + 1 < order.length ? order[at + 1] : null];
  };
  report.listAddress = () => address({});
})(window.ndcReport);
