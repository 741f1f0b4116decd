// Loads the addon and carries calls out: at once on this thread, or off the event loop, several small ones in one job.
// Handing a job to a thread and back takes as long as a page of 3 KB, so short calls in memory which make a small
// job together are carried out between two turns of the event loop.
'use strict';

const { existsSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { abortSignal } = require('./arguments');
const { NdcError } = require('./errors');
const { STATUSES, VERSION } = require('./constants');

const NUMBERS = 16; // of a request in `native.numbers`: as in addon/addon.cpp
const STATUS = 14;
const LOG = 15;
const JOB_REQUESTS = 64;
const SMALL_JOB_BYTES = 1 << 14; // of bodies, which take about a tenth of a millisecond
const LARGE_JOB_BYTES = 1 << 18; // after which its first answers should not wait longer
const SMALL_PAGE_BYTES = 1 << 15; // of one that waits alone, so that a thread would hardly gain time
const CALL_BYTES = 1 << 10; // that a call counts for beside its body
const NOT_FOUND = Number(Object.keys(STATUSES).find((status) => STATUSES[status] === 'ERR_NDC_NOT_FOUND'));
// One thread of libuv's stays for files and names of hosts.
const threads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
const JOBS = Math.max(1, Math.min(os.availableParallelism(), threads - 1));

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
const { numbers, slots } = native;
const jobs = new Map();
let waiting = [];
let flushing = false;
let mayRunHere = true; // what waits: short calls in memory alone
let lastJob = 0;
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
    const slot = native.prepare(call.number, target.handle, ...given);
    const size = call.isLong ? Infinity : (given[1]?.length ?? 0);
    const entry = { call, target, slot, size, resolve, reject, signal };
    if (signal !== undefined) {
      entry.abort = () => abort(entry);
      signal.addEventListener('abort', entry.abort, { once: true });
    }
    target.calls++;
    waiting.push(entry);
    mayRunHere &&= call.isShort && target.isInMemory;
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
  const place = waiting.indexOf(entry);
  entry.isGivenBack = place < 0 && entry.call.giveBack !== undefined;
  if (entry.isGivenBack) return;
  entry.reject(entry.signal.reason);
  if (place < 0) return;
  waiting.splice(place, 1);
  slots[0] = entry.slot;
  native.drop(0, 1);
  finish(entry);
}

function flushInNewTurn() {
  bytesOfTurn = 0;
  flush();
}

function flush() {
  flushing = false;
  const here = mayRunHere && jobs.size === 0;
  mayRunHere = true;
  const all = waiting.reduce((sum, entry) => sum + (entry.call.isLong ? 0 : entry.size), 0);
  // Of each thread that is free.
  const share = Math.min(LARGE_JOB_BYTES, Math.max(SMALL_JOB_BYTES, all / (JOBS - jobs.size)));
  while (waiting.length > 0 && jobs.size < JOBS) {
    let bytes = 0;
    let end = 0;
    do bytes += waiting[end++].size;
    while (end < waiting.length && end < JOB_REQUESTS && bytes + waiting[end].size <= share);
    const entries = waiting.splice(0, end); // whose slots are no longer an abort's to drop
    entries.forEach((entry, i) => (slots[i] = entry.slot));
    try {
      if (here && waiting.length === 0 && bytes <= (end === 1 ? SMALL_PAGE_BYTES : SMALL_JOB_BYTES)) {
        bytesOfTurn += bytes + CALL_BYTES * end;
        settle(entries, native.run(0, end));
      } else {
        native.start(++lastJob, end);
        jobs.set(lastJob, entries);
      }
    } catch (failure) {
      for (const entry of entries) {
        entry.reject(failure);
        finish(entry);
      }
    }
  }
  if (waiting.length > 0) mayRunHere = false;
}

function finish(entry) {
  if (entry.isFinished) return;
  entry.isFinished = true;
  entry.signal?.removeEventListener('abort', entry.abort);
  entry.target.left();
}

/** What nobody has any more, such as an engine that keeps its store from others, is gone before the promise fails. */
async function giveBack({ call, signal }, answer) {
  await call.giveBack(answer);
  throw signal.reason;
}

function settle(entries, values) {
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    try {
      const answer = answerOf(entry.call, entry.target, values?.[i], i * NUMBERS);
      entry.resolve(entry.isGivenBack ? giveBack(entry, answer) : answer);
    } catch (failure) {
      entry.reject(entry.isGivenBack ? entry.signal.reason : failure);
    }
  }
  entries.forEach(finish);
}

native.onSettled((id, values) => {
  const entries = jobs.get(id);
  jobs.delete(id);
  settle(entries, values);
  if (waiting.length > 0 && !flushing) flush();
});

/** What calls without an engine are made on. */
const nothing = { handle: undefined, isInMemory: true, calls: 0, mustTake() {}, left() {}, logged() {} };

module.exports = { native, numbers, now, later, nothing };
