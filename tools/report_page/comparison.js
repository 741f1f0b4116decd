"use strict";
// Two texts side by side, by the library's own comparison: nothing is compared here.
(function (report) {
  const { element } = report;
  const rowsAtOnce = 200;    // of the table, before "show more"
  const unchangedShown = 1;  // blocks beside a change; what lies between is folded
  const besideChange = 120;  // characters of a block beside a change, or where an equal one begins
  const foldedFrom = 200;    // so many equal characters and more within a block are folded
  const spanLength = 20000;  // of one piece: longer ones are divided

  // Whether places of a text are boilerplate of its site: pieces [begin, end, grey] of a range.
  function greyPieces(grey, begin, end) {
    const pieces = [];
    let low = 0;
    let high = grey.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (grey[2 * middle + 1] <= begin) low = middle + 1;
      else high = middle;
    }
    for (let at = begin; at < end;) {
      const from = 2 * low < grey.length ? grey[2 * low] : Infinity;
      const to = 2 * low < grey.length ? grey[2 * low + 1] : Infinity;
      const inside = from <= at;
      const next = Math.min(end, inside ? to : from);
      pieces.push([at, next, inside]);
      if (inside && next === to) ++low;
      at = next;
    }
    return pieces;
  }

  // Rows of pieces {kind, text, grey: in either cell}. A row ends with a block that both have.
  report.rowsOf = function (base, difference) {
    const rows = [];
    let row = null;
    const add = (kind, text, greyLeft, greyRight) => {
      if (row === null) rows.push(row = { number: rows.length, pieces: [], changed: false });
      if (kind !== "both") row.changed = true;
      const last = row.pieces[row.pieces.length - 1];
      if (last !== undefined && last.kind === kind && last.grey[0] === greyLeft && last.grey[1] === greyRight &&
          last.text.length + text.length <= spanLength) {
        last.text += text;
        return;
      }
      for (let at = 0; at < text.length; at += spanLength) {
        row.pieces.push({ kind, text: text.slice(at, at + spanLength), grey: [greyLeft, greyRight] });
      }
    };
    // The sites of the two pages may have learned different things of the same text.
    const addBoth = (text, greyLeft, greyRight) => {
      for (const line of text.split(/(?<=\n)/)) {
        add("both", line, greyLeft, greyRight);
        if (line.endsWith("\n")) row = null;
      }
    };
    const segments = difference.s;
    for (let i = 0; i < segments.length;) {
      const kind = segments[i];
      if (kind === 2 || kind === 3) {
        add("right", segments[i + 1], false, kind === 3);
        i += 2;
        continue;
      }
      for (const [begin, end, grey] of greyPieces(base.g, segments[i + 1], segments[i + 2])) {
        const text = base.t.slice(begin, end);
        if (kind === 1) add("left", text, grey, false);
        else addBoth(text, grey, kind === 4);
      }
      i += 3;
    }
    return rows;
  };

  const textOf = (text, name, grey) => element(name, { class: grey ? "grey" : undefined }, report.visibleText(text));

  // What both have, of which the middle opens where it is long, in both cells at once: a list of nodes for each.
  function sharedPiece(row, at) {
    const { text, grey } = row.pieces[at];
    const beside = (other) => (other !== undefined && other.kind !== "both" ? besideChange : 0);
    const before = row.changed || at > 0 ? beside(row.pieces[at - 1]) : besideChange;
    const behind = text.length - beside(row.pieces[at + 1]);
    if (behind - before <= foldedFrom) return grey.map((isGrey) => [textOf(text, "span", isGrey)]);
    const part = (from, to, side) => textOf(text.slice(from, to), "span", grey[side]);
    const open = () => folds.forEach((fold, side) => report.unfold(fold, [part(before, behind, side)]));
    const folds = grey.map(() => element("button", { type: "button", class: "inner", click: open,
      "data-fold": row.number + " " + at }, report.word("unchangedText", behind - before)));
    return folds.map((fold, side) => [part(0, before, side), fold, part(behind, text.length, side)]);
  }

  // The two cells of a row.
  function cells(row, folds) {
    const made = ["left", "right"].map((side) => element("td", { "data-label": report.word(side) }));
    row.pieces.forEach((piece, at) => {
      const { kind, text, grey } = piece;
      if (kind === "left") made[0].append(textOf(text, "del", grey[0]));
      else if (kind === "right") made[1].append(textOf(text, "ins", grey[1]));
      else if (folds) sharedPiece(row, at).forEach((nodes, side) => made[side].append(...nodes));
      else made.forEach((cell, side) => cell.append(textOf(text, "span", grey[side])));
    });
    return made;
  }

  // As report.visible, but blocks stay apart.
  report.visibleText = (text) => text.split("\n").map(report.visible).join("\n");

  const changedRow = (row) => element("tr", { class: "change", tabindex: "-1" }, cells(row, true));
  const unchangedRow = (row, folds) => element("tr", { class: "equal" }, cells(row, folds));

  // A line in the place of equal blocks, which opens.
  function foldedRow(rows) {
    const open = () => report.unfold(made, rows.map((row) => unchangedRow(row, false)));
    const made = element("tr", { class: "fold" }, element("td", { colspan: 2 }, element("button", { type: "button",
      click: open, "data-fold": rows[0].number }, report.word("unchanged", rows.length))));
    return made;
  }

  // What is shown of all rows: changes with what is beside them.
  function outline(rows) {
    const shown = [];
    for (let i = 0; i < rows.length;) {
      if (rows[i].changed) {
        const row = rows[i++];
        shown.push(() => changedRow(row));
        continue;
      }
      let end = i;
      while (end < rows.length && !rows[end].changed) ++end;
      const before = i === 0 ? 0 : unchangedShown;
      const behind = end === rows.length ? 0 : unchangedShown;
      if (end - i <= before + behind + 1) {
        for (const row of rows.slice(i, end)) shown.push(() => unchangedRow(row, true));
      } else {
        for (const row of rows.slice(i, i + before)) shown.push(() => unchangedRow(row, true));
        const folded = rows.slice(i + before, end - behind);
        shown.push(() => foldedRow(folded));
        for (const row of rows.slice(end - behind, end)) shown.push(() => unchangedRow(row, true));
      }
      i = end;
    }
    return shown;
  }

  function table(rows) {
    const { word } = report;
    const body = element("tbody", {});
    const shown = outline(rows);
    let at = 0;
    const more = element("button", { type: "button", class: "button", id: "more", click: () => draw() });
    function draw() {
      body.append(...shown.slice(at, at + rowsAtOnce).map((make) => make()));
      at += rowsAtOnce;
      more.hidden = at >= shown.length;
      more.dataset.fold = "more " + at;
      more.textContent = word("more", shown.length - at);
    }
    draw();
    return [element("table", { class: "texts" }, element("caption", { class: "hidden" }, word("comparison")),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, word("left")),
        element("th", { scope: "col" }, word("right")))), body), more];
  }

  // The texts of a page and its representative, or why they are not here.
  report.texts = async function (page) {
    const { word } = report;
    if (page.text < 0) return [element("p", { class: "note" }, word(page.text === -2 ? "noTextOther" : "noText"))];
    const difference = await report.textEntry(page.text, page.index);
    const base = difference === undefined ? undefined : await report.textEntry(difference.ap, difference.a);
    if (base === undefined) return [element("p", { class: "note" }, word("noText"))];
    const rows = report.rowsOf(base, difference);
    const changes = rows.filter((row) => row.changed).length;
    const legend = element("span", { class: "legend" }, element("del", {}, word("onlyLeft")), " ",
      element("ins", {}, word("onlyRight")), " ", word("asCompared"));
    const cut = difference.cut || base.cut ? element("p", { class: "note" }, word("cut")) : null;
    const step = (id, by) => element("button", { type: "button", class: "button", id, disabled: changes === 0,
      "aria-keyshortcuts": by > 0 ? "n" : "p", click: () => report.moveChange(by) }, word(id));
    return [element("div", { class: "changes" }, element("strong", { id: "changes" },
      changes === 0 ? word("equal") : word("changes", changes)), step("previousChange", -1), step("nextChange", 1),
    legend), ...table(rows), cut];
  };

  const side = (label, page) => element("div", { class: "side" },
    element("div", { class: "about" }, element("h3", {}, label),
      element("span", {}, report.time(page.time), " · ", report.bytes(page.bytes)), report.linksOf(page)),
    report.folded("side " + page.index,
      element("bdi", { class: "title clamp" }, page.title || report.word("untitled")), report.urlText(page)));

  // Both pages, the decision in words, the texts: for a group and for the reviewer.
  report.comparison = async function (base, page) {
    const { word } = report;
    const numbers = report.sentences(page);
    return [element("div", { class: "sides" }, side(word("left"), base), side(word("right"), page)),
      element("section", { class: "why" }, element("h3", { class: "hidden" }, word("why")),
        element("p", { class: "reasons" }, report.reasons(page).join(report.language === "zh" ? "" : " ")),
        numbers.length === 0 ? null : element("details", {}, element("summary", { "data-fold": "numbers" },
          word("numbers")),
          element("ul", {}, numbers.concat(word("normalised")).map((text) => element("li", {}, text))))),
      ...await report.texts(page)];
  };

  // Heads of tables stay below the toolbar, however many lines it has.
  const heights = new ResizeObserver(() => {
    const toolbar = document.querySelector(".toolbar");
    document.documentElement.style.setProperty("--toolbar", (toolbar === null ? 0 : toolbar.offsetHeight) + "px");
  });

  // The page that represents the group of this one.
  report.representativeOf = async function (group, page) {
    const first = report.columns.first[group];
    // The page that is kept comes first, the representative first or second.
    const begin = await report.pages(first, first + Math.min(2, report.columns.pages[group]));
    return begin.find((each) => each.represents) || page;
  };

  report.showComparison = async function (group, index) {
    const { word } = report;
    await report.loadColumns();
    const [page] = await report.pages(index, index + 1);
    if (page === undefined || report.groupOfPage(index) !== group) return report.showGroup(group, "");
    const base = await report.representativeOf(group, page);
    if (page.represents) return report.showGroup(group, "");
    const first = report.columns.first[group];
    const last = first + report.columns.pages[group] - 1;
    const step = (to, id) => to < first || to > last ? element("span", { class: "button off" }, word(id))
      : element("a", { class: "button", id, href: "#/group/" + group + "/" + to }, word(id));
    const beside = (by) => (index + by === base.index ? index + 2 * by : index + by);
    const toolbar = element("div", { class: "toolbar" },
      element("a", { id: "up", class: "up", href: "#/group/" + group }, word("groupName", group + 1)),
      step(beside(-1), "previousPage"), step(beside(1), "nextPage"),
      element("span", { class: "count" }, word("pagePosition", index - first + 1, last - first + 1)),
      report.decisionButtons(index, true), report.offersJudging() ? report.undoButton() : null);
    report.show(word("comparison"), toolbar, element("h2", { class: "hidden" }, word("comparison")),
      await report.comparison(base, page));
    heights.observe(toolbar);
    return undefined;
  };
})(window.ndcReport);
