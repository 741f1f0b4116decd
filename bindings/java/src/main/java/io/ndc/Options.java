package io.ndc;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

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

  /**
   * What reads HTML: ndc's own reader, which leaves pages of unusual markup to libxml2, or libxml2 alone. The text is
   * the same.
   */
  public static final OptionKey<HtmlReader> HTML_READER =
      OptionKey.choice(HtmlReader.class, "html_reader", "fast", false);

  /** Nesting depth of elements; deeper ones are flattened and flagged. */
  public static final OptionKey<Long> DEPTH_LIMIT =
      OptionKey.integer("depth_limit", "256", "16..1024", true);

  /** Bytes of visible text that are extracted. */
  public static final OptionKey<Long> TEXT_BYTES_LIMIT =
      OptionKey.integer("text_bytes_limit", "4194304", "1024..268435456", true);

  /** Text blocks that are extracted. */
  public static final OptionKey<Long> BLOCKS_LIMIT =
      OptionKey.integer("blocks_limit", "65536", "16..1048576", true);

  /** Tokens of a page that are kept and compared. */
  public static final OptionKey<Long> TOKENS_LIMIT =
      OptionKey.integer("tokens_limit", "65536", "64..4194304", true);

  /** What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text counts. */
  public static final OptionKey<BlockWeights> BLOCK_WEIGHTS =
      OptionKey.choice(BlockWeights.class, "block_weights", "learned", true);

  /** X: sentences wider than this are fingerprinted (TR2007012 4.2); a wide character counts 2. */
  public static final OptionKey<Long> SENTENCE_WIDTH =
      OptionKey.integer("sentence_width", "10", "0..1000", true);

  /** Y: sentences that make one fingerprint (TR2007012 4.2). */
  public static final OptionKey<Long> FINGERPRINT_SENTENCES =
      OptionKey.integer("fingerprint_sentences", "4", "1..16", true);

  /** Z: those sentences are wider than this together (TR2007012 4.2). */
  public static final OptionKey<Long> FINGERPRINT_COVER_WIDTH =
      OptionKey.integer("fingerprint_cover_width", "100", "0..10000", true);

  /**
   * m: buckets of sentence digests; at most 16 m fingerprints a page (TR2007012 4.2). 0: 1 in an engine, 7 in features
   * for elsewhere.
   */
  public static final OptionKey<Long> FINGERPRINT_BUCKETS =
      OptionKey.integer("fingerprint_buckets", "0", "0..64", true);

  /** Adds shingle keys, which find what the fingerprints alone miss. */
  public static final OptionKey<Boolean> RELAXED =
      OptionKey.bool("relaxed", "true", "true|false", true);

  /** Smallest shingle hashes of a page that become keys. */
  public static final OptionKey<Long> RELAXED_KEYS =
      OptionKey.integer("relaxed_keys", "16", "1..256", true);

  /** Consecutive tokens of a shingle. */
  public static final OptionKey<Long> SHINGLE_TOKENS =
      OptionKey.integer("shingle_tokens", "6", "1..32", true);

  /** The same where a shingle starts with a wide (CJK) character. */
  public static final OptionKey<Long> WIDE_SHINGLE_TOKENS =
      OptionKey.integer("wide_shingle_tokens", "10", "1..64", true);

  /** Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, there are none. */
  public static final OptionKey<Boolean> SPOTSIGS =
      OptionKey.bool("spotsigs", "true", "true|false", true);

  /** d: words from an antecedent to its chain, and from link to link (SpotSigs). */
  public static final OptionKey<Long> SPOT_DISTANCE =
      OptionKey.integer("spot_distance", "1", "1..16", true);

  /** c: content words of a spot signature (SpotSigs). */
  public static final OptionKey<Long> SPOT_CHAIN =
      OptionKey.integer("spot_chain", "2", "1..16", true);

  /**
   * Distinct spot signatures of a page that are kept: the smallest hashes. 0: 16 with detector lcs, 1024 with the
   * others.
   */
  public static final OptionKey<Long> SPOT_SIGNATURES =
      OptionKey.integer("spot_signatures", "0", "0..65535", true);

  /**
   * Words at which spot signatures begin, between spaces or commas; default: those of eleven languages (SpotSigs, Case
   * (I)).
   */
  public static final OptionKey<String> ANTECEDENTS =
      OptionKey.words("antecedents", "default", "default|1..256 words", true);

  /**
   * Least IDF of a spot signature that counts, log(N / df) / log N in thousandths, from the first epoch on (SpotSigs,
   * Summary - Gold Set).
   */
  public static final OptionKey<Long> SPOT_IDF_LOW =
      OptionKey.integer("spot_idf_low", "200", "0..1000", true);

  /** And its greatest (docs/spotsigs.md). */
  public static final OptionKey<Long> SPOT_IDF_HIGH =
      OptionKey.integer("spot_idf_high", "1000", "0..1000", true);

  /** Similarity of spot signatures, in thousandths, from which on a group is a candidate. */
  public static final OptionKey<Long> SPOT_THRESHOLD =
      OptionKey.integer("spot_threshold", "100", "1..1000", true);

  /** Groups found for a page by its spot signatures: the most similar. */
  public static final OptionKey<Long> SPOT_CANDIDATES_LIMIT =
      OptionKey.integer("spot_candidates_limit", "8", "1..1000", true);

  /**
   * Pages with which a group grows that are found by their own spot signatures too, so far as the representative lacks
   * them.
   */
  public static final OptionKey<Long> SPOT_MEMBERS_LIMIT =
      OptionKey.integer("spot_members_limit", "4", "0..1000", true);

  /** Postings (a group at one of its signatures) looked at for a page, of the rarest signatures first. */
  public static final OptionKey<Long> SPOT_POSTINGS_LIMIT =
      OptionKey.integer("spot_postings_limit", "1024", "1..1000000", true);

  /**
   * What the index of spot signatures may hold; beyond it the oldest groups are found by their keys only. Its tables
   * may take up to 4 times as much in memory. 0: no bound.
   */
  public static final OptionKey<Long> SPOT_BYTES =
      OptionKey.integer("spot_bytes", "268435456", "0..1099511627776", false);

  /**
   * What the index of candidate keys may hold; beyond it groups take no new keys, and are found by their spot
   * signatures, old keys and equal text. Its tables, which double and do not shrink, may take up to 4 times as much in
   * memory. 0: no bound.
   */
  public static final OptionKey<Long> KEYS_BYTES =
      OptionKey.integer("keys_bytes", "0", "0..1099511627776", false);

  /**
   * The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys
   * (docs/detectors.md).
   */
  public static final OptionKey<Detector> DETECTOR =
      OptionKey.choice(Detector.class, "detector", "lcs", true);

  /**
   * Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near is flagged as
   * unverified. verify=lcs and verify=method mean the same.
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
   * What the index of a detector other than lcs may hold; beyond it the oldest groups are found by equal text only. 0:
   * no bound.
   */
  public static final OptionKey<Long> DETECTOR_BYTES =
      OptionKey.integer("detector_bytes", "0", "0..1099511627776", false);

  /** Least IDF of a word that counts for detector i-match, in thousandths (SpotSigs, Summary - Gold Set). */
  public static final OptionKey<Long> I_MATCH_IDF_LOW =
      OptionKey.integer("i_match_idf_low", "400", "0..1000", true);

  /** And its greatest. */
  public static final OptionKey<Long> I_MATCH_IDF_HIGH =
      OptionKey.integer("i_match_idf_high", "750", "0..1000", true);

  /**
   * Least IDF of a spot signature that counts for detector i-match-s, in thousandths (SpotSigs, Summary - Gold Set).
   */
  public static final OptionKey<Long> I_MATCH_S_IDF_LOW =
      OptionKey.integer("i_match_s_idf_low", "400", "0..1000", true);

  /** And its greatest (docs/methods.md). */
  public static final OptionKey<Long> I_MATCH_S_IDF_HIGH =
      OptionKey.integer("i_match_s_idf_high", "1000", "0..1000", true);

  /** k: min-hashes of a band of detector lsh-s (SpotSigs, Summary - Gold Set). */
  public static final OptionKey<Long> LSH_S_ROWS =
      OptionKey.integer("lsh_s_rows", "6", "1..32", true);

  /** l: its bands. */
  public static final OptionKey<Long> LSH_S_BANDS =
      OptionKey.integer("lsh_s_bands", "32", "1..128", true);

  /** w: tokens of a shingle of the detectors shingles and minhash (MWO, section 2). */
  public static final OptionKey<Long> BASELINE_SHINGLE_TOKENS =
      OptionKey.integer("baseline_shingle_tokens", "5", "1..32", true);

  /**
   * What detector mwo reads of a page: all fields (MWO, table 1), the same with links in main content alone, or main
   * content alone.
   */
  public static final OptionKey<MwoFields> MWO_FIELDS =
      OptionKey.choice(MwoFields.class, "mwo_fields", "main", true);

  /** What detector mwo does to words: the stemmer of the page's language, English plurals alone, or nothing. */
  public static final OptionKey<MwoStemming> MWO_STEMMING =
      OptionKey.choice(MwoStemming.class, "mwo_stemming", "light", true);

  /** How detector mwo leaves pages unread: by bounds that lose nothing, or as published (MWO 3.1). */
  public static final OptionKey<MwoFilter> MWO_FILTER =
      OptionKey.choice(MwoFilter.class, "mwo_filter", "safe", true);

  /** Thousandths of a page's weight that its lightest terms, which detector mwo drops, have at most. */
  public static final OptionKey<Long> MWO_LIGHT_SHARE =
      OptionKey.integer("mwo_light_share", "100", "0..999", true);

  /**
   * Weight of a word in the URL, for detector mwo, in thousandths (MWO, table 1), as the next seven; 0: not read.
   * mwo_fields=main reads main content alone.
   */
  public static final OptionKey<Long> MWO_URL_WEIGHT =
      OptionKey.integer("mwo_url_weight", "2000", "0..1000000", true);

  /** Weight of a word in a heading. */
  public static final OptionKey<Long> MWO_HEADING_WEIGHT =
      OptionKey.integer("mwo_heading_weight", "2000", "0..1000000", true);

  /** Weight of a word in the title. */
  public static final OptionKey<Long> MWO_TITLE_WEIGHT =
      OptionKey.integer("mwo_title_weight", "2000", "0..1000000", true);

  /** Weight of a word in a link to the same site. */
  public static final OptionKey<Long> MWO_SAME_SITE_LINK_WEIGHT =
      OptionKey.integer("mwo_same_site_link_weight", "1000", "0..1000000", true);

  /** Weight of a word in a link to another site. */
  public static final OptionKey<Long> MWO_OTHER_SITE_LINK_WEIGHT =
      OptionKey.integer("mwo_other_site_link_weight", "500", "0..1000000", true);

  /** Weight of a word in the keywords. */
  public static final OptionKey<Long> MWO_KEYWORDS_WEIGHT =
      OptionKey.integer("mwo_keywords_weight", "3000", "0..1000000", true);

  /** Weight of a word in the description. */
  public static final OptionKey<Long> MWO_DESCRIPTION_WEIGHT =
      OptionKey.integer("mwo_description_weight", "3000", "0..1000000", true);

  /** Weight of a word in main content. */
  public static final OptionKey<Long> MWO_MAIN_CONTENT_WEIGHT =
      OptionKey.integer("mwo_main_content_weight", "1000", "0..1000000", true);

  /** S: window of the filtered sketch (TR2007012 5.2). */
  public static final OptionKey<Long> WINDOW_WIDTH =
      OptionKey.integer("window_width", "16", "1..256", true);

  /** Counts only what lies in trustable regions (TR2007012 4.4). */
  public static final OptionKey<Boolean> TRUSTABLE =
      OptionKey.bool("trustable", "false", "true|false", true);

  /** Theta: edits per unit of text in a trustable region (TR2007012 5.3). */
  public static final OptionKey<Double> SLOPE =
      OptionKey.number("slope", "0.10", "0..1", true);

  /** s: width of a block of the trustable region's grid (TR2007012 4.4). */
  public static final OptionKey<Long> TRUSTABLE_BLOCK_WIDTH =
      OptionKey.integer("trustable_block_width", "64", "8..4096", true);

  /** Passes of a comparison over what is left, for reordered paragraphs (TR2007012 4.4). */
  public static final OptionKey<Long> ROUNDS =
      OptionKey.integer("rounds", "8", "1..64", true);

  /** A pass that matches less width than this is the last. */
  public static final OptionKey<Long> GAIN_WIDTH =
      OptionKey.integer("gain_width", "64", "1..100000", true);

  /** Edits up to which Myers' algorithm is used; beyond it the bit-parallel one. */
  public static final OptionKey<Long> EDIT_BUDGET =
      OptionKey.integer("edit_budget", "1000", "0..10000", true);

  /** Inner steps of one comparison; beyond them it stops with what it has. */
  public static final OptionKey<Long> VERIFICATION_WORK_LIMIT =
      OptionKey.integer("verification_work_limit", "64000000", "1000..1000000000000", true);

  /**
   * Inner steps of all comparisons of a check together, beside check_work_per_byte; what would take more is cut and
   * flagged, the likeliest candidates come first. 0: no bound.
   */
  public static final OptionKey<Long> CHECK_WORK_LIMIT =
      OptionKey.integer("check_work_limit", "64000", "0..1000000000000", true);

  /** And of them so many more for each byte of the page. */
  public static final OptionKey<Long> CHECK_WORK_PER_BYTE =
      OptionKey.integer("check_work_per_byte", "48", "0..1000000", true);

  /**
   * What makes two texts one document: a probability learned from judged pages, or the rule of TR2007012 5.4
   * (docs/decision.md).
   */
  public static final OptionKey<Decision> DECISION =
      OptionKey.choice(Decision.class, "decision", "document", true);

  /** decision=document: the probability of being the same document from which on a page joins. */
  public static final OptionKey<Double> SAME_DOCUMENT =
      OptionKey.number("same_document", "0.50", "0..1", true);

  /** decision=report: pages that resemble each other so much are near-duplicates (TR2007012 5.4). */
  public static final OptionKey<Double> RESEMBLANCE =
      OptionKey.number("resemblance", "0.28", "0..1", true);

  /** decision=report: so is a page of which this share lies in the other (TR2007012 5.4). */
  public static final OptionKey<Double> CONTAINMENT =
      OptionKey.number("containment", "0.70", "0..1", true);

  /** Least visible text of a page with markup for the verdict exact. */
  public static final OptionKey<Long> EXACT_WIDTH =
      OptionKey.integer("exact_width", "40", "1..100000", true);

  /** Covered less than this by its counterpart, a page contains (or the representative) much more: a flag. */
  public static final OptionKey<Double> FULL_COVERAGE =
      OptionKey.number("full_coverage", "0.80", "0..1", true);

  /** A key in more groups than this is deleted (TR2007012 4.2). */
  public static final OptionKey<Long> HOT_GROUPS_LIMIT =
      OptionKey.integer("hot_groups_limit", "10000", "2..1000000", true);

  /** A key in more groups than this, of few sites, is deleted too (TR2007012 4.2). */
  public static final OptionKey<Long> HOT_SITE_GROUPS_LIMIT =
      OptionKey.integer("hot_site_groups_limit", "400", "2..1000000", true);

  /** How many sites are few. */
  public static final OptionKey<Long> HOT_SITES =
      OptionKey.integer("hot_sites", "8", "1..1000", true);

  /** Memory of what is known about sites; those not seen for longest are forgotten. */
  public static final OptionKey<Long> SITE_BYTES =
      OptionKey.integer("site_bytes", "268435456", "65536..1000000000000", false);

  /** Groups that are ranked for a page. */
  public static final OptionKey<Long> CANDIDATES_LIMIT =
      OptionKey.integer("candidates_limit", "16", "1..1000", true);

  /** Groups that a page is compared with. */
  public static final OptionKey<Long> VERIFICATIONS_LIMIT =
      OptionKey.integer("verifications_limit", "8", "1..1000", true);

  /** Groups looked at while ranking. */
  public static final OptionKey<Long> POSTINGS_LIMIT =
      OptionKey.integer("postings_limit", "1024", "16..8192", true);

  /** Members of a group that a search for similar pages compares, the oldest first. */
  public static final OptionKey<Long> SIMILAR_MEMBERS_LIMIT =
      OptionKey.integer("similar_members_limit", "256", "1..65536", false);

  /** Pages that it compares in all. */
  public static final OptionKey<Long> SIMILAR_PAGES_LIMIT =
      OptionKey.integer("similar_pages_limit", "2048", "1..65536", false);

  /** Inner steps of all its comparisons by the LCS; beyond them the list is cut. */
  public static final OptionKey<Long> SIMILAR_WORK_LIMIT =
      OptionKey.integer("similar_work_limit", "512000000", "1000..1000000000000", false);

  /**
   * In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: what has changed
   * is written before it takes so much. 0: no budget.
   */
  public static final OptionKey<Long> MEMORY_BUDGET_BYTES =
      OptionKey.integer("memory_budget_bytes", "0", "0..1000000000000000", false);

  /** What a crash may lose of a store; see nd_open. */
  public static final OptionKey<Durability> DURABILITY =
      OptionKey.choice(Durability.class, "durability", "journal", false);

  /** Reads the last snapshot of a store that others may be writing. */
  public static final OptionKey<Boolean> READ_ONLY =
      OptionKey.bool("read_only", "false", "true|false", false);

  /**
   * Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages are checked
   * against the store and against each other, and nothing is written.
   */
  public static final OptionKey<Boolean> OVERLAY =
      OptionKey.bool("overlay", "false", "true|false", false);

  /**
   * Checks the checksums of a store's files when it is opened, where they are first used, or never. The values lcs and
   * method are taken for option decide.
   */
  public static final OptionKey<Verify> VERIFY =
      OptionKey.choice(Verify.class, "verify", "lazy", false);

  /**
   * Opens a store whose newest journal is damaged with the changes before the damage; what stands behind it is lost.
   */
  public static final OptionKey<Boolean> RECOVER =
      OptionKey.bool("recover", "false", "true|false", false);

  /**
   * Maps a store's files; else they are read into memory as they are used, for untrusted stores and failing disks.
   * {@link NearDuplicates#open} takes false where nothing is set: of a mapped file a fault of the disk would end the
   * JVM.
   */
  public static final OptionKey<Boolean> MMAP =
      OptionKey.bool("mmap", "true", "true|false", false);

  /** Bytes of changes since the last snapshot at which a store takes the next one by itself. */
  public static final OptionKey<Long> JOURNAL_BYTES =
      OptionKey.integer("journal_bytes", "25165824", "65536..1000000000000", false);

  /** Seconds after which a page that was not fetched again is removed; 0: never. */
  public static final OptionKey<Long> PAGE_TTL_S =
      OptionKey.integer("page_ttl_s", "0", "0..10000000000", false);

  /** What to do with a store whose texts were made by other versions of libxml2, ICU, the public suffix list or ndc. */
  public static final OptionKey<PipelineMismatch> PIPELINE_MISMATCH =
      OptionKey.choice(PipelineMismatch.class, "pipeline_mismatch", "warn", false);

  /** Events that are kept for nd_each_event. */
  public static final OptionKey<Long> EVENTS_LIMIT =
      OptionKey.integer("events_limit", "100000", "0..100000000", false);

  /** Keeps the normalised text with the features, so that nd_explain can quote it. */
  public static final OptionKey<Boolean> KEEP_TEXT =
      OptionKey.bool("keep_text", "false", "true|false", false);

  /** The choices of {@link Options#HTML_READER}. */
  public enum HtmlReader {
    /** {@code fast}. */
    FAST("fast"),
    /** {@code libxml2}. */
    LIBXML2("libxml2");

    private final String word;

    HtmlReader(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

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

  /** The choices of {@link Options#MWO_FIELDS}. */
  public enum MwoFields {
    /** {@code all}. */
    ALL("all"),
    /** {@code no-frame}. */
    NO_FRAME("no-frame"),
    /** {@code main}. */
    MAIN("main");

    private final String word;

    MwoFields(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#MWO_STEMMING}. */
  public enum MwoStemming {
    /** {@code full}. */
    FULL("full"),
    /** {@code light}. */
    LIGHT("light"),
    /** {@code none}. */
    NONE("none");

    private final String word;

    MwoStemming(String word) {
      this.word = word;
    }

    /** As the library calls it. */
    @Override
    public String toString() {
      return word;
    }
  }

  /** The choices of {@link Options#MWO_FILTER}. */
  public enum MwoFilter {
    /** {@code safe}. */
    SAFE("safe"),
    /** {@code paper}. */
    PAPER("paper");

    private final String word;

    MwoFilter(String word) {
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
     * Sets options by the library's names, known to this class or not.
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
     * What reads HTML: ndc's own reader, which leaves pages of unusual markup to libxml2, or libxml2 alone. The text is
     * the same.
     *
     * @param value not null; default: FAST
     * @return this builder
     */
    public Builder htmlReader(HtmlReader value) {
      return set(HTML_READER, value);
    }

    /**
     * Nesting depth of elements; deeper ones are flattened and flagged.
     *
     * @param value 16..1024; default: 256
     * @return this builder
     */
    public Builder depthLimit(long value) {
      return set(DEPTH_LIMIT, value);
    }

    /**
     * Bytes of visible text that are extracted.
     *
     * @param value 1024..268435456; default: 4194304
     * @return this builder
     */
    public Builder textBytesLimit(long value) {
      return set(TEXT_BYTES_LIMIT, value);
    }

    /**
     * Text blocks that are extracted.
     *
     * @param value 16..1048576; default: 65536
     * @return this builder
     */
    public Builder blocksLimit(long value) {
      return set(BLOCKS_LIMIT, value);
    }

    /**
     * Tokens of a page that are kept and compared.
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
     * X: sentences wider than this are fingerprinted (TR2007012 4.2); a wide character counts 2.
     *
     * @param value 0..1000; default: 10
     * @return this builder
     */
    public Builder sentenceWidth(long value) {
      return set(SENTENCE_WIDTH, value);
    }

    /**
     * Y: sentences that make one fingerprint (TR2007012 4.2).
     *
     * @param value 1..16; default: 4
     * @return this builder
     */
    public Builder fingerprintSentences(long value) {
      return set(FINGERPRINT_SENTENCES, value);
    }

    /**
     * Z: those sentences are wider than this together (TR2007012 4.2).
     *
     * @param value 0..10000; default: 100
     * @return this builder
     */
    public Builder fingerprintCoverWidth(long value) {
      return set(FINGERPRINT_COVER_WIDTH, value);
    }

    /**
     * m: buckets of sentence digests; at most 16 m fingerprints a page (TR2007012 4.2). 0: 1 in an engine, 7 in
     * features for elsewhere.
     *
     * @param value 0..64; default: 0
     * @return this builder
     */
    public Builder fingerprintBuckets(long value) {
      return set(FINGERPRINT_BUCKETS, value);
    }

    /**
     * Adds shingle keys, which find what the fingerprints alone miss.
     *
     * @param value default: true
     * @return this builder
     */
    public Builder relaxed(boolean value) {
      return set(RELAXED, value);
    }

    /**
     * Smallest shingle hashes of a page that become keys.
     *
     * @param value 1..256; default: 16
     * @return this builder
     */
    public Builder relaxedKeys(long value) {
      return set(RELAXED_KEYS, value);
    }

    /**
     * Consecutive tokens of a shingle.
     *
     * @param value 1..32; default: 6
     * @return this builder
     */
    public Builder shingleTokens(long value) {
      return set(SHINGLE_TOKENS, value);
    }

    /**
     * The same where a shingle starts with a wide (CJK) character.
     *
     * @param value 1..64; default: 10
     * @return this builder
     */
    public Builder wideShingleTokens(long value) {
      return set(WIDE_SHINGLE_TOKENS, value);
    }

    /**
     * Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, there are none.
     *
     * @param value default: true
     * @return this builder
     */
    public Builder spotsigs(boolean value) {
      return set(SPOTSIGS, value);
    }

    /**
     * d: words from an antecedent to its chain, and from link to link (SpotSigs).
     *
     * @param value 1..16; default: 1
     * @return this builder
     */
    public Builder spotDistance(long value) {
      return set(SPOT_DISTANCE, value);
    }

    /**
     * c: content words of a spot signature (SpotSigs).
     *
     * @param value 1..16; default: 2
     * @return this builder
     */
    public Builder spotChain(long value) {
      return set(SPOT_CHAIN, value);
    }

    /**
     * Distinct spot signatures of a page that are kept: the smallest hashes. 0: 16 with detector lcs, 1024 with the
     * others.
     *
     * @param value 0..65535; default: 0
     * @return this builder
     */
    public Builder spotSignatures(long value) {
      return set(SPOT_SIGNATURES, value);
    }

    /**
     * Words at which spot signatures begin, between spaces or commas; default: those of eleven languages (SpotSigs,
     * Case (I)).
     *
     * @param value default or 1..256 words; default: default
     * @return this builder
     */
    public Builder antecedents(String value) {
      return set(ANTECEDENTS, value);
    }

    /**
     * Least IDF of a spot signature that counts, log(N / df) / log N in thousandths, from the first epoch on (SpotSigs,
     * Summary - Gold Set).
     *
     * @param value 0..1000; default: 200
     * @return this builder
     */
    public Builder spotIdfLow(long value) {
      return set(SPOT_IDF_LOW, value);
    }

    /**
     * And its greatest (docs/spotsigs.md).
     *
     * @param value 0..1000; default: 1000
     * @return this builder
     */
    public Builder spotIdfHigh(long value) {
      return set(SPOT_IDF_HIGH, value);
    }

    /**
     * Similarity of spot signatures, in thousandths, from which on a group is a candidate.
     *
     * @param value 1..1000; default: 100
     * @return this builder
     */
    public Builder spotThreshold(long value) {
      return set(SPOT_THRESHOLD, value);
    }

    /**
     * Groups found for a page by its spot signatures: the most similar.
     *
     * @param value 1..1000; default: 8
     * @return this builder
     */
    public Builder spotCandidatesLimit(long value) {
      return set(SPOT_CANDIDATES_LIMIT, value);
    }

    /**
     * Pages with which a group grows that are found by their own spot signatures too, so far as the representative
     * lacks them.
     *
     * @param value 0..1000; default: 4
     * @return this builder
     */
    public Builder spotMembersLimit(long value) {
      return set(SPOT_MEMBERS_LIMIT, value);
    }

    /**
     * Postings (a group at one of its signatures) looked at for a page, of the rarest signatures first.
     *
     * @param value 1..1000000; default: 1024
     * @return this builder
     */
    public Builder spotPostingsLimit(long value) {
      return set(SPOT_POSTINGS_LIMIT, value);
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
     * unverified. verify=lcs and verify=method mean the same.
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
     * Least IDF of a word that counts for detector i-match, in thousandths (SpotSigs, Summary - Gold Set).
     *
     * @param value 0..1000; default: 400
     * @return this builder
     */
    public Builder iMatchIdfLow(long value) {
      return set(I_MATCH_IDF_LOW, value);
    }

    /**
     * And its greatest.
     *
     * @param value 0..1000; default: 750
     * @return this builder
     */
    public Builder iMatchIdfHigh(long value) {
      return set(I_MATCH_IDF_HIGH, value);
    }

    /**
     * Least IDF of a spot signature that counts for detector i-match-s, in thousandths (SpotSigs, Summary - Gold Set).
     *
     * @param value 0..1000; default: 400
     * @return this builder
     */
    public Builder iMatchSIdfLow(long value) {
      return set(I_MATCH_S_IDF_LOW, value);
    }

    /**
     * And its greatest (docs/methods.md).
     *
     * @param value 0..1000; default: 1000
     * @return this builder
     */
    public Builder iMatchSIdfHigh(long value) {
      return set(I_MATCH_S_IDF_HIGH, value);
    }

    /**
     * k: min-hashes of a band of detector lsh-s (SpotSigs, Summary - Gold Set).
     *
     * @param value 1..32; default: 6
     * @return this builder
     */
    public Builder lshSRows(long value) {
      return set(LSH_S_ROWS, value);
    }

    /**
     * l: its bands.
     *
     * @param value 1..128; default: 32
     * @return this builder
     */
    public Builder lshSBands(long value) {
      return set(LSH_S_BANDS, value);
    }

    /**
     * w: tokens of a shingle of the detectors shingles and minhash (MWO, section 2).
     *
     * @param value 1..32; default: 5
     * @return this builder
     */
    public Builder baselineShingleTokens(long value) {
      return set(BASELINE_SHINGLE_TOKENS, value);
    }

    /**
     * What detector mwo reads of a page: all fields (MWO, table 1), the same with links in main content alone, or main
     * content alone.
     *
     * @param value not null; default: MAIN
     * @return this builder
     */
    public Builder mwoFields(MwoFields value) {
      return set(MWO_FIELDS, value);
    }

    /**
     * What detector mwo does to words: the stemmer of the page's language, English plurals alone, or nothing.
     *
     * @param value not null; default: LIGHT
     * @return this builder
     */
    public Builder mwoStemming(MwoStemming value) {
      return set(MWO_STEMMING, value);
    }

    /**
     * How detector mwo leaves pages unread: by bounds that lose nothing, or as published (MWO 3.1).
     *
     * @param value not null; default: SAFE
     * @return this builder
     */
    public Builder mwoFilter(MwoFilter value) {
      return set(MWO_FILTER, value);
    }

    /**
     * Thousandths of a page's weight that its lightest terms, which detector mwo drops, have at most.
     *
     * @param value 0..999; default: 100
     * @return this builder
     */
    public Builder mwoLightShare(long value) {
      return set(MWO_LIGHT_SHARE, value);
    }

    /**
     * Weight of a word in the URL, for detector mwo, in thousandths (MWO, table 1), as the next seven; 0: not read.
     * mwo_fields=main reads main content alone.
     *
     * @param value 0..1000000; default: 2000
     * @return this builder
     */
    public Builder mwoUrlWeight(long value) {
      return set(MWO_URL_WEIGHT, value);
    }

    /**
     * Weight of a word in a heading.
     *
     * @param value 0..1000000; default: 2000
     * @return this builder
     */
    public Builder mwoHeadingWeight(long value) {
      return set(MWO_HEADING_WEIGHT, value);
    }

    /**
     * Weight of a word in the title.
     *
     * @param value 0..1000000; default: 2000
     * @return this builder
     */
    public Builder mwoTitleWeight(long value) {
      return set(MWO_TITLE_WEIGHT, value);
    }

    /**
     * Weight of a word in a link to the same site.
     *
     * @param value 0..1000000; default: 1000
     * @return this builder
     */
    public Builder mwoSameSiteLinkWeight(long value) {
      return set(MWO_SAME_SITE_LINK_WEIGHT, value);
    }

    /**
     * Weight of a word in a link to another site.
     *
     * @param value 0..1000000; default: 500
     * @return this builder
     */
    public Builder mwoOtherSiteLinkWeight(long value) {
      return set(MWO_OTHER_SITE_LINK_WEIGHT, value);
    }

    /**
     * Weight of a word in the keywords.
     *
     * @param value 0..1000000; default: 3000
     * @return this builder
     */
    public Builder mwoKeywordsWeight(long value) {
      return set(MWO_KEYWORDS_WEIGHT, value);
    }

    /**
     * Weight of a word in the description.
     *
     * @param value 0..1000000; default: 3000
     * @return this builder
     */
    public Builder mwoDescriptionWeight(long value) {
      return set(MWO_DESCRIPTION_WEIGHT, value);
    }

    /**
     * Weight of a word in main content.
     *
     * @param value 0..1000000; default: 1000
     * @return this builder
     */
    public Builder mwoMainContentWeight(long value) {
      return set(MWO_MAIN_CONTENT_WEIGHT, value);
    }

    /**
     * S: window of the filtered sketch (TR2007012 5.2).
     *
     * @param value 1..256; default: 16
     * @return this builder
     */
    public Builder windowWidth(long value) {
      return set(WINDOW_WIDTH, value);
    }

    /**
     * Counts only what lies in trustable regions (TR2007012 4.4).
     *
     * @param value default: false
     * @return this builder
     */
    public Builder trustable(boolean value) {
      return set(TRUSTABLE, value);
    }

    /**
     * Theta: edits per unit of text in a trustable region (TR2007012 5.3).
     *
     * @param value 0..1; default: 0.10
     * @return this builder
     */
    public Builder slope(double value) {
      return set(SLOPE, value);
    }

    /**
     * s: width of a block of the trustable region's grid (TR2007012 4.4).
     *
     * @param value 8..4096; default: 64
     * @return this builder
     */
    public Builder trustableBlockWidth(long value) {
      return set(TRUSTABLE_BLOCK_WIDTH, value);
    }

    /**
     * Passes of a comparison over what is left, for reordered paragraphs (TR2007012 4.4).
     *
     * @param value 1..64; default: 8
     * @return this builder
     */
    public Builder rounds(long value) {
      return set(ROUNDS, value);
    }

    /**
     * A pass that matches less width than this is the last.
     *
     * @param value 1..100000; default: 64
     * @return this builder
     */
    public Builder gainWidth(long value) {
      return set(GAIN_WIDTH, value);
    }

    /**
     * Edits up to which Myers' algorithm is used; beyond it the bit-parallel one.
     *
     * @param value 0..10000; default: 1000
     * @return this builder
     */
    public Builder editBudget(long value) {
      return set(EDIT_BUDGET, value);
    }

    /**
     * Inner steps of one comparison; beyond them it stops with what it has.
     *
     * @param value 1000..1000000000000; default: 64000000
     * @return this builder
     */
    public Builder verificationWorkLimit(long value) {
      return set(VERIFICATION_WORK_LIMIT, value);
    }

    /**
     * Inner steps of all comparisons of a check together, beside check_work_per_byte; what would take more is cut and
     * flagged, the likeliest candidates come first. 0: no bound.
     *
     * @param value 0..1000000000000; default: 64000
     * @return this builder
     */
    public Builder checkWorkLimit(long value) {
      return set(CHECK_WORK_LIMIT, value);
    }

    /**
     * And of them so many more for each byte of the page.
     *
     * @param value 0..1000000; default: 48
     * @return this builder
     */
    public Builder checkWorkPerByte(long value) {
      return set(CHECK_WORK_PER_BYTE, value);
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
     * decision=document: the probability of being the same document from which on a page joins.
     *
     * @param value 0..1; default: 0.50
     * @return this builder
     */
    public Builder sameDocument(double value) {
      return set(SAME_DOCUMENT, value);
    }

    /**
     * decision=report: pages that resemble each other so much are near-duplicates (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.28
     * @return this builder
     */
    public Builder resemblance(double value) {
      return set(RESEMBLANCE, value);
    }

    /**
     * decision=report: so is a page of which this share lies in the other (TR2007012 5.4).
     *
     * @param value 0..1; default: 0.70
     * @return this builder
     */
    public Builder containment(double value) {
      return set(CONTAINMENT, value);
    }

    /**
     * Least visible text of a page with markup for the verdict exact.
     *
     * @param value 1..100000; default: 40
     * @return this builder
     */
    public Builder exactWidth(long value) {
      return set(EXACT_WIDTH, value);
    }

    /**
     * Covered less than this by its counterpart, a page contains (or the representative) much more: a flag.
     *
     * @param value 0..1; default: 0.80
     * @return this builder
     */
    public Builder fullCoverage(double value) {
      return set(FULL_COVERAGE, value);
    }

    /**
     * A key in more groups than this is deleted (TR2007012 4.2).
     *
     * @param value 2..1000000; default: 10000
     * @return this builder
     */
    public Builder hotGroupsLimit(long value) {
      return set(HOT_GROUPS_LIMIT, value);
    }

    /**
     * A key in more groups than this, of few sites, is deleted too (TR2007012 4.2).
     *
     * @param value 2..1000000; default: 400
     * @return this builder
     */
    public Builder hotSiteGroupsLimit(long value) {
      return set(HOT_SITE_GROUPS_LIMIT, value);
    }

    /**
     * How many sites are few.
     *
     * @param value 1..1000; default: 8
     * @return this builder
     */
    public Builder hotSites(long value) {
      return set(HOT_SITES, value);
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
     * Groups that are ranked for a page.
     *
     * @param value 1..1000; default: 16
     * @return this builder
     */
    public Builder candidatesLimit(long value) {
      return set(CANDIDATES_LIMIT, value);
    }

    /**
     * Groups that a page is compared with.
     *
     * @param value 1..1000; default: 8
     * @return this builder
     */
    public Builder verificationsLimit(long value) {
      return set(VERIFICATIONS_LIMIT, value);
    }

    /**
     * Groups looked at while ranking.
     *
     * @param value 16..8192; default: 1024
     * @return this builder
     */
    public Builder postingsLimit(long value) {
      return set(POSTINGS_LIMIT, value);
    }

    /**
     * Members of a group that a search for similar pages compares, the oldest first.
     *
     * @param value 1..65536; default: 256
     * @return this builder
     */
    public Builder similarMembersLimit(long value) {
      return set(SIMILAR_MEMBERS_LIMIT, value);
    }

    /**
     * Pages that it compares in all.
     *
     * @param value 1..65536; default: 2048
     * @return this builder
     */
    public Builder similarPagesLimit(long value) {
      return set(SIMILAR_PAGES_LIMIT, value);
    }

    /**
     * Inner steps of all its comparisons by the LCS; beyond them the list is cut.
     *
     * @param value 1000..1000000000000; default: 512000000
     * @return this builder
     */
    public Builder similarWorkLimit(long value) {
      return set(SIMILAR_WORK_LIMIT, value);
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
     * What a crash may lose of a store; see nd_open.
     *
     * @param value not null; default: JOURNAL
     * @return this builder
     */
    public Builder durability(Durability value) {
      return set(DURABILITY, value);
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
     * Checks the checksums of a store's files when it is opened, where they are first used, or never. The values lcs
     * and method are taken for option decide.
     *
     * @param value not null; default: LAZY
     * @return this builder
     */
    public Builder verify(Verify value) {
      return set(VERIFY, value);
    }

    /**
     * Opens a store whose newest journal is damaged with the changes before the damage; what stands behind it is lost.
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
     * Bytes of changes since the last snapshot at which a store takes the next one by itself.
     *
     * @param value 65536..1000000000000; default: 25165824
     * @return this builder
     */
    public Builder journalBytes(long value) {
      return set(JOURNAL_BYTES, value);
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
     * Events that are kept for nd_each_event.
     *
     * @param value 0..100000000; default: 100000
     * @return this builder
     */
    public Builder eventsLimit(long value) {
      return set(EVENTS_LIMIT, value);
    }

    /**
     * Keeps the normalised text with the features, so that nd_explain can quote it.
     *
     * @param value default: false
     * @return this builder
     */
    public Builder keepText(boolean value) {
      return set(KEEP_TEXT, value);
    }

    // End of setters
  }
}
