// Whatever the package is given: an error of JavaScript, never the end of the process.
'use strict';

const assert = require('node:assert/strict');
const { mkdtempSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const ndc = require('..');
const { text } = require('./texts');

const BODY = `<p>${text(1)}</p>`;
const THINGS = [
  undefined,
  null,
  true,
  0,
  -1,
  NaN,
  1.5,
  2 ** 53,
  1n,
  'x',
  '',
  Symbol('s'),
  () => {},
  [],
  {},
  [1],
  new Map()
];
const ARRAYS = [new Float64Array(3), new BigInt64Array(2), new Uint8Array(0), new ArrayBuffer(0)];
const EXPECTED = (failure) => failure instanceof ndc.NdcError || failure instanceof TypeError;

/** Calls that take anything: each answers or fails with an error that is expected. */
async function survives(call) {
  try {
    await call();
  } catch (failure) {
    if (failure.message !== 'from a getter') assert.ok(EXPECTED(failure), failure.stack);
  }
}

test('arguments of every kind', async () => {
  const pages = await ndc.NearDuplicates.open();
  const names = Object.getOwnPropertyNames(ndc.NearDuplicates.prototype).filter(
    (name) => !['constructor', 'closed', 'close', 'closeSync'].includes(name)
  );
  assert.ok(names.length >= 38);
  for (const name of names)
    for (const a of [...THINGS, ...ARRAYS])
      for (const b of [undefined, null, 7, 'first', {}, Symbol('s')]) await survives(() => pages[name](a, b));
  for (const thing of [...THINGS, ...ARRAYS]) {
    for (const field of ['url', 'body', 'contentType', 'fetchedAt', 'truncated'])
      await survives(() => pages.check({ url: 'http://a.example/', body: BODY, [field]: thing }));
    for (const field of ['prefix', 'site', 'fetchedBefore', 'purge'])
      await survives(() => pages.removeMatching({ prefix: 'http://nowhere.example/', [field]: thing }));
    for (const make of [ndc.Features, ndc.Signature, ndc.SiteModel, ndc.NearDuplicates, ndc.Result, ndc.NdcError])
      await survives(() => new make(thing));
    await survives(async () => (await ndc.NearDuplicates.open(null, thing)).close());
    await survives(async () => (await ndc.NearDuplicates.open(null, { detector: thing })).close());
    await survives(() => ndc.Features.compute({ body: BODY }, { page_bytes_limit: thing }));
    await survives(() => ndc.extract(thing, thing));
    await survives(() => new ndc.Features(Buffer.from('no features')).decide(thing, thing));
    await survives(() => new ndc.SiteModel().learn(thing));
    await survives(() => ndc.NearDuplicates.prototype.check.call(thing, { body: BODY }));
  }
  await assert.rejects(pages.check('http://a.example/', BODY), { code: 'ERR_INVALID_ARG_TYPE' });
  await assert.rejects(pages.check({ url: 'http://a.example/' }), TypeError);
  await assert.rejects(pages.members('1'), TypeError);
  await assert.rejects(pages.members(-1), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await assert.rejects(ndc.NearDuplicates.open('a\0b'), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await assert.rejects(ndc.NearDuplicates.open(null, { 'detec\0tor': 'lcs' }), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await assert.rejects(ndc.NearDuplicates.open(null, { resemblance: 1e-7 }), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await assert.rejects(ndc.NearDuplicates.open(null, { spot_bytes: 1e30 }), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await pages.close();
});

test('every call of an engine that was closed', async () => {
  const pages = ndc.NearDuplicates.openSync();
  pages.closeSync();
  const page = { url: 'http://a.example/', body: BODY };
  const given = { check: page, query: page, checkWithText: page, ownText: page, remove: 'u', find: 'u' };
  given.checkFeatures = await ndc.Features.compute(page);
  given.removeMatching = { site: 'a.example' };
  const names = Object.getOwnPropertyNames(ndc.NearDuplicates.prototype).filter(
    (name) => !/^(constructor|close|closeSync|closed)$/.test(name)
  );
  assert.ok(names.length >= 30, names.join());
  for (const name of names)
    await assert.rejects(
      async () => pages[name](given[name.replace(/Sync$/, '')] ?? 1, 2),
      { code: 'ERR_NDC_CLOSED' },
      name
    );
});

test('getters that throw', async () => {
  const pages = await ndc.NearDuplicates.open();
  const trap = new Proxy({}, { get: () => assert.fail('from a getter'), ownKeys: () => assert.fail('from a getter') });
  for (const given of [
    trap,
    {
      body: BODY,
      get url() {
        throw new Error('from a getter');
      }
    }
  ]) {
    await assert.rejects(pages.check(given), /from a getter/);
    assert.throws(() => pages.checkSync(given), /from a getter/);
  }
  await assert.rejects(ndc.NearDuplicates.open(null, trap), /from a getter/);
  await assert.rejects(pages.check({ body: BODY }, trap), /from a getter/);
  assert.equal((await pages.check({ body: BODY })).verdict, 'new');
  await pages.close();
});

test('buffers that are detached, resized or shared', async () => {
  const pages = await ndc.NearDuplicates.open();
  const detached = new Uint8Array(1000);
  structuredClone(detached, { transfer: [detached.buffer] });
  for (const body of [detached, detached.buffer]) assert.throws(() => pages.checkSync({ body }), TypeError);
  await assert.rejects(pages.check({ body: BODY, url: detached }), TypeError);
  assert.throws(() => new ndc.Features(detached), TypeError);
  assert.throws(() => pages.checkSync({ body: new Uint8Array(new SharedArrayBuffer(8)) }), TypeError);
  await assert.rejects(pages.check({ body: new SharedArrayBuffer(8) }), TypeError);
  // What becomes of a buffer during the call does not matter.
  const calls = [];
  for (let i = 0; i < 200; i++) {
    const body = new Uint8Array(200_000).fill(32);
    body.set(Buffer.from(`<p>${text(i)}</p>`));
    calls.push(pages.check({ url: `http://a.example/${i}`, body }));
    structuredClone(body, { transfer: [body.buffer] });
    if (i % 50 === 0) global.gc();
  }
  assert.ok((await Promise.all(calls)).every((result) => result.verdict === 'new'));
  if (ArrayBuffer.prototype.resize !== undefined) {
    const buffer = new ArrayBuffer(1 << 20, { maxByteLength: 1 << 20 });
    const views = [new Uint8Array(buffer), new Uint8Array(buffer, 4096), new DataView(buffer, 4096, 4096)];
    for (const view of [...views, buffer]) {
      buffer.resize(1 << 20);
      const call = pages.check({ body: view });
      buffer.resize(16);
      await call;
      await survives(() => pages.check({ body: view }));
      await survives(() => pages.checkSync({ body: view }));
    }
  }
  await pages.close();
});

test('huge strings and bytes that are no UTF-8', async () => {
  const pages = await ndc.NearDuplicates.open();
  await assert.rejects(pages.check({ url: 'x'.repeat(2 << 20), body: BODY }), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  const huge = 'ä '.repeat(1 << 25);
  assert.equal((await pages.check({ body: huge })).flags & ndc.Flag.TRUNCATED, ndc.Flag.TRUNCATED);
  await survives(() => pages.check({ body: BODY, contentType: huge }));
  await survives(() => ndc.NearDuplicates.open(huge));
  await survives(() => ndc.NearDuplicates.open(null, { [huge]: huge }));
  const url = Buffer.from([0x68, 0xff, 0xfe, 0x00, 0x80]);
  const { pageId } = await pages.check({ url, body: BODY });
  assert.equal((await pages.find(url)).pageId, pageId);
  assert.ok((await pages.page(pageId)).url.startsWith('h\ufffd'));
  assert.equal((await pages.check({ url: 'http://a.example/\ud800', body: BODY + '\udc00 more' })).isDuplicate, true);
  assert.equal((await pages.check({ body: Buffer.alloc(0) })).verdict, 'no-text');
  assert.equal((await pages.check({ body: '' })).verdict, 'no-text');
  for (let seed = 0; seed < 200; seed++) {
    const noise = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * i * (seed + 7) + seed) & 255));
    await pages.check({ body: noise });
    await survives(() => new ndc.Features(noise).keys);
    await survives(() => new ndc.SiteModel(noise));
    await survives(() => new ndc.Signature(noise).keys);
    await survives(() => pages.checkFeatures(new ndc.Features(noise)));
  }
  await pages.close();
});

test('what is no store', async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ndc-node-'));
  writeFileSync(path.join(directory, 'file'), 'text');
  await assert.rejects(ndc.NearDuplicates.open(directory), { code: 'ERR_NDC_INVALID_ARGUMENT' });
  await assert.rejects(ndc.NearDuplicates.open(path.join(directory, 'a/b')), { name: 'NdcError' });
  await assert.rejects(ndc.NearDuplicates.open(path.join(directory, 'c'), { read_only: true }), {
    code: 'ERR_NDC_NOT_FOUND'
  });
});

/** An engine whose budget runs out, so that it logs a line, once the calls of a test are under way. */
async function untilItLogs(onLog) {
  let lines = 0;
  const counted = (...line) => {
    lines++;
    onLog(pages, ...line);
  };
  const pages = ndc.NearDuplicates.openSync(null, { memory_budget_bytes: 2_000_000, onLog: counted });
  return { pages, lines: () => lines };
}

test('a function of the log gives up the calls whose line it takes', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { pages, lines } = await untilItLogs(() => controller.abort());
  for (let seed = 0; lines() === 0; seed += 2) {
    assert.ok(seed < 20_000, 'the budget never ran out');
    const given = [seed, seed + 1].map((i) => ({ url: `http://a.example/${i}`, body: `<p>${text(i)}` }));
    await Promise.allSettled(given.map((page) => pages.check(page, { signal })));
  }
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => pages.query({ body: text(i) })));
  assert.deepEqual(
    answers.map((result) => result.isDuplicate),
    Array(6).fill(true)
  );
  await pages.close();
});

