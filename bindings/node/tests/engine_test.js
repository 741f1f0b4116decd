// What the calls of an engine do beyond what tests/conformance asks: stores, many calls at once, signals, the log.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const ndc = require('..');
const { place, text } = require('./texts');

/** Goes on once threads have the calls made so far, and before any of their answers can arrive. */
const handedToThreads = () => new Promise(process.nextTick);

const page = (seed, note = '') => ({ url: `http://a.example/${seed}${note}`, body: `<p>${text(seed)} ${note}</p>` });

test('bodies are strings and every kind of bytes', async () => {
  const pages = await ndc.NearDuplicates.open();
  const raw = Buffer.from(`<p>${text(1)} Ärger</p>`);
  const apart = new Uint8Array(raw).buffer;
  const shifted = new Uint8Array(raw.length + 3);
  shifted.set(raw, 3);
  const bodies = [
    raw,
    raw.toString(),
    new Uint8Array(raw),
    apart,
    new DataView(apart),
    shifted.subarray(3),
    raw.length % 2 === 0 ? new Uint16Array(apart) : new Int8Array(apart)
  ];
  for (const [i, body] of bodies.entries()) {
    const given = { url: Buffer.from(`http://a.example/${i}`), body, contentType: 'text/html; charset=utf-8' };
    assert.equal((await pages.check(given)).verdict, i === 0 ? 'new' : 'exact', `body ${i}`);
    assert.equal(pages.querySync(given).verdict, 'unchanged', `body ${i}`);
  }
  await pages.close();
});

test('many calls at once are all answered, each with its own answer', async () => {
  for (const store of [false, true]) {
    const pages = await ndc.NearDuplicates.open(store ? place(test) : null);
    const seeds = Array.from({ length: 300 }, (_, i) => i);
    const results = await Promise.all(seeds.map((seed) => pages.check(page(seed))));
    assert.equal(new Set(results.map((result) => result.pageId)).size, 300);
    const again = await Promise.all(
      seeds.map((seed) => pages.check({ ...page(seed), url: `http://b.example/${seed}` }))
    );
    assert.ok(again.every((result, i) => result.verdict === 'exact' && result.groupId === results[i].groupId));
    const infos = await Promise.all(seeds.map((seed) => pages.find(`http://a.example/${seed}`)));
    assert.deepEqual(
      infos.map((info) => info.pageId),
      results.map((result) => result.pageId)
    );
    const groups = await pages.groups();
    assert.equal(groups.length, 300);
    assert.ok([...groups].every((group) => group.pageCount === 2 && group.representativePageId === group.groupId));
    assert.equal((await pages.stats()).verdict_exact, 300);
    assert.match(await pages.metrics(), /^ndc_pages 600$/m);
    await pages.close();
  }
});

test('a body may be filled anew as soon as the call is made', async () => {
  const pages = await ndc.NearDuplicates.open();
  const body = Buffer.alloc(100_000);
  const calls = [];
  for (let seed = 0; seed < 20; seed++) {
    body.fill(' ').write(`<p>${text(seed)}</p>`);
    calls.push(pages.check({ url: `http://a.example/${seed}`, body }));
  }
  assert.ok((await Promise.all(calls)).every((result) => result.verdict === 'new'));
  await pages.close();
});

test('the loop turns while small calls follow each other', async () => {
  const pages = await ndc.NearDuplicates.open();
  let turns = 0;
  let isDone = false;
  const turn = () => isDone || setImmediate(turn, turns++);
  turn();
  for (let i = 0; i < 500; i++) await pages.check(page(1));
  isDone = true;
  assert.ok(turns > 15, `${turns} turns`);
  await pages.close();
});

