// What calls answer, read from the numbers and texts of the addon (the rows of addon/calls.cpp).
'use strict';

const { numbers } = require('./calls');
const { CAUTION, EVENTS, FLAGS, ROWS, STATISTICS, VERDICTS } = require('./constants');

function fill(object, names, row, at) {
  for (let i = 0; i < names.length; i++) object[names[i]] = row[at + i];
  return object;
}

class Result {
  constructor(at) {
    fill(this, ROWS.ResultFields, numbers, at);
    this.verdict = VERDICTS[this.verdict];
  }

  get isDuplicate() {
    return this.verdict === 'exact' || this.verdict === 'near';
  }

  get isPart() {
    return (this.flags & (FLAGS.CONTAINS | FLAGS.CONTAINED)) !== 0;
  }

  get isCopy() {
    return this.verdict === 'exact' || (this.verdict === 'near' && (this.flags & CAUTION) === 0);
  }

  get isFounder() {
    return this.groupId === this.pageId;
  }
}

const flagNames = (flags) => Object.keys(FLAGS).filter((name) => (flags & FLAGS[name]) !== 0);

function pages([row, urls]) {
  const names = ROWS.PageInfo;
  const hashes = new BigUint64Array(row.buffer); // of which one number is none, but 64 bits
  return urls.map((url, i) => {
    const page = fill({ url }, names, row, i * names.length);
    page.verdict = VERDICTS[page.verdict];
    page.textHash = hashes[i * names.length + names.indexOf('textHash')];
    return page;
  });
}

/** Rows that become objects one by one, as somebody asks for them: there may be millions. */
function rows(row, names, make = (object) => object) {
  return {
    length: row.length / names.length,
    *[Symbol.iterator]() {
      for (let at = 0; at < row.length; at += names.length) yield make(fill({}, names, row, at));
    }
  };
}

module.exports = {
  Result,
  flagNames,
  result: (value, at) => new Result(at),
  resultAndText: (text, at) => ({ result: new Result(at), text }),
  same: (value) => value,
  pages,
  page: (value) => pages(value)[0],
  groups: ([row]) => rows(row, ROWS.Group),
  events: ([row]) => rows(row, ROWS.Event, (event) => ({ ...event, kind: EVENTS[event.kind] })),
  statistics: ([row]) => fill({}, STATISTICS, row, 0),
  number: ([row]) => row[0]
};
