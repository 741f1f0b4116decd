// The npm package installs and runs where there is no compiler, no network and no ndc, and has types that hold.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const PACKAGE = path.join(__dirname, '..');
const PACKAGES = process.env.NODE_PATH;

const directory = mkdtempSync(path.join(os.tmpdir(), 'ndc-node-'));
test.after(() => rmSync(directory, { recursive: true, force: true }));

test('it installs without a compiler and finds a copy', () => {
  const addon = process.env.NDC_NODE_ADDON;
  const packed = execFileSync(path.join(PACKAGE, 'pack'), [directory, addon], { encoding: 'utf8' }).trim();
  // What is called in there, and nothing else.
  const programs = path.join(directory, 'bin');
  mkdirSync(programs);
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  for (const [name, file] of [
    ['node', process.execPath],
    ['sh', '/bin/sh']
  ])
    symlinkSync(file, path.join(programs, name));
  const bare = { PATH: programs, HOME: directory };
  const home = path.join(directory, 'crawler');
  mkdirSync(home);
  writeFileSync(path.join(home, 'package.json'), '{"private": true}');
  execFileSync(process.execPath, [npm, 'install', '--offline', packed], { cwd: home, env: bare, stdio: 'pipe' });
  const program = `
    const { NearDuplicates, version } = require('ndc-dedup');
    const pages = NearDuplicates.openSync();
    const body = '<p>The council will rebuild the lighthouse in spring.</p>';
    const verdicts = [1, 2].map((i) => pages.checkSync({ url: 'http://' + i + '.example/', body }).verdict);
    const mapped = require('node:fs').readFileSync('/proc/self/maps', 'utf8');
    console.log(version, ...verdicts, mapped.includes('/libndc.so'));`;
  const printed = execFileSync(process.execPath, ['-e', program], { cwd: home, env: bare, encoding: 'utf8' });
  assert.equal(printed, `${require('..').version} new exact false\n`);
  assert.ok(packed.endsWith(`-${require('..').version}.tgz`), packed);
  const module = `
    import { NearDuplicates, flagNames } from 'ndc-dedup';
    console.log(typeof NearDuplicates.open, flagNames(3));`;
  writeFileSync(path.join(home, 'module.mjs'), module);
  const imported = execFileSync(process.execPath, ['module.mjs'], { cwd: home, env: bare, encoding: 'utf8' });
  const inside = `
    const described = require('./node_modules/ndc-dedup/package.json');
    console.log(described.libc.join(), ...['ndc-dedup/lib/calls', 'ndc-dedup/package.json'].map((name) => {
      try { return require(name); } catch (failure) { return failure.code; }
    }));`;
  const refused = execFileSync(process.execPath, ['-e', inside], { cwd: home, env: bare, encoding: 'utf8' });
  assert.equal(refused, 'glibc ERR_PACKAGE_PATH_NOT_EXPORTED ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  assert.match(imported, /^function \[ 'RECRAWL', 'CHANGED' \]/);
});

const PROGRAM = `
import { NearDuplicates, Features, Flag, NdcError, type Result, type Verdict } from 'ndc-dedup';
export async function main(signal: AbortSignal): Promise<string[]> {
  const pages = await NearDuplicates.open('store', { detector: 'lcs', spot_bytes: 1n, onLog: (level, line) => line });
  const result: Result = await pages.check({ url: 'u', body: Buffer.alloc(3), fetchedAt: new Date() }, { signal });
  const verdict: Verdict = pages.querySync({ body: 'text' }).verdict;
  const removed: boolean = pages.removeSync('u');
  for (const group of await pages.groups()) if (group.pageCount > 1) await pages.members(group.groupId);
  const keys: BigUint64Array = (await Features.compute({ body: 'x' }, { tokens_limit: 100, signal })).keys;
  const code: string = new Error() instanceof NdcError ? 'never' : String(result.flags & Flag.CHANGED);
  // @ts-expect-error: no such detector
  await NearDuplicates.open(null, { detector: 'lsc' });
  // @ts-expect-error: no such option
  await NearDuplicates.open(null, { detecter: 'lcs' });
  // @ts-expect-error: a body is missing
  await pages.check({ url: 'u' });
  // @ts-expect-error: a promise is no answer
  const wrong: Result = pages.check({ body: '' });
  // @ts-expect-error: only open makes one
  new NearDuplicates();
  return [verdict, code, String(removed), String(keys.length), String(wrong)];
}`;

test('a program with types compiles, and one with faults does not', () => {
  writeFileSync(path.join(directory, 'program.mts'), PROGRAM);
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(PACKAGE, path.join(directory, 'node_modules/ndc-dedup'));
  for (const name of ['@types', 'undici-types'])
    symlinkSync(path.join(PACKAGES, name), path.join(directory, 'node_modules', name));
  const compiler = path.join(PACKAGES, 'typescript/bin/tsc');
  const options = '--noEmit --strict --target es2022 --module nodenext --types node --preserveSymlinks'.split(' ');
  execFileSync(process.execPath, [compiler, ...options, 'program.mts'], { cwd: directory, stdio: 'inherit' });
});

test('the types say what the package has, and a comment stands at each', () => {
  const typescript = require('typescript');
  const program = typescript.createProgram([path.join(PACKAGE, 'lib/index.d.ts')], { strict: true, types: [] });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path.join(PACKAGE, 'lib/index.d.ts'));
  const described = checker.getExportsOfModule(checker.getSymbolAtLocation(file));
  const comment = (symbol) => typescript.displayPartsToString(symbol.getDocumentationComment(checker));
  const values = described.filter((symbol) => symbol.flags & typescript.SymbolFlags.Value).map((symbol) => symbol.name);
  const ndc = require('..');
  assert.deepEqual(values.sort(), Object.keys(ndc).sort());
  for (const symbol of described) assert.notEqual(comment(symbol), '', symbol.name);
  const engine = described.find((symbol) => symbol.name === 'NearDuplicates');
  const calls = checker.getDeclaredTypeOfSymbol(engine).getProperties();
  assert.deepEqual(
    calls
      .map((symbol) => symbol.name)
      .filter((name) => !name.startsWith('__'))
      .sort(),
    Object.getOwnPropertyNames(ndc.NearDuplicates.prototype)
      .filter((name) => name !== 'constructor')
      .sort()
  );
  for (const symbol of calls) if (!/Sync$|^__/.test(symbol.name)) assert.notEqual(comment(symbol), '', symbol.name);
});
