// Every block of JavaScript in the guide, the package's README and the project's README runs and prints what it says.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { promisify } = require('node:util');
const ndc = require('..');
const { COPIES, serve } = require('./crawled_site');
const { STATUSES } = require('../lib/constants');

const ROOT = path.join(__dirname, '../../..');
const GUIDE = readFileSync(path.join(ROOT, 'docs/guide-node.md'), 'utf8');

/** Code and what it prints, if a block of text follows, of each block that runs. */
function blocks(text) {
  const found = [...text.matchAll(/^```(js|text)\n(.*?)^```\n/gms)].map(([, language, code]) => ({ language, code }));
  return found
    .map(({ language, code }, i) => ({
      language,
      code,
      printed: found[i + 1]?.language === 'text' ? found[i + 1].code : ''
    }))
    .filter(({ language }) => language === 'js');
}

async function run(code) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ndc-node-'));
  test.after(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(path.join(ROOT, 'bindings/node'), path.join(directory, 'node_modules/ndc-dedup'));
  writeFileSync(path.join(directory, 'block.js'), code);
  const env = { ...process.env, CRAWLEE_LOG_LEVEL: 'ERROR' };
  const { stdout } = await promisify(execFile)(process.execPath, ['block.js'], {
    cwd: directory,
    env,
    timeout: 120_000
  });
  return { stdout, directory };
}

test('blocks print what they say', async () => {
  const server = await serve();
  try {
    for (const [name, least] of [
      ['docs/guide-node.md', 2],
      ['bindings/node/README.md', 1]
    ]) {
      const found = blocks(readFileSync(path.join(ROOT, name), 'utf8'));
      assert.ok(found.length >= least, name);
      for (const { code, printed } of found) {
        const { stdout, directory } = await run(code.replace('http://127.0.0.1:8000', server.address));
        if (!code.includes('crawlee')) assert.equal(stdout, printed);
        else
          assert.equal(
            readdirSync(path.join(directory, 'storage/datasets/default')).length,
            server.site.size - COPIES - 1
          );
      }
    }
  } finally {
    server.close();
  }
});

test("the block of the project's README", async () => {
  const [{ code }] = blocks(readFileSync(path.join(ROOT, 'README.md'), 'utf8'));
  const { stdout } = await run(code);
  assert.deepEqual(
    stdout.trim().split('\n'),
    [...code.matchAll(/ \/\/ (\w+)$/gm)].map(([, word]) => word)
  );
});

test('every call and every code is in the guide', () => {
  for (const name of Object.getOwnPropertyNames(ndc.NearDuplicates.prototype))
    if (!/Sync$|^(constructor|closed)$/.test(name)) assert.ok(GUIDE.includes(`${name}(`), name);
  for (const code of Object.values(STATUSES)) assert.ok(GUIDE.includes(code), code);
});
