// What calls answer, read from the numbers and texts of the addon (the rows of addon/calls.cpp).
'use strict';

const { numbers } = require('./calls');
const { EVENTS, FLAGS, STATISTICS, VERDICTS } = require('./constants');

class Result {
  constructor(row, at) {
    this.verdict = VERDICTS[row[at]];
    this.flags = row[at + 1];
    this.pageId = row[at + 2];
    this.groupId = row[at + 3];
    this.matchedPageId = row[at + 4];
    this.resemblance = row[at + 5];
    this.containment = row[at + 6];
    this.pageCoverage = row[at + 7];
    this.matchedCoverage = row[at + 8];
    this.probability = row[at + 9];
    this.relatedGroupId = row[at + 10];
  }

  get isDuplicate() {
    return this.verdict === 'exact' || this.verdict === 'near';
  }

  get isPart() {
    return (this.flags & (FLAGS.CONTAINS | FLAGS.CONTAINED)) !== 0;
  }

  get isFounder() {
    return this.groupId === this.pageId;
  }
}

const flagNames = (flags) => Object.keys(FLAGS).filter((name) => (flags & FLAGS[name]) !== 0);

/** Makes objects with these members of a row's numbers. */
function reader(...names) {
  return (row, at) => Object.fromEntries(names.map((name, i) => [name, row[at + i]]));
}

const pageRow = reader(
  'verdict',
  'flags',
  'pageId',
  'groupId',
  'firstFetchedAt',
  'lastFetchedAt',
  'textWidth',
  'textHash',
  'low',
  'matchedPageId',
  'resemblance',
  'containment',
  'probability',
  'relatedGroupId'
);
const PAGE_NUMBERS = 14;
const groupRow = reader('groupId', 'pageCount', 'representativePageId');
const eventRow = reader('sequence', 'kind', 'pageId', 'oldGroupId', 'newGroupId', 'at');

function pages([row, urls]) {
  return urls.map((url, i) => {
    const { low, ...page } = pageRow(row, i * PAGE_NUMBERS);
    return { url, ...page, verdict: VERDICTS[page.verdict], textHash: (BigInt(page.textHash) << 32n) | BigInt(low) };
  });
}

/** Rows that become objects one by one, as somebody asks for them: there may be millions. */
class Rows {
  #row;
  #width;
  #make;

  constructor([row], width, make) {
    this.#row = row;
    this.#width = width;
    this.#make = make;
  }

  get length() {
    return this.#row.length / this.#width;
  }

  *[Symbol.iterator]() {
    for (let at = 0; at < this.#row.length; at += this.#width) yield this.#make(this.#row, at);
  }
}

const event = (row, at) => ({ ...eventRow(row, at), kind: EVENTS[row[at + 1]] });

module.exports = {
  Result,
  flagNames,
  result: (value, at) => new Result(numbers, at),
  resultAndText: (text, at) => ({ result: new Result(numbers, at), text }),
  same: (value) => value,
  pages,
  page: (value) => pages(value)[0],
  groups: (value) => new Rows(value, 3, groupRow),
  events: (value) => new Rows(value, 6, event),
  statistics: ([row]) => Object.fromEntries(STATISTICS.map((name, i) => [name, row[i]])),
  number: ([row]) => row[0]
};