test('a store keeps its pages, and one writer has it', async () => {
  const store = place(test);
  const first = await ndc.NearDuplicates.open(store, { memory_budget_bytes: 2 ** 28 });
  const { groupId } = await first.check(page(1));
  await first.check(page(1, 'Read more.'));
  await assert.rejects(ndc.NearDuplicates.open(store), { code: 'ERR_NDC_LOCKED', name: 'NdcError' });
  await first.snapshot();
  const reader = await ndc.NearDuplicates.open(store, { read_only: true });
  assert.equal((await reader.members(groupId)).length, 2);
  await assert.rejects(reader.check(page(2)), { code: 'ERR_NDC_READ_ONLY' });
  await first.check(page(2));
  await first.compact();
  await reader.refresh();
  assert.equal((await reader.stats()).pages, 3);
  await reader.close();
  await first.close();
  await first.close();
  const second = ndc.NearDuplicates.openSync(store);
  assert.equal(second.checkSync(page(1)).verdict, 'unchanged');
  assert.equal(
    second.removeMatchingSync({ prefix: 'http://a.example/1', fetchedBefore: new Date(Date.now() + 1000) }),
    2
  );
  assert.equal(await second.removeMatching({ site: 'b.example', purge: true }), 0);
  assert.deepEqual(
    [...second.eventsSync()].map((event) => event.kind),
    ['removed', 'removed']
  );
  assert.equal(second.removeSync('http://a.example/2'), true);
  assert.equal(second.removeSync('http://a.example/2'), false);
  second.closeSync();
  second.closeSync();
  assert.equal(second.closed, true);
});

test('a time before all pages removes none', async () => {
  const pages = await ndc.NearDuplicates.open();
  await pages.check(page(1));
  for (const fetchedBefore of [0, -0, -1, new Date(0), new Date(-1), new Date(NaN)])
    for (const filter of [{ fetchedBefore }, { prefix: 'http://a.example/', fetchedBefore }]) {
      assert.throws(() => pages.removeMatchingSync(filter), { code: 'ERR_NDC_INVALID_ARGUMENT' });
      await assert.rejects(pages.removeMatching(filter), { code: 'ERR_NDC_INVALID_ARGUMENT' });
    }
  assert.equal(await pages.removeMatching({ prefix: 'http://a.example/', fetchedBefore: 1 }), 0);
  assert.equal((await pages.stats()).pages, 1);
  assert.equal(await pages.removeMatching({ prefix: 'http://a.example/', fetchedBefore: null }), 1);
  await pages.close();
});

test('what is known of pages, and why', async () => {
  const pages = await ndc.NearDuplicates.open(undefined, { keep_text: true });
  const a = await pages.check({ ...page(1), fetchedAt: new Date(1_700_000_000_000) });
  const b = await pages.check(page(1, 'Read more.'));
  assert.deepEqual(
    [a.isFounder, a.isDuplicate, a.isCopy, b.isFounder, b.isDuplicate, b.isPart, b.isCopy],
    [true, false, false, false, true, false, false]
  );
  assert.ok(b.flags & ndc.Flag.UNCERTAIN, 'of so little text a word may make another page');
  const info = await pages.page(a.pageId);
  assert.equal(info.firstFetchedAt, 1_700_000_000_000);
  assert.equal(typeof info.textHash, 'bigint');
  assert.deepEqual(await pages.find(info.url), info);
  assert.equal(await pages.page(99), undefined);
  assert.equal(await pages.find('http://nowhere.example/'), undefined);
  assert.equal((await pages.compare(a.pageId, b.pageId)).verdict, 'near');
  const why = await pages.explain(a.pageId, b.pageId);
  assert.equal(why.verdict, 'near');
  assert.match(why.segments.map((segment) => segment.text).join(' '), /read more/i);
  await assert.rejects(pages.members(99), { code: 'ERR_NDC_NOT_FOUND' });
  assert.match(await pages.ownText(page(3)), /^\w/);
  assert.equal((await ndc.extract(page(3))).kind, 'html');
  await pages.close();
});

test('a signal gives a call up', async () => {
  const pages = await ndc.NearDuplicates.open();
  await assert.rejects(pages.check(page(1), { signal: AbortSignal.abort() }), { name: 'AbortError' });
  const waiting = new AbortController();
  const call = pages.check(page(1), { signal: waiting.signal });
  waiting.abort(new Error('changed my mind'));
  await assert.rejects(call, /changed my mind/);
  assert.equal((await pages.stats()).pages, 0);
  const running = new AbortController();
  const large = { url: 'http://a.example/', body: `<p>${text(1, 60_000)}</p>` };
  const begun = pages.check(large, { signal: running.signal });
  await handedToThreads();
  running.abort();
  await assert.rejects(begun, { name: 'AbortError' });
  await pages.close();
  const kept = new AbortController();
  const other = await ndc.NearDuplicates.open(null, { signal: kept.signal });
  await Promise.all([1, 2, 3].map((seed) => other.check(page(seed), { signal: kept.signal })));
  kept.abort();
  assert.equal((await other.stats()).pages, 3);
  await other.close();
});

