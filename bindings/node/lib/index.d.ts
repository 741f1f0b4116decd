/**
 * Near-duplicate detection for web crawlers: is a page new, the same as before, or a near-duplicate of one that was
 * there before? docs/guide-node.md shows how.
 *
 * @packageDocumentation
 */

import { ErrorCode, Event, Group, Options, PageInfo, ResultFields, Statistics } from './generated';

export * from './generated';

/** Bytes of memory that nobody else writes into; a SharedArrayBuffer is refused. */
export type Bytes = ArrayBufferView | ArrayBuffer;

/** A page as it was fetched. */
export interface Page {
  /** A URL that comes again is the same page, updated; without one each page is new. */
  url?: string | Bytes | null;
  /** As fetched, after transfer and content decoding; a string is text that somebody has decoded already. */
  body: string | Bytes;
  /** The HTTP header's value; `text/plain` for plain text. */
  contentType?: string | null;
  /** A Date, or milliseconds since 1970; without one: now. */
  fetchedAt?: Date | number | null;
  /** The body was cut. */
  truncated?: boolean;
}

/** What every promise can be given up with. */
export interface CallOptions {
  /** Rejects the promise. A call that has begun is carried out all the same: a page may have been added. */
  signal?: AbortSignal;
}

/** Options of `NearDuplicates.open`, beside those of the library. */
export interface OpenOptions extends Options {
  /** Takes the lines of the library's log when a call ends; without it errors and warnings are process warnings. */
  onLog?: (level: 'error' | 'warning', message: string) => void;
}

/** The answer about one page. */
export interface Result extends ResultFields {}
export class Result {
  private constructor();
  /** The verdict is `exact` or `near`. */
  get isDuplicate(): boolean;
  /** The page contains the matched one and much more, or the other way round. */
  get isPart(): boolean;
  /** Hardly anything is lost without the page: `exact`, or `near`, no part, known as a whole and not `UNCERTAIN`. */
  get isCopy(): boolean;
  /** The page founded its group. */
  get isFounder(): boolean;
}

/** Which pages to forget: all that is given must hold. */
export interface Filter {
  prefix?: string | Bytes;
  /** A registrable domain: `example.co.uk`. */
  site?: string;
  fetchedBefore?: Date | number;
  /** Also the texts that represent groups which go on. */
  purge?: boolean;
}

/** Rows as of the call, which become objects one by one. */
export interface Rows<Row> extends Iterable<Row> {
  readonly length: number;
}

/** Why two pages are or are not near-duplicates: what nd_explain in ndcapi.h describes. */
export interface Explanation {
  verdict: 'exact' | 'near' | 'different';
  rule: string;
  resemblance: number;
  containment: number;
  probability: number;
  [name: string]: unknown;
}

/**
 * The calls of an engine. Each has a twin that waits, `checkSync` for `check`. Calls that are under way at once are
 * answered in any order.
 */
interface Calls {
  /** Compares a page with all before it and adds it, as one step. */
  check(page: Page, options?: CallOptions): Promise<Result>;
  /** What `check` would answer; nothing changes. */
  query(page: Page, options?: CallOptions): Promise<Result>;
  /** `check`, and `ownText` by what was known before this page. */
  checkWithText(page: Page, options?: CallOptions): Promise<{ result: Result; text: string }>;
  /** The text of a page without what its site is known to repeat. */
  ownText(page: Page, options?: CallOptions): Promise<string>;
  /** `check` for a page whose features were computed elsewhere. */
  checkFeatures(features: Features, options?: CallOptions): Promise<Result>;
  /** Forgets a page; false if there is none with this URL. */
  remove(url: string | Bytes, options?: CallOptions): Promise<boolean>;
  /** Forgets many pages; how many. One that fails has removed some, and the same call goes on. */
  removeMatching(filter: Filter, options?: CallOptions): Promise<number>;
  /** The page of a URL. */
  find(url: string | Bytes, options?: CallOptions): Promise<PageInfo | undefined>;
  /** The page of an id. */
  page(pageId: number, options?: CallOptions): Promise<PageInfo | undefined>;
  /** The pages of a group, oldest first. */
  members(groupId: number, options?: CallOptions): Promise<PageInfo[]>;
  /** All groups, ascending by id. */
  groups(options?: CallOptions): Promise<Rows<Group>>;
  /** The events after one with this sequence; the last `events_limit` are kept. */
  events(after?: number, options?: CallOptions): Promise<Rows<Event>>;
  /** Whether two known pages are the same document by what is known now; the first plays the representative. */
  compare(pageA: number, pageB: number, options?: CallOptions): Promise<Result>;
  /** Why two known pages are or are not near-duplicates. */
  explain(pageA: number, pageB: number, options?: CallOptions): Promise<Explanation>;
  /** The counters of the engine. */
  stats(options?: CallOptions): Promise<Statistics>;
  /** The same with latencies, in the text format of Prometheus. */
  metrics(options?: CallOptions): Promise<string>;
  /** Makes everything durable that was answered so far. */
  snapshot(options?: CallOptions): Promise<void>;
  /** A snapshot that rewrites the store without what was removed. */
  compact(options?: CallOptions): Promise<void>;
  /** Moves an engine with `read_only` to the newest snapshot. */
  refresh(options?: CallOptions): Promise<void>;
}

