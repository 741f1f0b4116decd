package io.ndc;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of an engine or a reader, with types. They are a map of the keys and values as {@code ndc options} names
 * them, and go wherever such a map does:
 *
 * <pre>{@code
 * Options options = Options.builder()
 *     .memoryBudgetBytes(1L << 30)
 *     .durability(Options.Durability.SYNC)
 *     .build();
 * try (NearDuplicates pages = NearDuplicates.open(store, options)) ...
 * }</pre>
 *
 * <p>What is not set is the default. Whether a number lies in its range, and whether the options go together, is said
 * by the call that takes them. Immutable.
 */
public final class Options extends AbstractMap<String, String> {
  // Begin of keys and choices, which generate-options writes
  /** Bytes of a body that are read; the rest is cut and flagged. */
  public static final OptionKey<Long> PAGE_BYTES_LIMIT =
      OptionKey.integer("page_bytes_limit", "16777216", "1024..1073741824", false);

  /** Bytes of visible text that are extracted from a page; the rest is cut and flagged. */
  public static final OptionKey<Long> TEXT_BYTES_LIMIT =
      OptionKey.integer("text_bytes_limit", "4194304", "1024..268435456", true);

  /** Tokens of a page that are kept and compared; the rest is cut and flagged. */
  public static final OptionKey<Long> TOKENS_LIMIT =
      OptionKey.integer("tokens_limit", "65536", "64..4194304", true);

  /** What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text counts. */
  public static final OptionKey<BlockWeights> BLOCK_WEIGHTS =
      OptionKey.choice(BlockWeights.class, "block_weights", "learned", true);

  /** Keeps the normalised text of each page beside what it is compared by, so that nd_explain can quote it. */
  public static final OptionKey<Boolean> KEEP_TEXT =
      OptionKey.bool("keep_text", "false", "true|false", false);

  /**
   * The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys
   * (docs/detectors.md).
   */
  public static final OptionKey<Detector> DETECTOR =
      OptionKey.choice(Detector.class, "detector", "lcs", true);

  /**
   * Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near is flagged as
   * unverified.
   */
  public static final OptionKey<Decide> DECIDE =
      OptionKey.choice(Decide.class, "decide", "lcs", true);

  /**
   * The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal entries. 0: its
   * default (docs/detectors.md).
   */
  public static final OptionKey<Long> DETECTOR_THRESHOLD =
      OptionKey.integer("detector_threshold", "0", "0..1000", true);

  /**
   * What makes two texts one document: a probability learned from judged pages, or the rule of TR2007012 5.4
   * (docs/decision.md).
   */
  public static final OptionKey<Decision> DECISION =
      OptionKey.choice(Decision.class, "decision", "document", true);

  /** The probability of being the same document from which on a page joins a group. */
  public static final OptionKey<Double> SAME_DOCUMENT =
      OptionKey.number("same_document", "0.50", "0..1", true);

  /** The resemblance from which on two pages are near-duplicates (TR2007012 5.4). */
  public static final OptionKey<Double> RESEMBLANCE =
      OptionKey.number("resemblance", "0.28", "0..1", true);

  /** The share of a page that lies in the other, from which on they are near-duplicates (TR2007012 5.4). */
  public static final OptionKey<Double> CONTAINMENT =
      OptionKey.number("containment", "0.70", "0..1", true);

  /** Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features have none. */
  public static final OptionKey<Boolean> SPOTSIGS =
      OptionKey.bool("spotsigs", "true", "true|false", true);

  /**
   * In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: what has changed
   * is written before it takes so much. 0: no budget.
   */
  public static final OptionKey<Long> MEMORY_BUDGET_BYTES =
      OptionKey.integer("memory_budget_bytes", "0", "0..1000000000000000", false);

  /**
   * What the index of candidate keys may hold; beyond it groups take no new keys, and are found by their spot
   * signatures, old keys and equal text. Its tables, which double and do not shrink, may take up to 4 times as much in
   * memory. 0: no bound.
   */
  public static final OptionKey<Long> KEYS_BYTES =
      OptionKey.integer("keys_bytes", "0", "0..1099511627776", false);

