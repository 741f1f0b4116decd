// Runs one case of tests/conformance/cases.json, each call by its promise or, to cover both, by its twin that waits.
'use strict';

const { createHash } = require('node:crypto');
const ndc = require('..');

const FETCHED_AT_MS = 1_700_000_000_000;
const RATIOS = ['resemblance', 'containment', 'page_coverage', 'matched_coverage', 'probability'];

const camel = (key) => key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const hex = (numbers) => Array.from(numbers, (number) => number.toString(16).padStart(16, '0'));
const word = (name) => name.replace('-', '_');
const decoded = (text) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Error('not base64');
  return bytes;
};

/** An object of the case; what nobody has asked for is a fault. */
class Record {
  constructor(members, place, faults) {
    Object.assign(this, { members, place, faults, read: new Set() });
  }

  has(key) {
    this.read.add(key);
    return Object.hasOwn(this.members, key);
  }

  get(key, absent) {
    if (this.has(key)) return this.members[key];
    if (arguments.length < 2) throw new Error(`${this.place}: there is no "${key}"`);
    return absent;
  }

  fail(sentence) {
    this.faults.push(`${this.place}: ${sentence}`);
  }

  compare(key, actual) {
    if (this.has(key) && !equal(this.members[key], actual))
      this.fail(`${key} is ${JSON.stringify(actual)}, not ${JSON.stringify(this.members[key])}`);
  }

  compareSet(key, actual) {
    if (this.has(key) && !equal([...this.members[key]].sort(), [...actual].sort()))
      this.fail(`${key} are ${actual}, not ${this.members[key]}`);
  }

  compareRange(key, actual) {
    if (!this.has(key)) return;
    const [low, high] = this.members[key];
    if (!(low <= actual && actual <= high)) this.fail(`${key} is ${actual}, not in ${this.members[key]}`);
  }

  finish() {
    for (const key of Object.keys(this.members)) if (!this.read.has(key)) this.fail(`"${key}" is not known here`);
  }
}

class Run {
  constructor(waits) {
    Object.assign(this, { waits, faults: [], pages: {}, used: new Set(), checked: {}, founded: {}, options: {} });
  }

  async run(members) {
    const record = new Record(members, 'case', this.faults);
    record.get('name');
    if (!record.get('why')) record.fail('"why" is empty');
    this.options = record.get('options', {});
    for (const [name, page] of Object.entries(record.get('pages', {})))
      this.pages[name] = this.readPage(new Record(page, `page ${name}`, this.faults));
    const steps = record.get('steps');
    if (steps.length === 0) record.fail('it has no steps');
    record.finish();
    this.engine = await this.call(ndc.NearDuplicates, 'open', undefined, this.options);
    for (const [i, step] of steps.entries()) {
      const given = new Record(step, `step ${i + 1}`, this.faults);
      const name = given.get('call');
      const expect = new Record(given.get('expect'), `step ${i + 1} (${name})`, this.faults);
      await this[camel(`step_${name}`)](given, expect);
      given.finish();
      expect.finish();
    }
    await this.call(this.engine, 'close');
    for (const name of Object.keys(this.pages)) if (!this.used.has(name)) record.fail(`page ${name} is in no step`);
    return this.faults;
  }

  call(target, name, ...given) {
    return this.waits ? target[`${name}Sync`](...given) : target[name](...given);
  }

  readPage(record) {
    const bodies = [];
    if (record.has('body')) bodies.push(Buffer.from(record.get('body')));
    if (record.has('body_base64')) bodies.push(decoded(record.get('body_base64')));
    if (record.has('body_repeat')) {
      const repeat = new Record(record.get('body_repeat'), `${record.place} body_repeat`, this.faults);
      const middle = repeat.get('text').repeat(repeat.get('count'));
      bodies.push(Buffer.from(repeat.get('before', '') + middle + repeat.get('after', '')));
      repeat.finish();
    }
    if (bodies.length !== 1) throw new Error(`${record.place} has not one body`);
    const page = {
      url: record.get('url'),
      body: bodies[0],
      contentType: record.get('content_type', undefined),
      truncated: record.get('truncated', false),
      fetchedAt: record.get('fetched_at_ms', FETCHED_AT_MS)
    };
    record.finish();
    return page;
  }

  page(name) {
    this.used.add(name);
    if (this.pages[name] === undefined) throw new Error(`there is no page ${name}`);
    return this.pages[name];
  }