type Waiting = {
  [Name in keyof Calls as `${Name}Sync`]: (...given: Parameters<Calls[Name]>) => Awaited<ReturnType<Calls[Name]>>;
};

export interface NearDuplicates extends Calls, Waiting {}

/** Tells, page by page, whether a page is new, the same as before, or a near-duplicate. Made by `open`. */
export class NearDuplicates {
  private constructor();
  /** `path`: a directory in which the pages stay, made if it is not there; without one they stay in memory. */
  static open(path?: string | null, options?: OpenOptions & CallOptions): Promise<NearDuplicates>;
  /** `open` that waits. */
  static openSync(path?: string | null, options?: OpenOptions): NearDuplicates;
  /** Whether `close` was called. */
  get closed(): boolean;
  /** Waits for calls that are under way, takes a last snapshot and closes. Closing twice is fine. */
  close(): Promise<void>;
  /** `close` that waits; throws while calls are under way. */
  closeSync(): void;
}

/** Bytes with a meaning, of which the package keeps a copy. */
declare class Kept {
  constructor(bytes: Bytes);
  /** Those of a page, by these options. */
  static compute<Made>(this: new (bytes: Bytes) => Made, page: Page, options?: Options & CallOptions): Promise<Made>;
  /** `compute` that waits. */
  static computeSync<Made>(this: new (bytes: Bytes) => Made, page: Page, options?: Options): Made;
  readonly bytes: Buffer;
  /** Pages that share one are worth a comparison; the strictest first. */
  get keys(): BigUint64Array;
}

/** Everything needed to compare a page later and elsewhere; portable between machines, with a checksum. */
export class Features extends Kept {
  /** The hashes under which a site counts the page. */
  get parts(): BigUint64Array;
  /** The same page with what its site, which has learned it, knows of it. */
  withSite(site: SiteModel): Features;
  /** Whether two pages are the same document; this one plays the representative. */
  decide(other: Features, options?: Options): Result;
}

/** A sketch of at most 127 bytes for hosts with one small field a page; it decides less well. */
export class Signature extends Kept {
  /** Estimated similarity of the main content, 0 to 1. */
  similarity(other: Signature): number;
}

/** What is known of one site: on how many of its pages each part stands. */
export class SiteModel {
  constructor(saved?: Bytes);
  /** A page of the site; each once. */
  learn(page: Features): void;
  /** A page that was learned is gone, or has other text now. */
  forget(page: Features): void;
  /** Adds what another model has learned. */
  merge(saved: Bytes): void;
  /** As bytes; with a page only what is known of its parts. */
  save(page?: Features): Buffer;
}

/** What failed, by its `code`. Wrong types are a TypeError. */
export class NdcError extends Error {
  private constructor();
  readonly code: ErrorCode;
}

/** The names of the bits that are set. */
export function flagNames(flags: number): string[];

/** What ndc sees of a page: what nd_extract in ndcapi.h describes. */
export function extract(page: Page, options?: Options & CallOptions): Promise<Record<string, unknown>>;

/** The version of the native library. */
export const version: string;
