// How engines, threads of JavaScript and processes end, in any order; and an addon of another version.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
const ndc = require('..');
const { place, text } = require('./texts');

const PACKAGE = JSON.stringify(path.resolve(__dirname, '..'));
const TEXTS = JSON.stringify(path.join(__dirname, 'texts'));
const START = `const ndc = require(${PACKAGE}); const { text } = require(${TEXTS});
  const page = (i) => ({ url: 'http://a.example/' + i, body: '<p>' + text(i, 2000) });`;

function node(code, store, environment = {}) {
  const done = spawnSync(process.execPath, ['--expose-gc', '-e', `const store = ${JSON.stringify(store)};${code}`], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    timeout: 60_000
  });
  assert.equal(done.signal, null, done.stderr);
  return done;
}

test('a process ends with engines open and calls under way or waiting', async () => {
  for (const end of ['', 'exit()', 'setImmediate(exit)', 'setTimeout(exit, 5)', "process.once('beforeExit', exit)"])
    for (const store of [null, place(test)]) {
      const done = node(
        `${START}
        const exit = () => process.exit(7);
        (async () => {
          const pages = await ndc.NearDuplicates.open(store);
          await pages.check(page(0));
          const check = (i) => pages.check(page(i)).then(() => require('fs').writeSync(1, i + ' '));
          const calls = Array.from({ length: 200 }, (_, i) => check(i)); // more than all threads take at once
          ${end};
          await Promise.all(calls);
        })();`,
        store
      );
      assert.equal(done.status, end === '' ? 0 : 7, done.stderr);
      if (store === null) continue;
      // What was answered is there; what was waiting may be.
      const pages = await ndc.NearDuplicates.open(store);
      const answered = done.stdout.split(' ').filter(Boolean);
      for (const i of [0, ...answered]) assert.ok(await pages.find(`http://a.example/${i}`), `${end}: page ${i}`);
      if (end === '') assert.equal(answered.length, 200);
      if (end === 'exit()') assert.equal(answered.length, 0);
      await pages.close();
    }
});

test('a hook that throws where a worker is made ends the process', () => {
  const done = node(
    `${START}
    require('node:async_hooks').createHook({ init(_, type) { if (type === 'ndc') throw new Error('no'); } }).enable();
    const pages = ndc.NearDuplicates.openSync(store);
    for (let i = 0; i < 100; i++) pages.check(page(i));`,
    place(test)
  );
  assert.notEqual(done.status, 0);
  assert.match(done.stderr, /Error: no/);
});

test('a child process finds the store locked, and harms nothing', async () => {
  const store = place(test);
  const pages = await ndc.NearDuplicates.open(store);
  await pages.check({ url: 'http://a.example/', body: text(1) });
  const done = node(
    `${START}
    try { ndc.NearDuplicates.openSync(store); } catch (failure) { console.log(failure.code); }
    console.log(ndc.NearDuplicates.openSync().checkSync(page(1)).verdict);`,
    store
  );
  assert.equal(done.stdout, 'ERR_NDC_LOCKED\nnew\n', done.stderr);
  assert.equal((await pages.check({ url: 'http://b.example/', body: text(1) })).verdict, 'exact');
  assert.throws(() => ndc.NearDuplicates.openSync(store), { code: 'ERR_NDC_LOCKED' });
  await pages.close();
});

test('an exception ends a process as it does elsewhere', () => {
  const done = node(`${START}
    ndc.NearDuplicates.open().then((pages) => {
      for (let i = 0; i < 40; i++) pages.check(page(i)).then(() => { throw new Error('from a then'); });
    });`);
  assert.equal(done.status, 1);
  assert.match(done.stderr, /from a then/);
});

test('an engine that was forgotten is closed with its snapshot when the process ends', async () => {
  const store = place(test);
  const done = node(
    `${START}
    const pages = ndc.NearDuplicates.openSync(store, { durability: 'snapshot' });
    pages.checkSync(page(1));`,
    store
  );
  assert.equal(done.status, 0, done.stderr);
  const pages = await ndc.NearDuplicates.open(store);
  assert.equal((await pages.stats()).pages, 1);
  await pages.close();
});