  /** Undefined if it failed; whether it was to fail is compared here. */
  async answer(expect, call) {
    let value;
    try {
      value = await call();
    } catch (failure) {
      if (!(failure instanceof ndc.NdcError)) throw failure;
      if (!failure.message) expect.fail('an error without a sentence');
      if (expect.has('error')) expect.compare('error', failure.code.slice('ERR_NDC_'.length));
      else expect.fail(`unexpected ${failure}`);
      return undefined;
    }
    expect.compare('error', 'OK');
    return value;
  }

  compareId(expect, key, ids, actual) {
    if (!expect.has(key)) return;
    const name = expect.get(key);
    const wanted = name === null ? 0 : ids[name];
    if (wanted !== actual) expect.fail(`${key} is ${actual}, not ${name} of ${JSON.stringify(ids)}`);
  }

  compareFlags(expect, flags) {
    expect.compareSet(
      'flags',
      ndc.flagNames(flags).map((name) => name.toLowerCase())
    );
  }

  compareRatios(expect, result) {
    expect.compare('verdict', word(result.verdict));
    this.compareFlags(expect, result.flags);
    for (const name of RATIOS) expect.compareRange(name, result[camel(name)]);
  }

  async decide(step, expect, remember, call) {
    const name = step.get('page');
    const page = this.page(name);
    const result = await this.answer(expect, () => call(page));
    if (result === undefined) return;
    this.compareRatios(expect, result);
    expect.compare('page_id', result.pageId);
    expect.compare('group_id', result.groupId);
    this.compareId(expect, 'matched', this.checked, result.matchedPageId);
    if (remember) {
      if (!result.pageId) expect.fail('a page that was checked has no id');
      this.checked[name] = result.pageId;
      if (result.isFounder) this.founded[name] = result.groupId;
    }
    this.compareId(expect, 'group', this.founded, result.groupId);
    this.compareId(expect, 'related', this.founded, result.relatedGroupId);
  }

  featuresOf(page) {
    return this.call(ndc.Features, 'compute', page, this.options);
  }

  stepCheck(step, expect) {
    return this.decide(step, expect, true, (page) => this.call(this.engine, 'check', page));
  }

  stepQuery(step, expect) {
    return this.decide(step, expect, false, (page) => this.call(this.engine, 'query', page));
  }

  stepCheckWithText(step, expect) {
    return this.decide(step, expect, true, async (page) => {
      const { result, text } = await this.call(this.engine, 'checkWithText', page);
      expect.compare('own_text', text);
      return result;
    });
  }

  async stepOwnText(step, expect) {
    const page = this.page(step.get('page'));
    const text = await this.answer(expect, () => this.call(this.engine, 'ownText', page));
    if (text !== undefined) expect.compare('own_text', text);
  }

  stepCheckFeatures(step, expect) {
    return this.decide(step, expect, true, async (page) =>
      this.call(this.engine, 'checkFeatures', await this.featuresOf(page))
    );
  }

  async stepOpen(step, expect) {
    const options = step.get('options');
    await this.answer(expect, async () => {
      await this.call(await this.call(ndc.NearDuplicates, 'open', undefined, options), 'close');
      return true;
    });
  }

  async stepRemove(step, expect) {
    const url = step.get('url');
    const found = await this.answer(expect, () => this.call(this.engine, 'remove', url));
    if (found !== undefined) expect.compare('found', found);
  }

  async stepFind(step, expect) {
    const url = step.get('url');
    const info = await this.answer(expect, async () => (await this.call(this.engine, 'find', url)) ?? null);
    if (info === undefined) return;
    expect.compare('found', info !== null);
    if (info === null) return;
    expect.compare('verdict', word(info.verdict));
    this.compareFlags(expect, info.flags);
    expect.compare('page_id', info.pageId);
    expect.compare('text_width', info.textWidth);
    expect.compare('first_fetched_at_ms', info.firstFetchedAt);
    expect.compare('last_fetched_at_ms', info.lastFetchedAt);
    this.compareId(expect, 'group', this.founded, info.groupId);
  }

  async stepMembers(step, expect) {
    const group = this.founded[step.get('group')];
    const members = await this.answer(expect, () => this.call(this.engine, 'members', group));
    if (members === undefined || !expect.has('pages')) return;
    const wanted = expect.get('pages').map((name) => this.checked[name]);
    const found = members.map((page) => page.pageId);
    if (!equal(found, wanted)) expect.fail(`pages are ${found}, not ${wanted}`);
  }

