// Loads the addon and carries calls out: at once on this thread, or on others. Handing a call to one of these and back
// takes as long as a page of 3 KB, so a few short calls in memory are carried out between two turns of the event loop.
'use strict';

const { existsSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { abortSignal } = require('./arguments');
const { NdcError } = require('./errors');
const { STATUSES, VERSION } = require('./constants');

const NUMBERS = 16; // of a request in `native.numbers`: as in addon/values.hpp
const ID = 13;
const STATUS = 14;
const LOG = 15;
const CALLS_HERE = 64; // that `native.numbers` has room for
const SMALL_BYTES = 1 << 14; // of several bodies, which take about a tenth of a millisecond
const SMALL_PAGE_BYTES = 1 << 15; // of one that waits alone, so that a thread would hardly gain time
const CALL_BYTES = 1 << 10; // that a call counts for beside its body
const NOT_FOUND = Number(Object.keys(STATUSES).find((status) => STATUSES[status] === 'ERR_NDC_NOT_FOUND'));
// One thread of libuv's stays for files and names of hosts.
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
const WORKERS = Math.max(1, Math.min(os.availableParallelism(), threads - 1));

function load() {
  const file =
    process.env.NDC_NODE_ADDON ||
    path.join(__dirname, '..', 'natives', `${process.platform}-${process.arch}`, 'ndc.node');
  const refuse = (sentence, cause) => new NdcError('ERR_NDC_LIBRARY', `${file} ${sentence}`, { cause });
  let native;
  try {
    native = require(file);
  } catch (cause) {
    const why = existsSync(file) ? cause.message : 'this package has no natives for this system';
    throw refuse(`could not be loaded: ${why}`, cause);
  }
  const text = (version) => `${version >>> 16}.${(version >>> 8) & 255}.${version & 255}`;
  const fits = native.version >>> 16 === VERSION >>> 16 && native.version >= VERSION;
  if (native.headerVersion !== VERSION || !fits) {
    const found = fits ? native.headerVersion : native.version;
    throw refuse(`is of version ${text(found)}; this package was made for ${text(VERSION)}`);
  }
  return native;
}

const native = load();
const { numbers } = native;
const entries = new Map(); // of the calls that are neither answered nor given up, by their ids
let waiting = []; // of these, what no thread was given
let flushing = false;
let bytesUnderWay = 0; // of all entries, where a call that may take long counts as a worker's share
let lastId = 0;
let bytesOfTurn = 0; // read on this thread since the loop turned

/** What a call answers; throws where it failed. `at` is where its numbers are. */
function answerOf(call, target, value, at) {
  const status = numbers[at + STATUS];
  if (numbers[at + LOG] !== 0) target.logged();
  if (status === 0) return call.read === undefined ? undefined : call.read(value, at, target);
  if (status === NOT_FOUND && 'absent' in call) return call.absent;
  throw NdcError.ofStatus(status, value);
}

/** Carries a call out on this thread. */
function now(call, target, a, b) {
  const given = call.give(a, b);
  target.mustTake(call); // now, since a getter of what was given may have closed it
  const value = native.call(call.number, target.handle, ...given);
  return answerOf(call, target, value, 0);
}

/** The promise of a call that may be carried out on another thread. */
function later(call, target, a, b, options) {
  return new Promise((resolve, reject) => {
    const signal = abortSignal(options?.signal);
    const given = call.give(a, b);
    signal?.throwIfAborted();
    target.mustTake(call);
    const id = ++lastId;
    native.prepare(id, call.number, target.handle, ...given);
    const mayRunHere = call.isShort && target.isInMemory;
    const size = mayRunHere ? (given[1]?.length ?? 0) : SMALL_BYTES;
    const entry = { id, call, target, mayRunHere, size, resolve, reject, signal };
    if (signal !== undefined) {
      entry.abort = () => abort(entry);
      signal.addEventListener('abort', entry.abort, { once: true });
    }
    target.calls++;
    entries.set(entry.id, entry);
    waiting.push(entry);
    bytesUnderWay += size;
    if (!flushing) {
      flushing = true;
      // When all that runs now has made its calls; but the loop has to turn now and then.
      if (bytesOfTurn < SMALL_PAGE_BYTES) process.nextTick(flush);
      else setImmediate(flushInNewTurn);
    }
  });
}

/** A call that waits is not made; one that a thread carries out already goes on, and only its answer is lost. */
function abort(entry) {
  const isDropped = native.drop(entry.id);
  const place = waiting.indexOf(entry);
  if (place >= 0) waiting.splice(place, 1);
  entry.isGivenBack = !isDropped && entry.call.giveBack !== undefined;
  if (entry.isGivenBack) return;
  entry.reject(entry.signal.reason);
  if (isDropped) finish(entry);
}

function flushInNewTurn() {
  bytesOfTurn = 0;
  flush();
}

function flush() {
  flushing = false;
  const given = waiting;
  waiting = [];
  const bytes = given.reduce((sum, entry) => sum + entry.size, 0);
  let isHere = false;
  const isSmall = given.length === 1 ? bytes <= SMALL_PAGE_BYTES : bytes <= SMALL_BYTES && given.length <= CALLS_HERE;
  try {
    isHere = isSmall && entries.size === given.length && given.every((entry) => entry.mayRunHere);
    if (isHere) {
      bytesOfTurn += bytes + CALL_BYTES * given.length;
      settle(given.length, native.run());
    } else native.start(Math.max(1, Math.min(WORKERS, Math.ceil(bytesUnderWay / SMALL_BYTES))));
  } catch (failure) {
    for (const entry of given) {
      if (!isHere && !native.drop(entry.id)) continue; // a thread has it, and will answer
      entry.reject(failure);
      finish(entry);
    }
  }
}

function finish(entry) {
  if (!entries.delete(entry.id)) return;
  bytesUnderWay -= entry.size;
  entry.signal?.removeEventListener('abort', entry.abort);
  entry.target.left();
}

/** What nobody has any more, such as an engine that keeps its store from others, is gone before the promise fails. */
async function giveBack({ call, signal }, answer) {
  await call.giveBack(answer);
  throw signal.reason;
}

function settle(count, values) {
  const settled = [];
  for (let i = 0; i < count; i++) {
    const entry = entries.get(numbers[i * NUMBERS + ID]);
    if (entry === undefined) continue;
    settled.push(entry);
    try {
      const answer = answerOf(entry.call, entry.target, values?.[i], i * NUMBERS);
      entry.resolve(entry.isGivenBack ? giveBack(entry, answer) : answer);
    } catch (failure) {
      entry.reject(entry.isGivenBack ? entry.signal.reason : failure);
    }
  }
  settled.forEach(finish);
}

native.onSettled(settle);

/** What calls without an engine are made on. */
const nothing = { handle: undefined, isInMemory: true, calls: 0, mustTake() {}, left() {}, logged() {} };

module.exports = { native, numbers, now, later, nothing };