test('a function of the log may make calls that wait', async () => {
  const found = [];
  const takeLine = (pages) => found.push(pages.querySync({ body: '' }).verdict);
  const { pages, lines } = await untilItLogs(takeLine);
  for (let seed = 0; lines() === 0; seed++) {
    assert.ok(seed < 20_000, 'the budget never ran out');
    const result = pages.checkSync({ url: `http://a.example/${seed}`, body: `<p>${text(seed)}` });
    assert.deepEqual([result.verdict, result.pageId], ['new', seed + 1]);
    await new Promise(process.nextTick); // when the log is handed on
  }
  assert.deepEqual(found, Array(lines()).fill('no-text'));
  await pages.close();
});

test('what is no signal', async () => {
  const pages = await ndc.NearDuplicates.open(null, { signal: null });
  const page = { url: 'http://a.example/', body: BODY };
  for (const signal of [0, 'x', true, {}, [], new EventTarget(), new AbortController()]) {
    await assert.rejects(pages.check(page, { signal }), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
    await assert.rejects(ndc.NearDuplicates.open(null, { signal }), TypeError);
    await assert.rejects(ndc.Features.compute(page, { signal }), TypeError);
  }
  assert.equal((await pages.check(page, { signal: null })).verdict, 'new');
  assert.equal((await pages.check(page, { signal: undefined })).verdict, 'unchanged');
  assert.ok((await ndc.Features.compute(page, { signal: null })).bytes.length > 0);
  pages.closeSync(); // no call is under way
});

test('a getter that closes the engine', async () => {
  for (const close of ['close', 'closeSync'])
    for (const check of ['check', 'checkSync']) {
      const pages = ndc.NearDuplicates.openSync();
      const given = {
        get body() {
          pages[close]();
          return BODY;
        }
      };
      await assert.rejects(async () => pages[check](given), { code: 'ERR_NDC_CLOSED' });
    }
});
