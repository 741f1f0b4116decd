package io.ndc;

import java.math.BigDecimal;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
  // Begin of choices, which generate-options writes
  /** The choices of {@link Builder#blockWeights}. */
  public enum BlockWeights {
    /** {@code learned}. */
    LEARNED,
    /** {@code rules}. */
    RULES,
    /** {@code none}. */
    NONE
  }

  /** The choices of {@link Builder#detector}. */
  public enum Detector {
    /** {@code lcs}. */
    LCS,
    /** {@code spotsigs}. */
    SPOTSIGS,
    /** {@code i-match-s}. */
    I_MATCH_S,
    /** {@code lsh-s}. */
    LSH_S,
    /** {@code moz-vector}. */
    MOZ_VECTOR,
    /** {@code simhash64}. */
    SIMHASH64,
    /** {@code simhash128}. */
    SIMHASH128,
    /** {@code mwo}. */
    MWO,
    /** {@code shingles}. */
    SHINGLES,
    /** {@code minhash}. */
    MINHASH,
    /** {@code cosine}. */
    COSINE,
    /** {@code i-match}. */
    I_MATCH,
    /** {@code exact}. */
    EXACT
  }

  /** The choices of {@link Builder#decide}. */
  public enum Decide {
    /** {@code lcs}. */
    LCS,
    /** {@code method}. */
    METHOD
  }

  /** The choices of {@link Builder#decision}. */
  public enum Decision {
    /** {@code document}. */
    DOCUMENT,
    /** {@code report}. */
    REPORT
  }

  /** The choices of {@link Builder#durability}. */
  public enum Durability {
    /** {@code none}. */
    NONE,
    /** {@code snapshot}. */
    SNAPSHOT,
    /** {@code journal}. */
    JOURNAL,
    /** {@code sync}. */
    SYNC
  }

  /** The choices of {@link Builder#verify}. */
  public enum Verify {
    /** {@code full}. */
    FULL,
    /** {@code lazy}. */
    LAZY,
    /** {@code off}. */
    OFF
  }

  /** The choices of {@link Builder#pipelineMismatch}. */
  public enum PipelineMismatch {
    /** {@code warn}. */
    WARN,
    /** {@code error}. */
    ERROR
  }

  // End of choices

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

  /** What is set, in the order in which it was set first; unmodifiable. */
  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return values.entrySet();
  }

  /** Sets options; for one thread. The same option set again has the last value. */
  public static final class Builder {
    private final Map<String, String> values = new LinkedHashMap<>();

    private Builder() {}

    private Builder set(String key, Object value) {
      Arguments.notNull(value, "the value of option " + key);
      values.put(key, value instanceof Double number ? plain(key, number) : text(value));
      return this;
    }

    /** As the library reads a number: without an exponent. */
    private static String plain(String key, Double number) {
      if (Double.isFinite(number)) return new BigDecimal(number.toString()).toPlainString();
      throw new InvalidArgumentException("option " + key + " is " + number + ", no number");
    }

    /** Of a choice, the word of the library. */
    private static String text(Object value) {
      return value instanceof Enum<?> choice ? choice.name().toLowerCase(Locale.ROOT).replace('_', '-')
          : value.toString();
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
      return set("page_bytes_limit", value);
    }

    /**
     * Bytes of visible text that are extracted from a page; the rest is cut and flagged.
     *
     * @param value 1024..268435456; default: 4194304
     * @return this builder
     */
    public Builder textBytesLimit(long value) {
      return set("text_bytes_limit", value);
    }

    /**
     * Tokens of a page that are kept and compared; the rest is cut and flagged.
     *
     * @param value 64..4194304; default: 65536
     * @return this builder
     */
    public Builder tokensLimit(long value) {
      return set("tokens_limit", value);
    }

    /**
     * What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text counts.
     *
     * @param value not null; default: LEARNED
     * @return this builder
     */
    public Builder blockWeights(BlockWeights value) {
      return set("block_weights", value);
    }

    /**
     * Keeps the normalised text of each page beside what it is compared by, so that nd_explain can quote it.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder keepText(boolean value) {
      return set("keep_text", value);
    }

    /**
     * The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys
     * (docs/detectors.md).
     *
     * @param value not null; default: LCS
     * @return this builder
     */
    public Builder detector(Detector value) {
      return set("detector", value);
    }

    /**
     * Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near is flagged as
     * unverified.
     *
     * @param value not null; default: LCS
     * @return this builder
     */
    public Builder decide(Decide value) {
      return set("decide", value);
    }

    /**
     * The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal entries. 0: its
     * default (docs/detectors.md).
     *
     * @param value 0..1000; default: 0
     * @return this builder
     */
    public Builder detectorThreshold(long value) {
      return set("detector_threshold", value);
    }

    /**
     * What makes two texts one document: a probability learned from judged pages, or the rule of TR2007012 5.4
     * (docs/decision.md).
     *
     * @param value not null; default: DOCUMENT
     * @return this builder
     */
    public Builder decision(Decision value) {
      return set("decision", value);
    }

    /**
     * The probability of being the same document from which on a page joins a group.
     *
     * @param value 0..1; default: 0.50
     * @return this builder
     */
    public Builder sameDocument(double value) {
      return set("same_document", value);
    }

    /**
     * The resemblance from which on two pages are near-duplicates (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.28
     * @return this builder
     */
    public Builder resemblance(double value) {
      return set("resemblance", value);
    }

    /**
     * The share of a page that lies in the other, from which on they are near-duplicates (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.70
     * @return this builder
     */
    public Builder containment(double value) {
      return set("containment", value);
    }

    /**
     * Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features have none.
     *
     * @param value default: true
     * @return this builder
     */
    public Builder spotsigs(boolean value) {
      return set("spotsigs", value);
    }

    /**
     * In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: what has
     * changed is written before it takes so much. 0: no budget.
     *
     * @param value 0..1000000000000000; default: 0
     * @return this builder
     */
    public Builder memoryBudgetBytes(long value) {
      return set("memory_budget_bytes", value);
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
      return set("keys_bytes", value);
    }

    /**
     * What the index of spot signatures may hold; beyond it the oldest groups are found by their keys only. Its tables
     * may take up to 4 times as much in memory. 0: no bound.
     *
     * @param value 0..1099511627776; default: 268435456
     * @return this builder
     */
    public Builder spotBytes(long value) {
      return set("spot_bytes", value);
    }

    /**
     * Memory of what is known about sites; those not seen for longest are forgotten.
     *
     * @param value 65536..1000000000000; default: 268435456
     * @return this builder
     */
    public Builder siteBytes(long value) {
      return set("site_bytes", value);
    }

    /**
     * What the index of a detector other than lcs may hold; beyond it the oldest groups are found by equal text only.
     * 0: no bound.
     *
     * @param value 0..1099511627776; default: 0
     * @return this builder
     */
    public Builder detectorBytes(long value) {
      return set("detector_bytes", value);
    }

    /**
     * Inner steps of all comparisons of a check together, beside those that its bytes allow; what would take more is
     * cut and flagged, the likeliest candidates come first. 0: no bound.
     *
     * @param value 0..1000000000000; default: 64000
     * @return this builder
     */
    public Builder checkWorkLimit(long value) {
      return set("check_work_limit", value);
    }

    /**
     * Changes of pages and groups that an engine remembers, the latest ones, for nd_each_event.
     *
     * @param value 0..100000000; default: 100000
     * @return this builder
     */
    public Builder eventsLimit(long value) {
      return set("events_limit", value);
    }

    /**
     * What a crash may lose of a store: all since the last nd_snapshot (none), all since the last snapshot, which the
     * engine takes by itself (snapshot), nothing if the process dies (journal), nothing if the machine dies (sync).
     *
     * @param value not null; default: JOURNAL
     * @return this builder
     */
    public Builder durability(Durability value) {
      return set("durability", value);
    }

    /**
     * Bytes of changes since the last snapshot at which a store takes the next one by itself.
     *
     * @param value 65536..1000000000000; default: 25165824
     * @return this builder
     */
    public Builder journalBytes(long value) {
      return set("journal_bytes", value);
    }

    /**
     * Reads the last snapshot of a store that others may be writing.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder readOnly(boolean value) {
      return set("read_only", value);
    }

    /**
     * Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages are checked
     * against the store and against each other, and nothing is written.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder overlay(boolean value) {
      return set("overlay", value);
    }

    /**
     * Checks the checksums of a store's files when it is opened, where they are first used, or never.
     *
     * @param value not null; default: LAZY
     * @return this builder
     */
    public Builder verify(Verify value) {
      return set("verify", value);
    }

    /**
     * Opens a store whose newest journal is damaged with the changes before the damage; what follows it is lost.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder recover(boolean value) {
      return set("recover", value);
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
      return set("mmap", value);
    }

    /**
     * What to do with a store whose texts were made by other versions of libxml2, ICU, the public suffix list or ndc.
     *
     * @param value not null; default: WARN
     * @return this builder
     */
    public Builder pipelineMismatch(PipelineMismatch value) {
      return set("pipeline_mismatch", value);
    }

    /**
     * Seconds after which a page that was not fetched again is removed; 0: never.
     *
     * @param value 0..10000000000; default: 0
     * @return this builder
     */
    public Builder pageTtlS(long value) {
      return set("page_ttl_s", value);
    }

    // End of setters
  }
}
