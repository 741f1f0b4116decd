package io.ndc;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine that says of each page whether it is new, the same as before, or a near-duplicate of a known page.
 *
 * <pre>{@code
 * try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
 *   Result result = pages.check(url, body, contentType);
 *   if (result.isDuplicate()) ...
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any number of threads may use one engine at once. {@link #close()} waits for the calls that are
 * under way; those that come later throw {@link ClosedException}. Interrupting a thread does not end its call.
 *
 * <p><b>Errors.</b> Every method throws {@link NearDuplicatesException} or a subclass, also for null where it is not
 * allowed ({@link InvalidArgumentException}). A failed call leaves the engine as it was.
 *
 * <p><b>Memory.</b> What an engine knows is outside of the Java heap; options {@code memory_budget_bytes},
 * {@code keys_bytes} and {@code spot_bytes} bound it. One that is forgotten without close() is closed after the garbage
 * collector found it, with a warning.
 *
 * <p><b>Log.</b> What an engine has to say goes to the {@link System.Logger} named {@code io.ndc}, after the call
 * during which, or since which, it was said.
 */
public final class NearDuplicates implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final EngineState state;
  private final Cleaner.Cleanable forgotten;

  private NearDuplicates(EngineState state) {
    this.state = state;
    this.forgotten = CLEANER.register(this, state);
  }

  /**
   * An engine without a store: what it knows goes with it.
   *
   * @param options {@link Options}, or another map with the keys and values of docs/guide-cli.md ({@code ndc options});
   *     null or empty: the defaults
   * @return a new engine
   * @throws InvalidArgumentException for an unknown key or a value out of range; the message names what is allowed
   * @throws NativeLibraryException if the native library cannot be used
   */
  public static NearDuplicates inMemory(@Nullable Map<String, String> options) {
    NativeLibrary.require();
    return open(new EngineState("in memory"), null, Arguments.options(options));
  }

  /**
   * An engine with a store. The store is made if it is not there; the directory above it must be.
   *
   * <p>Its files are read, not mapped, unless the options say {@code mmap=true}: if a mapped file is cut off, or its
   * disk fails, the system ends the JVM with SIGBUS; of a file that is read it is a {@link CorruptException} or a
   * {@link StoreIoException}. Mapping is for a large store on a local disk that you trust, and for several processes
   * that read one store.
   *
   * @param store its directory, in the system's file system; not null
   * @param options as for {@link #inMemory}; those that a store keeps must not differ from its own.
   *     {@code read_only=true} reads the last snapshot while another process may write; {@code durability} says what a
   *     crash may lose; {@code mmap} is {@code false} unless it is given here
   * @return a new engine
   * @throws StoreLockedException if the store has a writer already, in this process or in another
   * @throws InvalidArgumentException for a directory that is something else, or options that do not fit
   * @throws CorruptException if nothing of the store can be used
   * @throws UnsupportedVersionException if another version wrote it
   * @throws NotFoundException with {@code read_only}, if there is no store
   * @throws StoreIoException if the system refuses
   * @throws NativeLibraryException if the native library cannot be used
   */
  public static NearDuplicates open(Path store, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    return open(new EngineState("store " + store), StorePath.bytes(store), Arguments.storeOptions(options));
  }

  private static NearDuplicates open(EngineState state, byte @Nullable [] path, byte[] @Nullable [] keysAndValues) {
    // Created before the engine is opened, so that the Cleaner closes it whatever fails from here on.
    NearDuplicates engine = new NearDuplicates(state);
    try {
      state.open(path, keysAndValues);
      return engine;
    } catch (RuntimeException | Error failure) {
      engine.forgotten.clean();
      throw failure;
    }
  }

  private <T> T call(LongFunction<T> call) {
    try {
      return state.call(call);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void run(LongConsumer action) {
    call(handle -> {
      action.accept(handle);
      return null;
    });
  }

  private <T> T call(Page page, Page.Call<T> call) {
    Arguments.notNull(page, "the page");
    return call(handle -> call.on(handle, page.texts(), page.numbers()));
  }

  /**
   * Compares a page with all before it and adds it, atomically. Of two equal pages checked at once one founds a group
   * and the other joins it. The same URL again is one page, updated.
   *
   * @param url see {@link Page#of(String, byte[])}
   * @param body as fetched, after transfer and content decoding; not null; not to be changed before the call returns
   * @param contentType the value of the HTTP header; null or empty: there was none
   * @return the answer
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public Result check(String url, byte[] body, @Nullable String contentType) {
    return check(Page.of(url, body).withContentType(contentType));
  }

  /**
   * As {@link #check(String, byte[], String)}, for a page that has a fetch time or was cut.
   *
   * @param page not null
   * @return the answer
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public Result check(Page page) {
    return Result.of(call(page, NativeCalls::check));
  }

  /**
   * The answer that a check would give, but nothing changes. The page id is 0 for an unknown URL, the group id 0 where
   * the page would found a group.
   *
   * @param url see {@link Page#of(String, byte[])}
   * @param body see {@link #check(String, byte[], String)}
   * @param contentType null or empty: there was none
   * @return the answer
   */
  public Result query(String url, byte[] body, @Nullable String contentType) {
    return query(Page.of(url, body).withContentType(contentType));
  }

  /**
   * As {@link #query(String, byte[], String)}.
   *
   * @param page not null
   * @return the answer
   */
  public Result query(Page page) {
    return Result.of(call(page, NativeCalls::query));
  }

  /**
   * The text of a page that is its own: without what its site is known to repeat, block by block, each on a line. Of a
   * site of which nothing is known, and where hardly anything would be left, it is the main content by the weights that
   * {@link #extract} shows. Nothing changes.
   *
   * @param page not null; it need not be known
   * @return the text; empty if there is none
   */
  public String ownText(Page page) {
    return Utf8.decode(call(page, NativeCalls::ownText));
  }

  /**
   * {@link #check(Page)}, and {@link #ownText} by what was known before this page: both by one reading of the page.
   *
   * @param page not null
   * @return the answer and the text
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public CheckedText checkWithText(Page page) {
    Object[] answer = call(page, NativeCalls::checkWithText);
    return new CheckedText(Result.of((long[]) answer[0]), Utf8.decode(((byte[][]) answer[1])[0]));
  }

  /**
   * {@link #check(Page)} for a page whose features were computed elsewhere.
   *
   * @param features as {@link Features#compute} gave them; not null
   * @return the answer
   * @throws CorruptException if they are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public Result checkFeatures(byte[] features) {
    Arguments.notNull(features, "the features");
    return Result.of(call(handle -> NativeCalls.checkFeatures(handle, features)));
  }

  /**
   * {@link #query} for a page whose features were computed elsewhere.
   *
   * @param features as {@link Features#compute} gave them; not null
   * @return the answer that {@link #checkFeatures} would give
   * @throws CorruptException if they are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public Result queryFeatures(byte[] features) {
    Arguments.notNull(features, "the features");
    return Result.of(call(handle -> NativeCalls.queryFeatures(handle, features)));
  }

  /**
   * Puts a page in as it was decided elsewhere, for a copy of what other machines know: to list, explain, query and
   * purge it here. Nothing is compared. A page that is known already moves where the outcome says; an outcome that says
   * what is known changes nothing but the time.
   *
   * @param features as {@link Features#compute} gave them; not null
   * @param decided not null. Of it count the verdict, {@link Verdict#NEW}, {@link Verdict#EXACT}, {@link Verdict#NEAR}
   *     or {@link Verdict#NO_TEXT}; the group that the page joins, 0 where it founds one, the matched page of an exact
   *     copy and the related group of others, or 0, all by this engine's ids; the ratios and the probability; {@link
   *     Flag#LIMIT} and {@link Flag#UNVERIFIED}
   * @return the answer of a check that decided so, with this engine's ids
   * @throws InvalidArgumentException if verdict, group and page contradict each other
   * @throws NotFoundException if no group has this id
   * @throws CorruptException if they are not features, or damaged
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public Result applyOutcome(byte[] features, Result decided) {
    Arguments.notNull(features, "the features");
    long[] outcome = Arguments.notNull(decided, "the outcome").row();
    return Result.of(call(handle -> NativeCalls.applyOutcome(handle, features, outcome)));
  }

  /**
   * Forgets a page. The group of a removed founder keeps its text as representative while members remain.
   *
   * @param url not null
   * @return whether it was known
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public boolean remove(String url) {
    byte[] bytes = Utf8.encode(Arguments.notNull(url, "the URL"));
    return call(handle -> NativeCalls.remove(handle, bytes));
  }

  /**
   * Forgets every page that a filter matches. It is many changes, not one: if it fails, some pages have gone, and the
   * same call continues.
   *
   * @param filter not null
   * @return how many pages were forgotten
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public long removeMatching(RemovalFilter filter) {
    Arguments.notNull(filter, "the filter");
    return call(filter::apply);
  }

  /**
   * Writes what has changed to the store, while other threads go on checking. When it returns, everything acknowledged
   * before is durable.
   *
   * @throws InvalidArgumentException in an engine without a store
   * @throws StoreIoException if it could not be written; the store is as it was
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public void snapshot() {
    run(NativeCalls::snapshot);
  }

  /**
   * As {@link #snapshot()}, and rewrites the whole store without what was removed and changed. Needs as much free space
   * as the store has.
   *
   * @throws InvalidArgumentException in an engine without a store
   * @throws StoreIoException if it could not be written; the store is as it was
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public void compact() {
    run(NativeCalls::compact);
  }

  /**
   * Moves an engine that was opened with {@code read_only} to the newest snapshot.
   *
   * @throws InvalidArgumentException in any other engine
   * @throws CorruptException if the newest snapshot is damaged; the engine stays where it was
   * @throws StoreIoException if it cannot be read; the engine stays where it was
   */
  public void refresh() {
    run(NativeCalls::refresh);
  }

  /**
   * Remembers where a reader of archives stood, durable with the pages before it: whatever a crash takes, it never
   * takes a page and leaves a later bookmark.
   *
   * @param name at most 255 bytes in UTF-8, without NUL; not null
   * @param data at most 4096 bytes; empty forgets the name; not null
   * @throws LimitException if one is too long, or there are more than 1000 names
   * @throws InvalidArgumentException in an engine without a store
   * @throws ReadOnlyException in an engine opened with {@code read_only}
   */
  public void setBookmark(String name, byte[] data) {
    byte[] bytes = Arguments.withoutNul(name, "the name of a bookmark");
    Arguments.notNull(data, "the data of a bookmark");
    run(handle -> NativeCalls.setBookmark(handle, bytes, data));
  }

  /**
   * What {@link #setBookmark} remembered.
   *
   * @param name not null
   * @return its data; empty if there is none of this name
   * @throws InvalidArgumentException in an engine without a store
   */
  public Optional<byte[]> bookmark(String name) {
    byte[] bytes = Arguments.withoutNul(name, "the name of a bookmark");
    return Optional.ofNullable(call(handle -> NativeCalls.bookmark(handle, bytes)));
  }

  /**
   * The page of a URL.
   *
   * @param url not null
   * @return what is known of it; empty if the URL is unknown
   */
  public Optional<PageInfo> find(String url) {
    byte[] bytes = Utf8.encode(Arguments.notNull(url, "the URL"));
    long[] row = call(handle -> NativeCalls.find(handle, bytes));
    return row == null ? Optional.empty() : Optional.of(PageInfo.of(url, row, 0));
  }

  /**
   * The page of an id.
   *
   * @param pageId as {@link Result#pageId()}
   * @return what is known of it; empty if there is none
   */
  public Optional<PageInfo> page(long pageId) {
    Object[] page = call(handle -> NativeCalls.page(handle, pageId));
    return page == null ? Optional.empty() : Optional.of(PageInfo.listOf(page).get(0));
  }

  /**
   * The pages of a group.
   *
   * @param groupId as {@link Result#groupId()}
   * @return its pages, oldest first
   * @throws NotFoundException if there is no such group
   */
  public List<PageInfo> members(long groupId) {
    return PageInfo.listOf(call(handle -> NativeCalls.members(handle, groupId)));
  }

  /**
   * The page of a group that is kept when the others are left out. {@link Keep#FIRST} is the oldest, as {@link
   * #members} has them, and {@link Keep#NEWEST} goes by {@link PageInfo#lastFetchedAtMs()}. An engine keeps no links:
   * who has them asks {@link #chooseCopy}. The answer is that of a moment: the next page may be a better one.
   *
   * @param groupId as {@link Result#groupId()}
   * @param rule not null
   * @return what is known of the page
   * @throws NotFoundException if there is no such group
   * @throws InvalidArgumentException if the rule is {@link Keep#CANONICAL}
   */
  public PageInfo keptPage(long groupId, Keep rule) {
    int number = Arguments.notNull(rule, "the rule").number();
    return PageInfo.listOf(call(handle -> NativeCalls.keptPage(handle, groupId, number))).get(0);
  }

  /**
   * All groups, copied: 80 bytes each or so.
   *
   * @return ascending by id
   */
  public List<GroupInfo> groups() {
    try (Stream<GroupInfo> groups = groupStream()) {
      return groups.toList();
    }
  }

  /**
   * All groups as of this call, one after the other: up to 64 bytes each outside of the Java heap, until the stream was
   * read to its end or closed. For engines whose {@link #groups()} would be too long a list.
   *
   * <pre>{@code
   * try (Stream<GroupInfo> groups = pages.groupStream()) {
   *   groups.filter(group -> group.pageCount() > 1).forEach(...);
   * }
   * }</pre>
   *
   * @return ascending by id; to be closed. The engine may change, and be closed, meanwhile
   */
  public Stream<GroupInfo> groupStream() {
    GroupCursor groups = new GroupCursor();
    run(groups::open);
    return groups.stream();
  }

  /**
   * The events since a given one.
   *
   * @param after the sequence of the last event that is known; 0: all that are kept, which option {@code events_limit}
   *     bounds
   * @return the events after it, in order
   */
  public List<Event> events(long after) {
    long[] rows = call(handle -> NativeCalls.events(handle, after));
    List<Event> events = new ArrayList<>(rows.length / Event.NUMBERS);
    for (int begin = 0; begin < rows.length; begin += Event.NUMBERS) {
      events.add(Event.of(rows, begin));
    }
    return events;
  }

  /**
   * The known pages that are most like a known page, by the engine's option {@code detector}. Options {@code
   * x_similar_members_limit}, {@code x_similar_pages_limit} and {@code x_similar_work_limit} bound the search.
   *
   * @param pageId as {@link Result#pageId()}
   * @param limit at most so many, 1 to 1000
   * @return the best score first, the older page first among equals; never the page itself
   * @throws NotFoundException if there is no such page, or its text was not kept
   * @throws InvalidArgumentException if the limit is out of range
   */
  public List<SimilarPage> similar(long pageId, int limit) {
    return SimilarPage.listOf(call(handle -> NativeCalls.similar(handle, pageId, limit)));
  }

  /**
   * Whether two pages are the same document by what is known now. Members of a group are compared with its
   * representative, not with each other: so ask before the second page is left out because the first one is kept.
   *
   * @param pageA a page id; this page plays the representative
   * @param pageB a page id
   * @return the answer about the second page; {@link Result#isCopy} says that hardly anything is lost without it
   * @throws NotFoundException if one of them is unknown, or its text was not kept
   */
  public Result compare(long pageA, long pageB) {
    return Result.of(call(handle -> NativeCalls.compare(handle, pageA, pageB)));
  }

  /**
   * Why two pages are, or are not, near-duplicates.
   *
   * @param pageA a page id; this page plays the representative
   * @param pageB a page id
   * @return a JSON object; its fields are described at {@code nd_explain} in ndcapi.h
   * @throws NotFoundException if one of them is unknown
   */
  public String explain(long pageA, long pageB) {
    return Utf8.decode(call(handle -> NativeCalls.explain(handle, pageA, pageB)));
  }

  /**
   * {@link #explain} with types.
   *
   * @param pageA a page id; this page plays the representative
   * @param pageB a page id
   * @return why they are, or are not, near-duplicates
   * @throws NotFoundException if one of them is unknown
   */
  public Explanation explainPages(long pageA, long pageB) {
    return Explanation.of(explain(pageA, pageB));
  }

  /**
   * The engine's counts.
   *
   * @return the counters as of now
   */
  public Statistics stats() {
    return Statistics.of(call(NativeCalls::stats));
  }

  /**
   * The statistics for a monitor, with a histogram of the checks' latency.
   *
   * @return text in the exposition format of Prometheus
   */
  public String metrics() {
    return Utf8.decode(call(NativeCalls::metrics));
  }

  /**
   * Whether {@link #close()} was called. Waits for a close that is under way.
   *
   * @return true if every further call throws {@link ClosedException}
   */
  public boolean isClosed() {
    return state.isClosed();
  }

  /**
   * Closes the engine, after a last snapshot unless {@code durability} is {@code none}. Waits for the calls that are
   * under way. Closing again does nothing.
   *
   * @throws StoreIoException if the snapshot could not be written; the engine is closed, and what {@code durability}
   *     promises is kept
   */
  @Override
  public void close() {
    try {
      state.close();
    } finally {
      forgotten.clean();
    }
  }

  /**
   * What ndc extracts from a page, without an engine.
   *
   * @param page not null
   * @param options as for {@link #inMemory}
   * @return a JSON object; its fields are described at {@code nd_extract} in ndcapi.h
   */
  public static String extract(Page page, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    Arguments.notNull(page, "the page");
    return Utf8.decode(NativeCalls.extract(page.texts(), page.numbers(), Arguments.options(options)));
  }

  /**
   * {@link #extract} with types.
   *
   * @param page not null
   * @param options as for {@link #inMemory}
   * @return what ndc sees of the page
   */
  public static ExtractedPage extractPage(Page page, @Nullable Map<String, String> options) {
    return ExtractedPage.of(extract(page, options));
  }

  /**
   * Which of the pages of a group is kept, without an engine; among equals the first.
   *
   * @param copies the pages of one group; not null, not empty, without null
   * @param rule not null
   * @return the index of the one in the list
   */
  public static int chooseCopy(List<Copy> copies, Keep rule) {
    NativeLibrary.require();
    // A list that another thread may change is looked at once.
    List<Copy> given = new ArrayList<>(Arguments.notNull(copies, "the list of copies"));
    return Copy.choose(given, Arguments.notNull(rule, "the rule"));
  }

  /**
   * The version of this jar and of its native library, which are the same.
   *
   * @return as in {@code 2.0.0}
   * @throws NativeLibraryException if the native library cannot be used
   */
  public static String version() {
    NativeLibrary.require();
    return NativeLibrary.VERSION;
  }
}