  /**
   * What the index of spot signatures may hold; beyond it the oldest groups are found by their keys only. Its tables
   * may take up to 4 times as much in memory. 0: no bound.
   */
  public static final OptionKey<Long> SPOT_BYTES =
      OptionKey.integer("spot_bytes", "268435456", "0..1099511627776", false);

  /** Memory of what is known about sites; those not seen for longest are forgotten. */
  public static final OptionKey<Long> SITE_BYTES =
      OptionKey.integer("site_bytes", "268435456", "65536..1000000000000", false);

  /**
   * What the index of a detector other than lcs may hold; beyond it the oldest groups are found by equal text only. 0:
   * no bound.
   */
  public static final OptionKey<Long> DETECTOR_BYTES =
      OptionKey.integer("detector_bytes", "0", "0..1099511627776", false);

  /**
   * Inner steps of all comparisons of a check together, beside those that its bytes allow; what would take more is cut
   * and flagged, the likeliest candidates come first. 0: no bound.
   */
  public static final OptionKey<Long> CHECK_WORK_LIMIT =
      OptionKey.integer("check_work_limit", "64000", "0..1000000000000", true);

  /** Changes of pages and groups that an engine remembers, the latest ones, for nd_each_event. */
  public static final OptionKey<Long> EVENTS_LIMIT =
      OptionKey.integer("events_limit", "100000", "0..100000000", false);

  /**
   * What a crash may lose of a store: all since the last nd_snapshot (none), all since the last snapshot, which the
   * engine takes by itself (snapshot), nothing if the process dies (journal), nothing if the machine dies (sync).
   */
  public static final OptionKey<Durability> DURABILITY =
      OptionKey.choice(Durability.class, "durability", "journal", false);

  /** Bytes of changes since the last snapshot at which a store takes the next one by itself. */
  public static final OptionKey<Long> JOURNAL_BYTES =
      OptionKey.integer("journal_bytes", "25165824", "65536..1000000000000", false);

  /** Reads the last snapshot of a store that others may be writing. */
  public static final OptionKey<Boolean> READ_ONLY =
      OptionKey.bool("read_only", "false", "true|false", false);

  /**
   * Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages are checked
   * against the store and against each other, and nothing is written.
   */
  public static final OptionKey<Boolean> OVERLAY =
      OptionKey.bool("overlay", "false", "true|false", false);

  /** Checks the checksums of a store's files when it is opened, where they are first used, or never. */
  public static final OptionKey<Verify> VERIFY =
      OptionKey.choice(Verify.class, "verify", "lazy", false);

  /** Opens a store whose newest journal is damaged with the changes before the damage; what follows it is lost. */
  public static final OptionKey<Boolean> RECOVER =
      OptionKey.bool("recover", "false", "true|false", false);

  /**
   * Maps a store's files; else they are read into memory as they are used, for untrusted stores and failing disks.
   * {@link NearDuplicates#open} takes false where nothing is set: of a mapped file a fault of the disk would end the
   * JVM.
   */
  public static final OptionKey<Boolean> MMAP =
      OptionKey.bool("mmap", "true", "true|false", false);

  /** What to do with a store whose texts were made by other versions of libxml2, ICU, the public suffix list or ndc. */
  public static final OptionKey<PipelineMismatch> PIPELINE_MISMATCH =
      OptionKey.choice(PipelineMismatch.class, "pipeline_mismatch", "warn", false);

  /** Seconds after which a page that was not fetched again is removed; 0: never. */
  public static final OptionKey<Long> PAGE_TTL_S =
      OptionKey.integer("page_ttl_s", "0", "0..10000000000", false);

  /** The choices of {@link Options#BLOCK_WEIGHTS}. */
  public enum BlockWeights {
    /** {@code learned}. */
    LEARNED("learned"),
    /** {@code rules}. */
    RULES("rules"),
    /** {@code none}. */
    NONE("none");

    private final String word;

