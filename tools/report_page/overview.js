"use strict";
// The overview: counts in all, and by site, month and rule.
(function (report) {
  const { element } = report;
  const sitesShown = 25;  // before "show more"

  const card = (label, value, note) => element("div", { class: "card" }, element("dt", {}, label),
    element("dd", {}, element("strong", {}, value), note ? element("span", {}, note) : null));

  // A table whose rows have a bar as long as their duplicates.
  function table(caption, first, rows, most) {
    const { word, number, bytes } = report;
    return element("table", { class: "tally" }, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, [first, word("ofPages"), word("duplicates"), word("savedColumn")]
        .map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, rows.map((row) => {
        const bar = element("span", { class: "bar", "aria-hidden": "true" });
        bar.style.width = (most > 0 ? Math.max(1, 100 * row.duplicates / most) : 0) + "%";
        return element("tr", {}, element("th", { scope: "row" }, row.name, bar),
          element("td", {}, number(row.pages)), element("td", {}, number(row.duplicates)),
          element("td", {}, report.meta.sized > 0 ? bytes(row.saved) : "–"));
      })));
  }

  function sites() {
    const order = report.hosts.map((host, index) => index)
      .sort((x, y) => report.hosts[y][2] - report.hosts[x][2] || report.hosts[y][1] - report.hosts[x][1]);
    const rows = (indices) => indices.map((index) => {
      const [name, pages, duplicates, , saved] = report.hosts[index];
      const address = "#/groups?site=" + encodeURIComponent(name);
      return { pages, duplicates, saved,
        name: name === "" ? report.word("noSite") : element("a", { href: address }, report.visible(name)) };
    });
    const most = order.length === 0 ? 0 : report.hosts[order[0]][2];
    const draw = (count) => table(report.word("bySite"), report.word("site"), rows(order.slice(0, count)), most);
    const section = element("section", {}, draw(sitesShown));
    const rest = order.length - sitesShown;
    if (rest > 0) {
      const all = element("button", { type: "button", class: "button", id: "allSites", "data-fold": "sites",
        click: () => report.unfold(section, [element("section", {}, draw(order.length))]) },
      report.word("moreSites", rest));
      section.append(all);
    }
    return section;
  }

  function months() {
    const rows = report.meta.months.map(([month, pages, duplicates, , saved]) =>
      ({ name: report.month(month), pages, duplicates, saved }));
    return element("section", {}, table(report.word("byMonth"), report.word("month"), rows,
      rows.reduce((most, row) => Math.max(most, row.duplicates), 0)));
  }

  function rules() {
    const rows = report.meta.rules.map(([name, pages], index) => [index, name, pages]).filter((row) => row[2] > 0)
      .sort((x, y) => y[2] - x[2]);
    return element("section", {}, element("table", { class: "tally" }, element("caption", {}, report.word("byRule")),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, report.word("rule")),
        element("th", { scope: "col" }, report.word("ofPages")))),
      element("tbody", {}, rows.map(([index, name, pages]) => element("tr", {},
        element("th", { scope: "row" }, element("a", { href: "#/groups?rule=" + index }, report.ruleName(name))),
        element("td", {}, report.number(pages)))))));
  }

  // What one must know to read the rest rightly.
  function notes() {
    const { meta, word } = report;
    const said = [];
    if (meta.store !== null) {
      said.push(word("noteStore", report.visible(meta.store)));
      if (meta.sized < meta.pages) said.push(word("noteTexts", meta.pages - meta.sized, meta.pages));
    }
    if (!report.offersJudging()) said.push(word("noJudging"));
    const counts = { noteOther: meta.other_texts, noteCut: meta.texts_left_out, noteDamaged: meta.damaged,
      noteNoUrl: meta.without_url, noteOthers: meta.kept_others, noteParts: meta.kept_parts,
      noteUncertain: meta.kept_uncertain, noteTrap: meta.without_own_text };
    for (const [key, count] of Object.entries(counts)) if (count > 0) said.push(word(key, count));
    const inputs = meta.inputs.slice(0, 5).map(report.visible);
    if (meta.inputs.length > 5) inputs.push(word("noteMore", meta.inputs.length - 5));
    if (inputs.length > 0) said.push(word("noteInputs", inputs.join(", ")));
    const keep = { first: "keepFirst", longest: "keepLongest", newest: "keepNewest", canonical: "keepCanonical" };
    said.push(word("noteKeep", word(keep[meta.keep])));
    return element("ul", { class: "notes" }, said.map((text) => element("li", {}, text)));
  }

  report.showOverview = function () {
    const { meta, word, number } = report;
    const pictures = element("div", { class: "pictures" });
    const saved = meta.sized > 0 ? report.bytes(meta.bytes_saved) : "–";
    const of = meta.sized > 0 ? word("savedOf", report.bytes(meta.bytes)) : word("savedUnknown");
    report.show(word("overview"), element("h2", {}, word("overview")),
      element("dl", { class: "cards" }, card(word("ofPages"), number(meta.pages)),
        card(word("groupsOf"), number(meta.groups)), card(word("singles"), number(meta.singles)),
        card(word("duplicates"), number(meta.duplicates), word("duplicatesNote")), card(word("saved"), saved, of)),
      notes(), pictures, element("div", { class: "tables" }, sites(), element("div", {}, months(), rules())));
    const drawn = report.pictures(pictures).catch(() => {});  // a part that is missing is told where it is needed
    // A redraw waits for the pictures, so that the focus finds its place; who opens the report does not.
    return report.columns === null ? undefined : drawn;
  };
})(window.ndcReport);
