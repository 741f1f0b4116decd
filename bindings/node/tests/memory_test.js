// Calls of every kind again and again take no more memory than at first.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const ndc = require('..');
const { text } = require('./texts');

const SECONDS = Number(process.env.NDC_MEMORY_SECONDS) || 60;
const PARTS = 6;
const MOST_GROWTH = 16 << 20; // of a process of about 100 MB, which V8 and glibc vary by

const page = (i) => ({ url: `http://a.example/${i % 40}`, body: Buffer.from(`<p>${text(i % 40)}</p>`) });

/** One round; a store of 40 pages does not grow. */
async function round(pages, i) {
  const gone = new AbortController();
  const given = page(i);
  await Promise.all([
    pages.check(given),
    pages.query({ ...given, body: given.body.toString().repeat(20) }),
    pages.checkWithText(given),
    pages.ownText(given),
    pages.check({ ...given, body: Buffer.alloc(100_000, 'a ') }, { signal: gone.signal }).catch(() => {}),
    pages.groups().then((groups) => [...groups]),
    pages.members(1).catch(() => {}),
    pages.events(),
    pages.find(given.url),
    pages.stats(),
    pages.metrics(),
    pages.check({ body: 7 }).catch(() => {}),
    pages.members(1 << 30).catch(() => {}),
    ndc.extract(given),
    ...(i % 2 === 0 ? [gone.abort()] : [])
  ]);
  pages.checkSync(given);
  const features = ndc.Features.computeSync(given);
  const site = new ndc.SiteModel();
  site.learn(features);
  features.withSite(site).decide(features);
  assert.ok(features.keys.length > 0);
  await pages.removeMatching({ prefix: 'http://a.example/' });
  const other = await ndc.NearDuplicates.open(null, { onLog: () => {}, journal_bytes: 1 << 20 });
  if (i % 3 !== 0) await other.close();
}

test('memory is flat', { timeout: 2 * SECONDS * 1000 + 60_000 }, async () => {
  const pages = await ndc.NearDuplicates.open(null, { events_limit: 100 });
  const until = Date.now() + SECONDS * 1000;
  const taken = [];
  let i = 0;
  for (let part = 1; part <= PARTS; part++) {
    while (Date.now() < until - (PARTS - part) * (SECONDS / PARTS) * 1000) {
      await round(pages, i++);
      if (i % 50 === 0) global.gc(); // engines that nobody closed
    }
    global.gc();
    await new Promise(setImmediate);
    global.gc();
    const { rss, heapUsed } = process.memoryUsage();
    taken.push({ rounds: i, rss, heapUsed });
  }
  await pages.close();
  for (const { rounds, rss, heapUsed } of taken)
    console.log(`# ${rounds} rounds: ${rss >> 10} and ${heapUsed >> 10} KB`);
  const [, , third] = taken;
  const last = taken.at(-1);
  assert.ok(last.rounds > third.rounds);
  assert.ok(last.rss - third.rss < MOST_GROWTH, `${third.rss} bytes, then ${last.rss}`);
  assert.ok(last.heapUsed - third.heapUsed < MOST_GROWTH / 4, `${third.heapUsed} bytes of heap, then ${last.heapUsed}`);
});