    BlockWeights(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#DETECTOR}. */
  public enum Detector {
    /** {@code lcs}. */
    LCS("lcs"),
    /** {@code spotsigs}. */
    SPOTSIGS("spotsigs"),
    /** {@code i-match-s}. */
    I_MATCH_S("i-match-s"),
    /** {@code lsh-s}. */
    LSH_S("lsh-s"),
    /** {@code moz-vector}. */
    MOZ_VECTOR("moz-vector"),
    /** {@code simhash64}. */
    SIMHASH64("simhash64"),
    /** {@code simhash128}. */
    SIMHASH128("simhash128"),
    /** {@code mwo}. */
    MWO("mwo"),
    /** {@code shingles}. */
    SHINGLES("shingles"),
    /** {@code minhash}. */
    MINHASH("minhash"),
    /** {@code cosine}. */
    COSINE("cosine"),
    /** {@code i-match}. */
    I_MATCH("i-match"),
    /** {@code exact}. */
    EXACT("exact");

    private final String word;

    Detector(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#DECIDE}. */
  public enum Decide {
    /** {@code lcs}. */
    LCS("lcs"),
    /** {@code method}. */
    METHOD("method");

    private final String word;

    Decide(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#DECISION}. */
  public enum Decision {
    /** {@code document}. */
    DOCUMENT("document"),
    /** {@code report}. */
    REPORT("report");

    private final String word;

    Decision(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#DURABILITY}. */
  public enum Durability {
    /** {@code none}. */
    NONE("none"),
    /** {@code snapshot}. */
    SNAPSHOT("snapshot"),
    /** {@code journal}. */
    JOURNAL("journal"),
    /** {@code sync}. */
    SYNC("sync");

    private final String word;

    Durability(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#VERIFY}. */
  public enum Verify {
    /** {@code full}. */
    FULL("full"),
    /** {@code lazy}. */
    LAZY("lazy"),
    /** {@code off}. */
    OFF("off");

    private final String word;

    Verify(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#PIPELINE_MISMATCH}. */
  public enum PipelineMismatch {
    /** {@code warn}. */
    WARN("warn"),
    /** {@code error}. */
    ERROR("error");

    private final String word;

    PipelineMismatch(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  // End of keys and choices

  private final Map<String, String> values;

  private Options(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /**
   * Options of a map, as from a configuration file.
   *
   * @param values keys and values as the library has them; copied. Null or empty: the defaults
   * @return the same with types
   * @throws InvalidArgumentException for a key or a value that is null
   */
  public static Options of(Map<String, String> values) {
    return builder().setAll(values).build();
  }

  /**
   * Those of a map that act on something, for a call without an engine, which refuses others: one configuration may be
   * for engines and such calls alike. An unknown key stays, for the call to name it.
   *
   * @param options keys and values as the library has them; null or empty: the defaults
   * @param things what the call works with, such as {@code pages} ({@code acts_on} of nd_option_info in ndcapi.h)
   * @return a new map
   */
  public static Map<String, String> actingOn(@Nullable Map<String, String> options, String... things) {
    NativeLibrary.require();
    Map<String, String> acting = new LinkedHashMap<>(options == null ? Map.of() : options);
    acting.keySet().removeIf(key -> {
      byte[] words = NativeCalls.optionActsOn(Utf8.encode(key));
      return words != null && Collections.disjoint(List.of(Utf8.decode(words).split(" ")), List.of(things));
    });
    return acting;
  }

  /**
   * Options that are set one by one.
   *
   * @return a builder in which nothing is set
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The same options, to set others.
   *
   * @return a builder in which these are set
   */
  public Builder toBuilder() {
    return builder().setAll(values);
  }

  /**
   * The value of an option.
   *
   * @param <T> its type
   * @param option not null
   * @return what is set, or the default
   * @throws InvalidArgumentException if it was set to something that is no value of this type
   */
  public <T> T value(OptionKey<T> option) {
    String text = values.get(Arguments.notNull(option, "the option").key());
    return text == null ? option.defaultValue() : option.value(text);
  }

  /** What is set, in the order in which it was set first; unmodifiable. */
  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return values.entrySet();
  }

  /** Sets options; for one thread. The same option set again has the last value. */
  public static final class Builder {
    private final Map<String, String> values = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Sets an option.
     *
     * @param <T> its type
     * @param option not null
     * @param value not null
     * @return this builder
     * @throws InvalidArgumentException for null, and for a number that is not finite
     */
    public <T> Builder set(OptionKey<T> option, T value) {
      Arguments.notNull(option, "the option");
      Arguments.notNull(value, "the value of option " + option);
      values.put(option.key(), option.text(value));
      return this;
    }

    /**
     * Sets options by the library's names, known to this class or not: the experimental ones are not.
     *
     * @param others keys and values; null: none
     * @return this builder
     * @throws InvalidArgumentException for a key or a value that is null
     */
    public Builder setAll(Map<String, String> others) {
      if (others == null) return this;
      others.forEach((key, value) -> values.put(
          Arguments.notNull(key, "the key of an option"), Arguments.notNull(value, "the value of option " + key)));
      return this;
    }

    /**
     * The options that were set.
     *
     * @return what later calls of this builder do not change
     */
    public Options build() {
      return new Options(new LinkedHashMap<>(values));
    }

    // Begin of setters, which generate-options writes
    /**
     * Bytes of a body that are read; the rest is cut and flagged.
     *
     * @param value 1024..1073741824; default: 16777216
     * @return this builder
     */
    public Builder pageBytesLimit(long value) {
      return set(PAGE_BYTES_LIMIT, value);
    }

    /**
     * Bytes of visible text that are extracted from a page; the rest is cut and flagged.
     *
     * @param value 1024..268435456; default: 4194304
     * @return this builder
     */
    public Builder textBytesLimit(long value) {
      return set(TEXT_BYTES_LIMIT, value);
    }

    /**
     * Tokens of a page that are kept and compared; the rest is cut and flagged.
     *
     * @param value 64..4194304; default: 65536
     * @return this builder
     */
    public Builder tokensLimit(long value) {
      return set(TOKENS_LIMIT, value);
    }

    /**
     * What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text counts.
     *
     * @param value not null; default: LEARNED
     * @return this builder
     */
    public Builder blockWeights(BlockWeights value) {
      return set(BLOCK_WEIGHTS, value);
    }

    /**
     * Keeps the normalised text of each page beside what it is compared by, so that nd_explain can quote it.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder keepText(boolean value) {
      return set(KEEP_TEXT, value);
    }

    /**
     * The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys
     * (docs/detectors.md).
     *
     * @param value not null; default: LCS
     * @return this builder
     */
    public Builder detector(Detector value) {
      return set(DETECTOR, value);
    }

    /**
     * Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near is flagged as
     * unverified.
     *
     * @param value not null; default: LCS
     * @return this builder
     */
    public Builder decide(Decide value) {
      return set(DECIDE, value);
    }

    /**
     * The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal entries. 0: its
     * default (docs/detectors.md).
     *
     * @param value 0..1000; default: 0
     * @return this builder
     */
    public Builder detectorThreshold(long value) {
      return set(DETECTOR_THRESHOLD, value);
    }

    /**
     * What makes two texts one document: a probability learned from judged pages, or the rule of TR2007012 5.4
     * (docs/decision.md).
     *
     * @param value not null; default: DOCUMENT
     * @return this builder
     */
    public Builder decision(Decision value) {
      return set(DECISION, value);
    }

    /**
     * The probability of being the same document from which on a page joins a group.
     *
     * @param value 0..1; default: 0.50
     * @return this builder
     */
    public Builder sameDocument(double value) {
      return set(SAME_DOCUMENT, value);
    }

    /**
     * The resemblance from which on two pages are near-duplicates (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.28
     * @return this builder
     */
    public Builder resemblance(double value) {
      return set(RESEMBLANCE, value);
    }

    /**
     * The share of a page that lies in the other, from which on they are near-duplicates (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.70
     * @return this builder
     */
    public Builder containment(double value) {
      return set(CONTAINMENT, value);
    }

    /**
     * Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features have none.
     *
     * @param value default: true
     * @return this builder
     */
    public Builder spotsigs(boolean value) {
      return set(SPOTSIGS, value);
    }

    /**
     * In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: what has
     * changed is written before it takes so much. 0: no budget.
     *
     * @param value 0..1000000000000000; default: 0
     * @return this builder
     */
    public Builder memoryBudgetBytes(long value) {
      return set(MEMORY_BUDGET_BYTES, value);
    }

    /**
     * What the index of candidate keys may hold; beyond it groups take no new keys, and are found by their spot
     * signatures, old keys and equal text. Its tables, which double and do not shrink, may take up to 4 times as much
     * in memory. 0: no bound.
     *
     * @param value 0..1099511627776; default: 0
     * @return this builder
     */
    public Builder keysBytes(long value) {
      return set(KEYS_BYTES, value);
    }

    /**
     * What the index of spot signatures may hold; beyond it the oldest groups are found by their keys only. Its tables
     * may take up to 4 times as much in memory. 0: no bound.
     *
     * @param value 0..1099511627776; default: 268435456
     * @return this builder
     */
    public Builder spotBytes(long value) {
      return set(SPOT_BYTES, value);
    }

    /**
     * Memory of what is known about sites; those not seen for longest are forgotten.
     *
     * @param value 65536..1000000000000; default: 268435456
     * @return this builder
     */
    public Builder siteBytes(long value) {
      return set(SITE_BYTES, value);
    }

    /**
     * What the index of a detector other than lcs may hold; beyond it the oldest groups are found by equal text only.
     * 0: no bound.
     *
     * @param value 0..1099511627776; default: 0
     * @return this builder
     */
    public Builder detectorBytes(long value) {
      return set(DETECTOR_BYTES, value);
    }

    /**
     * Inner steps of all comparisons of a check together, beside those that its bytes allow; what would take more is
     * cut and flagged, the likeliest candidates come first. 0: no bound.
     *
     * @param value 0..1000000000000; default: 64000
     * @return this builder
     */
    public Builder checkWorkLimit(long value) {
      return set(CHECK_WORK_LIMIT, value);
    }

    /**
     * Changes of pages and groups that an engine remembers, the latest ones, for nd_each_event.
     *
     * @param value 0..100000000; default: 100000
     * @return this builder
     */
    public Builder eventsLimit(long value) {
      return set(EVENTS_LIMIT, value);
    }

    /**
     * What a crash may lose of a store: all since the last nd_snapshot (none), all since the last snapshot, which the
     * engine takes by itself (snapshot), nothing if the process dies (journal), nothing if the machine dies (sync).
     *
     * @param value not null; default: JOURNAL
     * @return this builder
     */
    public Builder durability(Durability value) {
      return set(DURABILITY, value);
    }

    /**
     * Bytes of changes since the last snapshot at which a store takes the next one by itself.
     *
     * @param value 65536..1000000000000; default: 25165824
     * @return this builder
     */
    public Builder journalBytes(long value) {
      return set(JOURNAL_BYTES, value);
    }

    /**
     * Reads the last snapshot of a store that others may be writing.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder readOnly(boolean value) {
      return set(READ_ONLY, value);
    }

    /**
     * Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages are checked
     * against the store and against each other, and nothing is written.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder overlay(boolean value) {
      return set(OVERLAY, value);
    }

    /**
     * Checks the checksums of a store's files when it is opened, where they are first used, or never.
     *
     * @param value not null; default: LAZY
     * @return this builder
     */
    public Builder verify(Verify value) {
      return set(VERIFY, value);
    }

    /**
     * Opens a store whose newest journal is damaged with the changes before the damage; what follows it is lost.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder recover(boolean value) {
      return set(RECOVER, value);
    }

    /**
     * Maps a store's files; else they are read into memory as they are used, for untrusted stores and failing disks.
     * {@link NearDuplicates#open} takes false where nothing is set: of a mapped file a fault of the disk would end the
     * JVM.
     *
     * @param value default: true
     * @return this builder
     */
    public Builder mmap(boolean value) {
      return set(MMAP, value);
    }

    /**
     * What to do with a store whose texts were made by other versions of libxml2, ICU, the public suffix list or ndc.
     *
     * @param value not null; default: WARN
     * @return this builder
     */
    public Builder pipelineMismatch(PipelineMismatch value) {
      return set(PIPELINE_MISMATCH, value);
    }

    /**
     * Seconds after which a page that was not fetched again is removed; 0: never.
     *
     * @param value 0..10000000000; default: 0
     * @return this builder
     */
    public Builder pageTtlS(long value) {
      return set(PAGE_TTL_S, value);
    }

    // End of setters
  }
}
