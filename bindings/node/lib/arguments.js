// What callers give, checked, as the arguments of the addon, which trusts this package: three texts or Uint8Arrays, two
// numbers, bits, and options.
'use strict';

const { types } = require('node:util');
const { invalid, wrongType } = require('./errors');

function bytes(value, what) {
  if (types.isArrayBuffer(value)) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value) || types.isSharedArrayBuffer(value.buffer))
    throw wrongType(what, 'a Buffer, another view or an ArrayBuffer, of memory that is not shared', value);
  return types.isUint8Array(value) ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

const textOrBytes = (value, what) => (typeof value === 'string' ? value : bytes(value, what));
const isGiven = (value) => value !== undefined && value !== null;

/** A name or a path: text that ends with a NUL in C. */
function name(value, what) {
  if (typeof value !== 'string') throw wrongType(what, 'a string', value);
  if (value.includes('\0')) throw invalid(`there is a NUL in ${what}`);
  return value;
}

function wholeNumber(value, what) {
  if (typeof value !== 'number') throw wrongType(what, 'a number', value);
  if (!Number.isSafeInteger(value) || value < 0) throw invalid(`${what} has to be a whole number, not ${value}`);
  return value;
}

function abortSignal(value) {
  if (!isGiven(value)) return undefined;
  if (!(value instanceof AbortSignal)) throw wrongType('signal', 'an AbortSignal', value);
  return value;
}

/** 0, which means now or any time, where there is none. */
function milliseconds(when, what) {
  return isGiven(when) ? wholeNumber(when instanceof Date ? when.getTime() : when, what) : 0;
}

function object(value, what) {
  if (typeof value !== 'object' || value === null) throw wrongType(what, 'an object', value);
  return value;
}

/** Names and values in turn, each with a NUL behind it. */
function optionText(options) {
  if (!isGiven(options)) return undefined;
  let out = '';
  for (const [key, value] of Object.entries(object(options, 'options'))) {
    if (value === undefined) continue;
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
      throw wrongType(`option ${key}`, 'a string, number, bigint or boolean', value);
    // Without an exponent, which the library does not read.
    const hasExponent = typeof value === 'number' && /e/.test(value);
    const text = !hasExponent ? `${value}` : Number.isInteger(value) ? `${BigInt(value)}` : value.toFixed(12);
    out += `${name(key, 'the name of an option')}\0${name(text, `option ${key}`)}\0`;
  }
  return out;
}

function page(given, options) {
  const { url, body, contentType, fetchedAt, truncated } = object(given, 'a page');
  if (isGiven(contentType) && typeof contentType !== 'string') throw wrongType('contentType', 'a string', contentType);
  return [
    isGiven(url) ? textOrBytes(url, 'url') : undefined,
    textOrBytes(body, 'body'),
    contentType ?? undefined,
    milliseconds(fetchedAt, 'fetchedAt'),
    0,
    truncated ? 1 : 0,
    optionText(options)
  ];
}

function filter(given) {
  const { prefix, site, fetchedBefore, purge } = object(given, 'a filter');
  const before = milliseconds(fetchedBefore, 'fetchedBefore');
  if (isGiven(fetchedBefore) && before === 0) throw invalid('no page was fetched before 1970: fetchedBefore is 0');
  return [
    isGiven(prefix) ? textOrBytes(prefix, 'prefix') : undefined,
    undefined,
    isGiven(site) ? textOrBytes(site, 'site') : undefined,
    before,
    0,
    purge ? 1 : 0
  ];
}

const nothing = () => [];
const url = (given) => [textOrBytes(given, 'url')];
const numbers = (...given) => [undefined, undefined, undefined, ...given.map((number) => wholeNumber(number, 'an id'))];
const records = (a, b, options) => [undefined, a, b, 0, 0, 0, optionText(options)];

module.exports = { abortSignal, bytes, filter, name, nothing, numbers, optionText, page, records, url };