test('an engine that was forgotten is closed when its memory is collected', async () => {
  const store = place(test);
  (() => ndc.NearDuplicates.openSync(store).checkSync({ body: text(1) }))();
  for (let i = 0; i < 100; i++) {
    global.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
    try {
      return ndc.NearDuplicates.openSync(store).closeSync();
    } catch (failure) {
      assert.equal(failure.code, 'ERR_NDC_LOCKED');
    }
  }
  assert.fail('the store is still locked');
});

test('worker threads end with engines open', async () => {
  const code = `${START}
    const { parentPort, workerData } = require('node:worker_threads');
    (async () => {
      const pages = await ndc.NearDuplicates.open(workerData.store);
      for (let i = 0; i < 40; i++) pages.check(page(i)).catch(() => {});
      parentPort.postMessage('open');
      if (workerData.exits) process.exit(3);
      for (let i = 40; ; i++) await pages.check(page(i % 100));
    })();`;
  for (const exits of [false, true])
    for (let round = 0; round < 4; round++) {
      const stores = [null, null, place(test)];
      const workers = stores.map((store) => new Worker(code, { eval: true, workerData: { store, exits } }));
      const ended = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
      await new Promise((resolve) => setTimeout(resolve, 5 * round));
      if (!exits) await Promise.all(workers.map((worker) => worker.terminate()));
      await Promise.all(ended);
      const pages = await ndc.NearDuplicates.open(stores[2]); // its lock is free
      await pages.close();
    }
});

test('a worker thread that is terminated drops the calls that wait', async () => {
  const store = place(test);
  const code = `${START}
    const { parentPort, workerData } = require('node:worker_threads');
    const pages = ndc.NearDuplicates.openSync(workerData);
    const { body } = page(1);
    for (let i = 0; i < 10_000; i++) pages.check({ url: 'http://a.example/' + i, body });
    setImmediate(() => parentPort.postMessage('begun'));`;
  const worker = new Worker(code, { eval: true, workerData: store });
  await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
  const pages = await ndc.NearDuplicates.open(store); // its lock is free
  assert.ok((await pages.stats()).pages < 5000);
  await pages.close();
});

test('worker threads have engines of their own at the same time', async () => {
  const code = `${START}
    const { parentPort } = require('node:worker_threads');
    (async () => {
      const pages = await ndc.NearDuplicates.open();
      const results = await Promise.all(Array.from({ length: 50 }, (_, i) => pages.check(page(i))));
      await pages.close();
      parentPort.postMessage(results.filter((result) => result.verdict === 'new').length);
    })();`;
  const workers = Array.from({ length: 4 }, () => new Worker(code, { eval: true }));
  const found = await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  assert.deepEqual(found, [50, 50, 50, 50]);
});

test('an addon of another version, or none, is an error that says so', () => {
  const load = `
    try { require(${PACKAGE}); } catch (failure) { console.log(failure.name, failure.code, failure.message); }`;
  for (const [file, pattern] of [
    [process.env.NDC_OTHER_ADDON, /^NdcError ERR_NDC_LIBRARY .*is of version 9\.7\.0; this package was made for/],
    ['/nowhere/ndc.node', /^NdcError ERR_NDC_LIBRARY \/nowhere\/ndc\.node could not be loaded: .*no natives for/],
    [__filename.replace(/[^/]*$/, 'package.json'), /^NdcError ERR_NDC_LIBRARY /]
  ])
    assert.match(node(load, null, { NDC_NODE_ADDON: file }).stdout, pattern);
});

test('opening that is given up while a thread carries it out leaves the store to others', async () => {
  const store = place(test);
  for (const end of ['first', 'second', 'third']) {
    const controller = new AbortController();
    const opening = ndc.NearDuplicates.open(store, { signal: controller.signal });
    await new Promise(process.nextTick); // which is when a thread is handed it
    controller.abort(new Error(end));
    await assert.rejects(opening, { message: end });
    ndc.NearDuplicates.openSync(store).closeSync();
  }
  const holder = ndc.NearDuplicates.openSync(store);
  const controller = new AbortController();
  const opening = ndc.NearDuplicates.open(store, { signal: controller.signal });
  await new Promise(process.nextTick);
  controller.abort();
  await assert.rejects(opening, { name: 'AbortError' }); // rather than locked
  holder.closeSync();
});
