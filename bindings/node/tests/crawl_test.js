// A crawl by Crawlee's CheerioCrawler finds every planted copy; its store remembers pages across runs and kill -9.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { NearDuplicates } = require('..');
const { COPIES, serve } = require('./crawled_site');
const { place } = require('./texts');

/** The answers of a crawl by path, and the signal that ended it. */
async function crawl(...given) {
  const child = spawn(process.execPath, [path.join(__dirname, 'crawl.js'), ...given.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CRAWLEE_LOG_LEVEL: 'ERROR' }
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (data) => (printed += data));
  child.stderr.on('data', (data) => (complaints += data));
  const { code, signal } = await new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal }))
  );
  assert.ok(code === 0 || signal === 'SIGKILL', complaints + printed);
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  return { signal, answers: new Map(lines.map(JSON.parse).map((answer) => [answer.path, answer])) };
}

const counted = (answers, verdict) => [...answers.values()].filter((answer) => answer.verdict === verdict).length;

test('all copies are found, and what was crawled is known after kill -9', async () => {
  const store = place(test);
  const { address, site, close } = await serve();
  try {
    const killed = await crawl(address, store, 7);
    assert.equal(killed.signal, 'SIGKILL');
    assert.equal(killed.answers.size, 7);

    const second = await crawl(address, store);
    assert.equal(second.signal, null);
    assert.equal(second.answers.size, site.size);
    // What was answered before the kill is known; what was on its way then may be.
    for (const path of killed.answers.keys()) assert.equal(second.answers.get(path).verdict, 'unchanged', path);

    const third = await crawl(address, store);
    assert.equal(counted(third.answers, 'unchanged'), site.size);
    const pages = await NearDuplicates.open(store, { read_only: true });
    for (const one of ['long', ...Array(COPIES).keys()]) {
      const [original, copy] = await Promise.all(
        ['article', 'copy'].map((kind) => pages.find(`${address}/${kind}/${one}`))
      );
      assert.equal(copy.groupId, original.groupId, `copy ${one}`);
    }
    const stats = await pages.stats();
    assert.equal(stats.pages, site.size);
    assert.equal(stats.groups, site.size - COPIES - 1);
    await pages.close();
  } finally {
    close();
  }
});