  async stepEvents(step, expect) {
    const events = await this.answer(expect, async () => [...(await this.call(this.engine, 'events'))]);
    if (events === undefined) return;
    const wanted = expect.get('events');
    if (events.length !== wanted.length) return expect.fail(`${JSON.stringify(events)} are not the events`);
    for (const [i, event] of events.entries()) {
      const record = new Record(wanted[i], `event ${i + 1}`, this.faults);
      record.compare('kind', event.kind);
      this.compareId(record, 'page', this.checked, event.pageId);
      this.compareId(record, 'old_group', this.founded, event.oldGroupId);
      this.compareId(record, 'new_group', this.founded, event.newGroupId);
      record.finish();
    }
  }

  async stepExplain(step, expect) {
    const pages = [this.checked[step.get('a')], this.checked[step.get('b')]];
    const report = await this.answer(expect, () => this.call(this.engine, 'explain', ...pages));
    if (report === undefined) return;
    expect.compare('verdict', report.verdict);
    expect.compare('rule', report.rule);
    for (const name of RATIOS) expect.compareRange(name, report[name]);
  }

  async stepStats(step, expect) {
    const stats = await this.answer(expect, () => this.call(this.engine, 'stats'));
    for (const [name, value] of Object.entries(stats ?? {})) expect.compare(name, value);
  }

  async stepFeatures(step, expect) {
    if (step.has('page') === step.has('bytes_base64')) throw new Error('features of a page or of bytes');
    const page = step.has('page') ? this.page(step.get('page')) : undefined;
    const given = page === undefined ? new ndc.Features(decoded(step.get('bytes_base64'))) : undefined;
    const found = await this.answer(expect, async () => {
      const whole = await this.withSite(step, given ?? (await this.featuresOf(page)));
      const cut = step.get('cut_bytes', 0);
      const raw = Buffer.from(whole.bytes.subarray(0, Math.max(0, whole.bytes.length - cut)));
      if (step.has('flip_byte')) raw[step.get('flip_byte')] ^= 1;
      const features = new ndc.Features(raw);
      return { features, keys: features.keys, parts: features.parts };
    });
    if (found === undefined) {
      for (const key of ['cut_bytes', 'flip_byte']) step.has(key); // may be after what failed
      return;
    }
    const { features, keys, parts } = found;
    expect.compare('keys', hex(keys));
    expect.compare('parts', hex(parts));
    expect.compare('key_count', keys.length);
    expect.compare('part_count', parts.length);
    expect.compare('bytes_sha256', createHash('sha256').update(features.bytes).digest('hex'));
  }

  /** The features with what their site knows, if the step names the pages that it has learned. */
  async withSite(step, features) {
    if (!step.has('site_pages')) return features;
    const site = new ndc.SiteModel();
    for (const name of step.get('site_pages')) site.learn(await this.featuresOf(this.page(name)));
    return features.withSite(site);
  }

  async stepDecide(step, expect) {
    const pages = [this.page(step.get('a')), this.page(step.get('b'))];
    const result = await this.answer(expect, async () => {
      // The options are those of the decision, which the computation would refuse.
      const [a, b] = await Promise.all(pages.map((page) => this.call(ndc.Features, 'compute', page)));
      return (await this.withSite(step, a)).decide(await this.withSite(step, b), this.options);
    });
    if (result === undefined) return;
    this.compareRatios(expect, result);
    if (result.pageId || result.groupId || result.matchedPageId) expect.fail('a comparison without an engine has ids');
  }

  async stepSignature(step, expect) {
    const page = this.page(step.get('page'));
    const found = await this.answer(expect, async () => {
      const signature = await this.call(ndc.Signature, 'compute', page, this.options);
      return { bytes: signature.bytes, keys: signature.keys };
    });
    if (found === undefined) return;
    expect.compare('hex', found.bytes.toString('hex'));
    expect.compare('keys', hex(found.keys));
    expect.compareRange('size', found.bytes.length);
    expect.compareRange('key_count', found.keys.length);
  }

  async stepSignatureCompare(step, expect) {
    const pages = [this.page(step.get('a')), this.page(step.get('b'))];
    const similarity = await this.answer(expect, async () => {
      const of = (page) => this.call(ndc.Signature, 'compute', page, this.options);
      return (await of(pages[0])).similarity(await of(pages[1]));
    });
    if (similarity !== undefined) expect.compareRange('similarity', similarity);
  }
}

/** What was not as the case says. `waits`: by the calls that wait. */
async function faultsOf(members, waits) {
  const run = new Run(waits);
  try {
    return await run.run(members);
  } catch (unreadable) {
    return [...run.faults, `the case cannot be run: ${unreadable.stack}`];
  }
}

module.exports = { faultsOf };
