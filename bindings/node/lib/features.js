// What pages are compared by without an engine: for many processes, and for hosts with one small field a page.
'use strict';

const answers = require('./answers');
const { bytes, page, records } = require('./arguments');
const { native, later, nothing, now } = require('./calls');
const { wrongType } = require('./errors');

const call = (name, give, read, isShort = false) => ({ number: native.calls[name], give, read, isShort });
const numbers = (raw) => new BigUint64Array(Uint8Array.from(raw).buffer);

const EXTRACT = call('extract', page, JSON.parse, true);
const FEATURES = call('features', page, answers.same, true);
const FEATURES_KEYS = call('featuresKeys', records, numbers);
const FEATURES_PARTS = call('featuresParts', records, numbers);
const FEATURES_WITH_SITE = call('featuresWithSite', records, (raw) => new Features(raw));
const FEATURES_DECIDE = call('featuresDecide', ([a, b], options) => records(a, b, options), answers.result);
const SIGNATURE = call('signature', page, answers.same, true);
const SIGNATURE_KEYS = call('signatureKeys', records, numbers);
const SIGNATURE_COMPARE = call('signatureCompare', records, answers.number);
const SITE_NEW = call('siteNew', records);
const SITE_LEARN = call('siteLearn', records);
const SITE_FORGET = call('siteForget', records);
const SITE_MERGE = call('siteMerge', records);
const SITE_SAVE = call('siteSave', records, answers.same);
const SITE_SAVE_FOR = call('siteSaveFor', records, answers.same);

const laterWithout = (what, given, { signal, ...options } = {}) => later(what, nothing, given, options, { signal });
const extract = async (given, options) => laterWithout(EXTRACT, given, options);

/** Bytes with a meaning: a copy of those given. Classes that extend these make instances of their own. */
const kept = (compute, keys) =>
  class {
    constructor(raw) {
      this.bytes = Buffer.from(new Uint8Array(bytes(raw, 'a record')).buffer);
      Object.freeze(this);
    }

    static async compute(given, options) {
      return new this(await laterWithout(compute, given, options));
    }

    static computeSync(given, options) {
      return new this(now(compute, nothing, given, options));
    }

    get keys() {
      return now(keys, nothing, this.bytes);
    }
  };

class Features extends kept(FEATURES, FEATURES_KEYS) {
  get parts() {
    return now(FEATURES_PARTS, nothing, this.bytes);
  }

  withSite(site) {
    return now(FEATURES_WITH_SITE, nothing, this.bytes, instance(site, SiteModel).save(this));
  }

  decide(other, options) {
    return now(FEATURES_DECIDE, nothing, [this.bytes, bytesOf(other, Features)], options);
  }
}

class Signature extends kept(SIGNATURE, SIGNATURE_KEYS) {
  similarity(other) {
    return now(SIGNATURE_COMPARE, nothing, this.bytes, bytesOf(other, Signature));
  }
}

class SiteModel {
  #target = { ...nothing, handle: native.newHandle() };

  constructor(saved) {
    now(SITE_NEW, this.#target);
    if (saved !== undefined) this.merge(saved);
  }

  learn(given) {
    now(SITE_LEARN, this.#target, bytesOf(given, Features));
  }

  forget(given) {
    now(SITE_FORGET, this.#target, bytesOf(given, Features));
  }

  merge(saved) {
    now(SITE_MERGE, this.#target, bytes(saved, 'a saved model'));
  }

  save(given) {
    return given === undefined
      ? now(SITE_SAVE, this.#target)
      : now(SITE_SAVE_FOR, this.#target, bytesOf(given, Features));
  }
}

function instance(value, Class) {
  if (!(value instanceof Class)) throw wrongType('the argument', `an instance of ${Class.name}`, value);
  return value;
}

const bytesOf = (value, Class) => bytes(instance(value, Class).bytes, Class.name);

module.exports = { Features, Signature, SiteModel, extract };
