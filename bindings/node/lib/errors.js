// The error of every failure that the library or this package reports.
'use strict';

const { STATUSES } = require('./constants');

class NdcError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }

  static ofStatus(status, sentence) {
    return new NdcError(STATUSES[status] ?? 'ERR_NDC_INTERNAL', sentence || `status ${status}`);
  }
}
NdcError.prototype.name = 'NdcError';

function invalid(sentence) {
  return new NdcError('ERR_NDC_INVALID_ARGUMENT', sentence);
}

function wrongType(what, wanted, value) {
  const given = value === null ? 'null' : typeof value;
  return Object.assign(new TypeError(`${what} has to be ${wanted}, not ${given}`), { code: 'ERR_INVALID_ARG_TYPE' });
}

module.exports = { NdcError, invalid, wrongType };
