"use strict";
// Search in URLs and titles: part after part, so that a search over millions of pages shows what it has found so far
// and can be given up.
(function (report) {
  const ahead = 4;  // parts that are loaded while one is searched
  let current = 0;

  // Marks in `hits` the groups of pages that have every word. `progress` is called with the pages looked at, and
  // whether that is all of them. A later search ends this one, and it gives false.
  report.search = async function (text, hits, progress) {
    const own = ++current;
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "").map(spellings);
    const { group_rows: count, page_part: size } = report.meta;
    const parts = Math.ceil(count / size);
    const load = (part) => {
      const loaded = report.load("pages-" + part, false);
      loaded.catch(() => {});  // it is met when its turn comes
      return loaded;
    };
    const queue = [];
    let told = performance.now();
    for (let part = 0; part * size < count; ++part) {
      while (queue.length <= ahead && part + queue.length < parts) queue.push(load(part + queue.length));
      const { names } = await queue.shift();
      if (own !== current) return false;
      mark(names.toLowerCase(), part * size, words, hits);
      const done = Math.min(count, (part + 1) * size);
      if (done < count && performance.now() - told < 250) continue;
      told = performance.now();
      progress(done, done === count);
      await new Promise((resolve) => setTimeout(resolve));
    }
    if (count === 0) progress(0, true);
    return own === current;
  };

  report.stopSearch = () => { ++current; };

  // URLs are shown decoded, and kept as they are.
  function spellings(word) {
    const isPlain = !/[^\x20-\x7e]/.test(word) || /\p{Surrogate}/u.test(word);
    return isPlain ? [word] : [word, encodeURIComponent(word).toLowerCase()];
  }

  // `words`: of each its spellings.
  function mark(names, first, words, hits) {
    // The longest word is likely in fewest rows; the others are looked for there.
    const [rarest, ...others] = [...words].sort((a, b) => b[0].length - a[0].length);
    for (const spelling of rarest) markBy(spelling, names, first, others, hits);
  }

  function markBy(rarest, names, first, others, hits) {
    let counted = 0;  // line ends before `at`
    let at = 0;
    for (let found = names.indexOf(rarest); found >= 0; found = names.indexOf(rarest, at)) {
      for (let end = names.indexOf("\n", at); end >= 0 && end < found; end = names.indexOf("\n", at)) {
        ++counted;
        at = end + 1;
      }
      const end = names.indexOf("\n", found);
      const row = names.slice(at, end < 0 ? names.length : end);
      const hasAll = others.every((word) => word.some((spelling) => row.includes(spelling)));
      if (hasAll) hits[report.groupOfPage(first + counted)] = 1;
      if (end < 0) return;
      ++counted;
      at = end + 1;
    }
  }
})(window.ndcReport);
