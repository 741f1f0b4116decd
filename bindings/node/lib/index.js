// What require('ndc-dedup') gives; index.d.ts describes it.
'use strict';

const { Result, flagNames } = require('./answers');
const { native } = require('./calls');
const { FLAGS } = require('./constants');
const { NearDuplicates } = require('./engine');
const { NdcError } = require('./errors');
const { Features, Signature, SiteModel, extract } = require('./features');

const Flag = Object.freeze(FLAGS);
const version = `${native.version >>> 16}.${(native.version >>> 8) & 255}.${native.version & 255}`;

// Plain names, which import finds too.
module.exports = {
  NearDuplicates,
  Result,
  Features,
  Signature,
  SiteModel,
  NdcError,
  Flag,
  flagNames,
  extract,
  version
};
