// Texts of words that mean nothing, always the same for a seed, and places for stores.
'use strict';

const { mkdtempSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const SYLLABLES = 'ba ce di fo gu ha ke li mo nu pa re si to vu wa ye zi'.split(' ');

function random(seed) {
  let state = BigInt(seed) * 2654435761n + 1n;
  return (limit) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(limit));
  };
}

function text(seed, words = 150) {
  const next = random(seed);
  const word = () => Array.from({ length: 2 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  return Array.from({ length: words }, (_, i) => word() + (i % 12 === 11 ? '.' : '')).join(' ');
}

/** A directory that is gone after the test. */
function place(test) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ndc-node-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  return path.join(directory, 'store');
}

module.exports = { text, place };
