"use strict";
// All groups as columns of numbers: a million of them are filtered and sorted while one looks on.
(function (report) {
  const types = {
    first: Uint32Array, pages: Uint32Array, host: Uint32Array, saved: Float32Array, resemblance: Uint16Array,
    margin: Uint16Array, flags: Uint16Array, rules: Uint16Array, month: Uint16Array, others: Uint16Array,
  };
  const anyHost = 65535;  // more hosts than are told
  const unknown = 65535;
  report.unknownScore = unknown;
  report.columns = null;

  function decode(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  // Little-endian numbers; every browser's machine is.
  report.loadColumns = async function () {
    if (report.columns !== null) return report.columns;
    const { groups, group_part: size, group_parts: parts } = report.meta;
    const columns = {};
    for (const [name, Type] of Object.entries(types)) columns[name] = new Type(groups);
    columns.hosts = [];  // of each part: those of its groups beside that of the page that is kept
    for (let part = 0; part < parts; ++part) {
      const packed = await report.load("groups-" + part, false);
      for (const [name, Type] of Object.entries(types)) {
        columns[name].set(new Type(decode(packed[name]).buffer), part * size);
      }
      columns.hosts.push(new Uint32Array(decode(packed.hosts).buffer));
    }
    report.columns = columns;
    return columns;
  };

  // The group that a page belongs to: the last that begins at it or before it.
  report.groupOfPage = function (page) {
    const first = report.columns.first;
    let low = 0;
    let high = first.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (first[middle] <= page) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  // Calls `take` with each group and each host of its pages that is told.
  report.eachHost = function (take) {
    const { host, others, hosts: parts } = report.columns;
    const { groups, group_part: size } = report.meta;
    for (let part = 0; part < parts.length; ++part) {
      let at = 0;
      for (let i = part * size; i < Math.min(groups, (part + 1) * size); ++i) {
        take(i, host[i]);
        if (others[i] === anyHost) continue;
        for (const end = at + others[i]; at < end; ++at) take(i, parts[part][at]);
      }
    }
  };

  // A byte a group: whether one of its pages is of one of these hosts.
  function groupsOn(hosts) {
    const { others } = report.columns;
    const found = Uint8Array.from(others, (count) => (count === anyHost ? 1 : 0));
    report.eachHost((group, host) => { found[group] |= hosts[host]; });
    return found;
  }

  // Of "2024-05", as the column has it; `none` of anything else.
  function monthNumber(text, none) {
    const found = /^(\d{4})-(\d{2})$/.exec(text || "");
    return found === null ? none : (Number(found[1]) - 1970) * 12 + Number(found[2]);
  }

  // Groups that fit, ascending. `hits`: a byte a group from a search, or null.
  report.select = function (filter, hits) {
    const c = report.columns;
    const count = report.meta.groups;
    const onSite = filter.site === "" ? null : groupsOn(report.hostsWith(filter.site));
    const least = filter.from === "" ? 0 : Math.round(Number(filter.from) * 10000);
    const most = filter.to === "" ? unknown : Math.round(Number(filter.to) * 10000);
    const scored = filter.from !== "" || filter.to !== "";
    const pages = Number(filter.pages) || 0;
    const saved = (Number(filter.saved) || 0) * 1000;
    const flag = filter.flag === "" ? 0 : 1 << Number(filter.flag);
    const mostPages = Number(filter.most) || Infinity;
    const since = monthNumber(filter.since, 0);
    const until = monthNumber(filter.until, Infinity);
    const rule = filter.rule === "" ? 0 : 1 << Number(filter.rule);
    const found = new Uint32Array(count);
    let size = 0;
    for (let i = 0; i < count; ++i) {
      if (hits !== null && hits[i] === 0) continue;
      if (c.pages[i] > mostPages || c.month[i] < since || c.month[i] > until) continue;
      if (c.pages[i] < pages || (saved > 0 && c.saved[i] < saved)) continue;
      if (scored && c.resemblance[i] === unknown) continue;
      if (c.resemblance[i] < least || c.resemblance[i] > most) continue;
      if (flag !== 0 && (c.flags[i] & flag) === 0) continue;
      if (rule !== 0 && (c.rules[i] & rule) === 0) continue;
      if (onSite !== null && onSite[i] === 0) continue;
      found[size++] = i;
    }
    return found.subarray(0, size);
  };

  // A whole number below 2^32 that grows with the value.
  function keysOf(name) {
    const column = report.columns[name];
    if (name !== "saved") return column;
    // Floats that are not negative order as their bits do.
    const bits = new Uint32Array(column.buffer, column.byteOffset, column.length);
    return { length: bits.length, at: (i) => (column[i] < 0 ? 0 : bits[i]) };
  }

  // `selection` by a column, groups of one value in their order. Key and index share a double, which browsers sort much
  // faster than by a function.
  report.sorted = function (selection, name, descending) {
    const keys = keysOf(name);
    const at = typeof keys.at === "function" && name === "saved" ? keys.at : (i) => keys[i];
    const scale = 2 ** Math.ceil(Math.log2(Math.max(2, report.meta.groups)));
    const coarse = scale > 2 ** 21 ? 2 ** 32 * scale / 2 ** 53 : 1;  // what is left of 53 bits
    const packed = new Float64Array(selection.length);
    for (let i = 0; i < selection.length; ++i) {
      const key = Math.floor(at(selection[i]) / coarse);
      packed[i] = (descending ? 2 ** 32 - 1 - key : key) * scale + selection[i];
    }
    packed.sort();
    const order = new Uint32Array(selection.length);
    for (let i = 0; i < packed.length; ++i) order[i] = packed[i] % scale;
    return order;
  };

  // A byte a host: whether its name has this in it.
  report.hostsWith = function (text) {
    const wanted = text.toLowerCase();
    return Uint8Array.from(report.hosts, (host) => (host[0].includes(wanted) ? 1 : 0));
  };
})(window.ndcReport);
