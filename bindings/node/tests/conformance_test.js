// The cases that every language runs, by promises and by the calls that wait, and the runner's own faults.
'use strict';

const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { faultsOf } = require('./conformance_run');

const CASES = JSON.parse(readFileSync(path.join(__dirname, '../../../tests/conformance/cases.json'), 'utf8'));
const GOOD = {
  name: 'good',
  why: 'it is what the others are made of',
  pages: { ferry: { url: 'http://a.example/ferry', body: '<p>The ferry leaves at noon and at six.</p>' } },
  steps: [
    {
      call: 'check',
      page: 'ferry',
      expect: { verdict: 'new', group: 'ferry', matched: null, flags: ['short'], resemblance: [0, 0] }
    }
  ]
};

assert.deepEqual(Object.keys(CASES).sort(), ['cases', 'format']);
assert.equal(CASES.format, 1);
assert.ok(CASES.cases.length >= 60);
for (const members of CASES.cases)
  for (const waits of [false, true])
    test(`${members.name}${waits ? ', waiting' : ''}`, async () => {
      assert.deepEqual(await faultsOf(members, waits), [], members.why);
    });

test('the good case has no fault', async () => {
  assert.deepEqual(await faultsOf(GOOD, false), []);
});

const CHANGES = [
  (members) => (members.surprise = 1),
  (members) => (members.pages.ferry.surprise = 1),
  (members) => (members.steps[0].surprise = 1),
  (members) => (members.steps[0].expect.surprise = 1),
  (members) => (members.steps[0].call = 'chekc'),
  (members) => (members.pages.ferry.body_base64 = ''),
  (members) => (members.pages.quay = members.pages.ferry),
  (members) => (members.steps[0].expect.verdict = 'near'),
  (members) => (members.steps[0].expect.group = null),
  (members) => (members.steps[0].expect.matched = 'ferry'),
  (members) => (members.steps[0].expect.flags = []),
  (members) => (members.steps[0].expect.flags = ['short', 'limit']),
  (members) => (members.steps[0].expect.resemblance = [0.1, 1]),
  (members) => (members.steps[0].expect.resemblance = [1, 0]),
  (members) => (members.steps[0].expect.page_id = 7),
  (members) => (members.steps[0].expect.error = 'INVALID_ARGUMENT')
];
for (const [i, change] of CHANGES.entries())
  test(`fault ${i} is seen`, async () => {
    const members = structuredClone(GOOD);
    change(members);
    assert.notDeepEqual(await faultsOf(members, i % 2 === 1), []);
  });
