"use strict";
// Pictures of the groups, drawn from their columns: when and where they are, and how large and how alike. A field of a
// picture leads to its groups.
(function (report) {
  const sitesShown = 12;
  const monthsShown = 24;
  const cell = 26;
  const labelWidth = 170;
  const sizes = [[2, 2], [3, 4], [5, 8], [9, 16], [17, 32], [33, 64], [65, 0]];  // pages of a group, from and to
  const alike = Array.from({ length: 10 }, (none, i) => 9 - i);                  // tenths of resemblance

  function draw(name, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    made.append(...children.flat());
    return made;
  }

  const box = (x, y, strength, ...children) => draw("rect", { x, y, width: cell - 2, height: cell - 2, rx: 3,
    class: "field", "fill-opacity": strength.toFixed(2) }, children);
  const text = (x, y, said, anchor = "end") => draw("text", { x, y, "text-anchor": anchor }, said);

  // The strengths of fields, from one group to the most that a field has.
  function scale(most, y) {
    const shades = most === 1 ? [1] : [0.15 + 0.85 / Math.sqrt(most), 1];
    return [text(labelWidth - 8, y + 17, report.word("found", 1)),
      shades.map((strength, i) => box(labelWidth + i * cell, y, strength)),
      most === 1 ? [] : text(labelWidth + 2 * cell + 6, y + 17, report.word("found", most), "start")].flat();
  }

  // `axes`: what runs down and across; `rows` and `columns`: {label, address part}; `counts[row][column]`;
  // `name(row, column, count)`: of a field.
  function grid(caption, axes, rows, columns, counts, name) {
    const most = Math.max(1, ...counts.flat());
    const bottom = rows.length * cell;
    const height = bottom + 60 + cell;
    const width = labelWidth + Math.max(columns.length, 6) * cell + 30;
    const fields = [];
    rows.forEach((row, y) => columns.forEach((column, x) => {
      const count = counts[y][x];
      if (count === 0) return;
      const said = name(row, column, count);
      fields.push(draw("a", { href: "#/groups?" + new URLSearchParams({ ...row.filter, ...column.filter }),
        "aria-label": said }, box(labelWidth + x * cell, y * cell, 0.15 + 0.85 * Math.sqrt(count / most),
        draw("title", {}, said))));
    }));
    const down = rows.map((row, y) => text(labelWidth - 8, y * cell + 17, row.label));
    const names = [axes[0] + " ↑", axes[1] + " →"].map((axis, i) => text(labelWidth - 8, bottom + 17 + 16 * i, axis));
    const across = columns.map((column, x) => draw("text", { transform:
      "translate(" + (labelWidth + x * cell + 16) + " " + (bottom + 6) + ") rotate(60)" }, column.label));
    return report.element("figure", { class: "picture" }, report.element("figcaption", {}, caption),
      draw("svg", { viewBox: "0 0 " + width + " " + height, width, height, role: "group",
        "aria-label": caption }, down, names, across, fields, scale(most, bottom + 60)));
  }

  const short = (text) => (text.length <= 22 ? text : "…" + text.slice(-21));

  function byMonthAndSite() {
    const { month } = report.columns;
    const ofHost = new Uint32Array(report.hosts.length);
    report.eachHost((group, host) => { ++ofHost[host]; });
    const hosts = [...ofHost.keys()].filter((host) => ofHost[host] > 0).sort((x, y) => ofHost[y] - ofHost[x])
      .slice(0, sitesShown);
    const seen = new Set(month);
    const months = [...seen].filter((each) => each > 0).sort((x, y) => x - y).slice(-monthsShown);
    if (months.length === 0) return null;
    const row = new Map(hosts.map((each, i) => [each, i]));
    const column = new Map(months.map((each, i) => [each, i]));
    const counts = hosts.map(() => months.map(() => 0));
    report.eachHost((group, host) => {
      const x = column.get(month[group]);
      if (row.has(host) && x !== undefined) ++counts[row.get(host)][x];
    });
    const { word } = report;
    return grid(word("pictureSites"), [word("site"), word("month")],
      hosts.map((each) => ({ label: short(report.visible(report.hosts[each][0]) || word("noSite")),
        filter: { site: report.hosts[each][0] } })),
      months.map(report.month).map((each) => ({ label: each, filter: { since: each, until: each } })),
      counts, (y, x, count) => y.label + ", " + x.label + ": " + word("found", count));
  }

  function bySizeAndLikeness() {
    const { resemblance, pages } = report.columns;
    const counts = alike.map(() => sizes.map(() => 0));
    for (let i = 0; i < pages.length; ++i) {
      if (resemblance[i] === report.unknownScore) continue;
      const tenth = Math.min(9, Math.floor(resemblance[i] / 1000));
      const column = sizes.findIndex(([from, to]) => pages[i] >= from && (to === 0 || pages[i] <= to));
      ++counts[9 - tenth][column];
    }
    const { word } = report;
    return grid(word("pictureSizes"), [word("resemblance"), word("size")],
      alike.map((tenth) => ({ label: word("alike", report.percent(tenth / 10), report.percent((tenth + 1) / 10)),
        filter: { from: String(tenth / 10), to: tenth === 9 ? "1" : String((tenth + 1) / 10 - 0.0001) } })),
      sizes.map(([from, to]) => ({ label: to === 0 ? from + "+" : from === to ? String(from) : from + "–" + to,
        filter: to === 0 ? { pages: String(from) } : { pages: String(from), most: String(to) } })),
      counts, (y, x, count) => y.label + ", " + word("pages", x.label) + ": " + word("found", count));
  }

  // Once the columns are there, which the overview does not wait for.
  report.pictures = async function (place) {
    await report.loadColumns();
    if (report.meta.groups === 0 || !place.isConnected) return;
    place.replaceChildren(...[byMonthAndSite(), bySizeAndLikeness()].filter(Boolean));
  };
})(window.ndcReport);
