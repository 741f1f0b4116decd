// The engine: what was fetched so far, and what a page is beside it.
'use strict';

const answers = require('./answers');
const { bytes, filter, name, nothing, numbers, optionText, page, records, url } = require('./arguments');
const { native, later, now } = require('./calls');
const { NdcError, invalid, wrongType } = require('./errors');

const LEVELS = ['', 'error', 'warning'];

// What each call is given and how its answer is read; `arity` counts its arguments but for the last of each promise.
const CALLS = {
  check: { arity: 1, isShort: true, give: page, read: answers.result },
  query: { arity: 1, isShort: true, give: page, read: answers.result },
  checkWithText: { arity: 1, isShort: true, give: page, read: answers.resultAndText },
  ownText: { arity: 1, isShort: true, give: page, read: answers.same },
  checkFeatures: { arity: 1, give: (features) => records(bytes(features?.bytes, 'features')), read: answers.result },
  remove: { arity: 1, give: url, read: () => true, absent: false },
  removeMatching: { arity: 1, give: filter, read: answers.number },
  find: { arity: 1, isShort: true, give: url, read: answers.page, absent: undefined },
  page: { arity: 1, isShort: true, give: (id) => numbers(id), read: answers.page, absent: undefined },
  members: { arity: 1, give: (id) => numbers(id), read: answers.pages },
  groups: { arity: 0, give: nothing, read: answers.groups },
  events: { arity: 1, give: (after = 0) => numbers(after), read: answers.events },
  compare: { arity: 2, give: numbers, read: answers.result },
  explain: { arity: 2, give: numbers, read: JSON.parse },
  stats: { arity: 0, give: nothing, read: answers.statistics },
  metrics: { arity: 0, give: nothing, read: answers.same },
  snapshot: { arity: 0, give: nothing },
  compact: { arity: 0, give: nothing },
  refresh: { arity: 0, give: nothing }
};

const OPEN = {
  number: native.calls.open,
  give: (path, options) => [path, undefined, undefined, 0, 0, 0, optionText(options)],
  read: (value, at, state) => state.engine,
  giveBack: (engine) => engine.close()
};
const CLOSE = { number: native.calls.close, give: nothing, whenClosed: true };

/** A native engine, and the calls that are under way on it. */
class EngineState {
  handle = native.newHandle();
  isClosed = false;
  calls = 0;
  #whenIdle;

  constructor(isInMemory, onLog) {
    this.isInMemory = isInMemory;
    this.onLog = onLog;
  }

  mustTake(call) {
    if (this.isClosed && !call.whenClosed) throw new NdcError('ERR_NDC_CLOSED', 'this engine was closed');
  }

  left() {
    if (--this.calls === 0) this.#whenIdle?.();
  }

  idle() {
    return this.calls === 0 ? Promise.resolve() : new Promise((resolve) => (this.#whenIdle = resolve));
  }

  /** Hands the log on when what runs now is done: what the function does then finds no call half settled. */
  logged() {
    process.nextTick(handOn, this.onLog, native.takeLog(this.handle));
  }
}

/** It has nobody to throw to, so what a function of the caller's throws is a warning. */
function handOn(onLog, lines) {
  for (const line of lines.split('\n').slice(0, -1)) {
    const level = LEVELS[line[0]];
    try {
      if (onLog !== undefined) onLog(level, line.slice(1));
      else process.emitWarning(line.slice(1), 'NdcWarning');
    } catch (failure) {
      process.emitWarning(failure instanceof Error ? failure : String(failure), 'NdcWarning');
    }
  }
}

class NearDuplicates {
  #state;
  #closing;

  constructor(state) {
    if (!(state instanceof EngineState)) throw wrongType('NearDuplicates', 'made by NearDuplicates.open', state);
    this.#state = state;
    state.engine = this;
  }

  static async open(path, options) {
    return NearDuplicates.#open(later, path, options);
  }

  static openSync(path, options) {
    return NearDuplicates.#open(now, path, options);
  }

  static #open(run, path, options) {
    const inMemory = path === undefined || path === null;
    const { onLog, signal, ...given } = options ?? {};
    if (onLog !== undefined && typeof onLog !== 'function') throw wrongType('onLog', 'a function', onLog);
    const state = new EngineState(inMemory, onLog);
    new NearDuplicates(state);
    const store = inMemory ? undefined : name(path, "the store's path");
    return run(OPEN, state, store, inMemory ? given : { mmap: false, ...given }, { signal });
  }

  get closed() {
    return this.#state.isClosed;
  }

  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    const state = this.#state;
    if (state.isClosed) return;
    state.isClosed = true;
    await state.idle();
    await later(CLOSE, state);
  }

  closeSync() {
    const state = this.#state;
    if (state.isClosed) return;
    if (state.calls > 0) throw invalid('calls are under way: await them, or close()');
    state.isClosed = true;
    now(CLOSE, state);
  }

  static {
    const define = (key, value) =>
      Object.defineProperty(NearDuplicates.prototype, key, { value, configurable: true, writable: true });
    for (const [method, call] of Object.entries(CALLS)) {
      const { arity } = call;
      call.number = native.calls[method];
      define(method, function (a, b, c) {
        const options = arity === 0 ? a : arity === 1 ? b : c;
        return later(call, this.#state, arity > 0 ? a : undefined, arity > 1 ? b : undefined, options);
      });
      define(`${method}Sync`, function (a, b) {
        return now(call, this.#state, a, arity > 1 ? b : undefined);
      });
    }
    if (Symbol.asyncDispose) define(Symbol.asyncDispose, NearDuplicates.prototype.close);
  }
}

// What was forgotten is closed, with a last snapshot, when the process ends.
process.on('exit', () => native.closeAll());

module.exports = { NearDuplicates };