test('what threads have not begun is given up', async () => {
  const pages = await ndc.NearDuplicates.open(place(test));
  const signal = new AbortController();
  const body = `<p>${text(1, 60_000)}</p>`; // keeps every thread busy until the signal comes
  const long = Array.from({ length: 20 }, (_, i) => pages.check({ url: `http://long.example/${i}`, body }));
  const calls = Array.from({ length: 300 }, (_, seed) => pages.check(page(seed), { signal: signal.signal }));
  const ended = Promise.allSettled(calls);
  await handedToThreads();
  signal.abort();
  assert.ok((await ended).every((call) => call.status === 'rejected'));
  await Promise.all(long);
  assert.ok((await pages.stats()).pages < 20 + 150, 'threads carried most of them out');
  await pages.close();
});

test('closing waits for the calls that are under way', async () => {
  const pages = await ndc.NearDuplicates.open(place(test));
  const calls = Array.from({ length: 50 }, (_, seed) => pages.check(page(seed)));
  assert.throws(() => pages.closeSync(), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  const closed = pages.close();
  await assert.rejects(pages.check(page(1)), { code: 'ERR_NDC_CLOSED' });
  assert.throws(() => pages.statsSync(), { code: 'ERR_NDC_CLOSED' });
  assert.equal((await Promise.all(calls)).length, 50);
  await closed;
});

test('options without effect, and what a function of the log throws, are warnings', async () => {
  const lines = [];
  const first = await ndc.NearDuplicates.open(null, { journal_bytes: 1 << 20, onLog: (...line) => lines.push(line) });
  assert.equal(lines.length, 1);
  assert.equal(lines[0][0], 'warning');
  assert.match(lines[0][1], /journal_bytes/);
  await first.close();
  const warned = new Promise((resolve) => process.once('warning', resolve));
  const onLog = () => {
    throw new Error('from the log');
  };
  const second = ndc.NearDuplicates.openSync(null, { journal_bytes: 1 << 20, onLog });
  assert.equal((await warned).message, 'from the log');
  assert.equal(second.checkSync(page(1)).verdict, 'new');
  second.closeSync();
});

test('features go elsewhere and come back', async () => {
  const [a, b] = await Promise.all([page(1), page(1, 'Read more.')].map((given) => ndc.Features.compute(given)));
  const copy = new ndc.Features(new Uint8Array(b.bytes));
  assert.deepEqual(copy.keys, b.keys);
  assert.equal(a.decide(copy).verdict, 'near');
  const site = new ndc.SiteModel();
  for (const one of [a, b]) site.learn(one);
  const other = new ndc.SiteModel(site.save());
  assert.deepEqual(other.save(), site.save());
  other.forget(b);
  assert.notDeepEqual(other.save(), site.save());
  assert.equal(a.withSite(site).decide(b.withSite(site)).pageId, 0);
  const pages = await ndc.NearDuplicates.open();
  assert.equal((await pages.checkFeatures(a)).verdict, 'new');
  assert.equal(pages.checkFeaturesSync(copy).verdict, 'near');
  const sketches = await Promise.all([page(1), page(2)].map((given) => ndc.Signature.compute(given)));
  assert.equal(sketches[0].similarity(sketches[0]), 1);
  assert.ok(sketches[0].similarity(sketches[1]) < 0.5);
  await pages.close();
});

test('classes that extend features and signatures', async () => {
  class OwnFeatures extends ndc.Features {}
  class OwnSignature extends ndc.Signature {}
  for (const [Own, Class] of [
    [OwnFeatures, ndc.Features],
    [OwnSignature, ndc.Signature]
  ]) {
    const plain = Class.computeSync(page(1));
    assert.equal(Object.getPrototypeOf(plain), Class.prototype);
    for (const own of [Own.computeSync(page(1)), await Own.compute(page(1)), new Own(plain.bytes)]) {
      assert.ok(own instanceof Own);
      assert.deepEqual(own.bytes, plain.bytes);
      assert.deepEqual(own.keys, plain.keys);
    }
  }
  assert.equal(OwnFeatures.computeSync(page(1)).decide(ndc.Features.computeSync(page(1))).verdict, 'exact');
});
