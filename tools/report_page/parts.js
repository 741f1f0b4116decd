"use strict";
// The parts of the data: elements of this file, or files of their own, which script elements load, since a page that
// was opened from a disk can load nothing else (docs/report_format.md).
(function (report) {
  const kept = 96;            // parts that are held; older ones are loaded again
  const loaded = new Map();   // name → promise of the data, the newest last
  const waiting = new Map();  // name → what takes the data
  const loading = new Map();  // name → promise of what a script is loading: two would take each other's data

  // Each file calls it.
  report.part = function (name, data) {
    const take = waiting.get(name);
    if (take !== undefined) take(data);
  };

  function begin(name) {
    const held = document.getElementById("part-" + name);
    if (held !== null) return Promise.resolve(JSON.parse(held.textContent));
    return new Promise((resolve, reject) => {
      const script = report.element("script", {
        src: "data/" + name + ".js",
        load: () => end(new Error("data/" + name + ".js")),
        error: () => end(new Error("data/" + name + ".js")),
      });
      function end(failure) {
        script.remove();
        // The event comes after all that the data have set off, which may be that they are loaded again.
        if (waiting.get(name) === resolve) waiting.delete(name);
        reject(failure);  // of no effect behind resolve
      }
      waiting.set(name, resolve);
      document.head.append(script);
    });
  }

  // A promise of the part's data. `keep`: false for one that is needed once.
  report.load = function (name, keep = true) {
    let part = loaded.get(name);
    if (part === undefined) part = loading.get(name);
    if (part === undefined) {
      part = begin(name);
      loading.set(name, part);
      const end = () => loading.delete(name);
      part.then(end, end);
    }
    loaded.delete(name);
    if (!keep) return part;
    part.catch(() => loaded.delete(name));
    loaded.set(name, part);
    if (loaded.size > kept) loaded.delete(loaded.keys().next().value);
    return part;
  };

  const fields = ["verdict", "flags", "resemblance", "containment", "time", "bytes", "width", "role", "rule", "text",
    "votes", "pair"];

  // Rows of a part of pages, as objects.
  function unpack(part) {
    if (part.pages !== undefined) return part.pages;
    const names = part.names.split("\n");
    // A text of JSON: a search, which does not need them, is spared the time to build them.
    part.pages = JSON.parse(part.rows).map((row, index) => {
      const [url, title] = names[index].split("\t");
      const page = { address: url, url: report.visible(url), title: report.visible(title || "") };
      fields.forEach((field, at) => { page[field] = row[at]; });
      page.kept = (page.role & 1) !== 0;
      page.represents = (page.role & 2) !== 0;
      return page;
    });
    return part.pages;
  }

  // A promise of the pages [begin, end), numbered as in the report.
  report.pages = async function (begin, end) {
    const size = report.meta.page_part;
    const found = [];
    for (let part = Math.floor(begin / size); part * size < end; ++part) {
      const rows = unpack(await report.load("pages-" + part));
      const first = part * size;
      for (let i = Math.max(begin, first); i < Math.min(end, first + rows.length); ++i) {
        found.push(Object.assign({ index: i }, rows[i - first]));
      }
    }
    return found;
  };

  // A promise of the texts entry of a page: its text, or how it differs from another one.
  report.textEntry = async (part, page) => (await report.load("texts-" + part)).find((entry) => entry.p === page);
})(window.ndcReport);
