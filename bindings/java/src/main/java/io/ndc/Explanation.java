package io.ndc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why two pages are, or are not, near-duplicates: what {@link NearDuplicates#explain} says, with types. Later versions
 * may add components: read by the accessors, and leave the constructor to this package.
 *
 * @param a the page that plays the representative
 * @param b the other page
 * @param verdict {@link Verdict#EXACT}, {@link Verdict#NEAR}, or {@link Verdict#NEW} for different
 * @param rule that decided, as in {@code exact}, {@code probability}; {@code none} of different pages
 * @param resemblance 0..1
 * @param containment 0..1
 * @param pageCoverage of b, 0..1
 * @param matchedCoverage of a, 0..1
 * @param probability that they are the same document, 0..1, as in {@link Result#probability}
 * @param matchedWidth of what both have in common; 0 where a detector decides alone
 * @param sharedKeys how many candidate keys both have
 * @param detected what another detector than {@code lcs} says of the pair; null with {@code lcs}
 * @param decision who decided, a choice of option {@code decision}; null where a detector decides alone
 * @param decidedBy the threshold that decided; null where the texts are equal, or none did
 * @param refusedAs where no threshold decides: {@code truncated}; else null
 * @param limited whether a limit cut the comparison
 * @param boilerplateOfA tokens of page a that are rather its site's than its own, ascending
 * @param boilerplateOfB the same of page b
 * @param segments in reading order
 * @param version of the library
 */
public record Explanation(Side a, Side b, Verdict verdict, String rule, double resemblance, double containment,
    double pageCoverage, double matchedCoverage, double probability, long matchedWidth, long sharedKeys,
    @Nullable Detected detected, @Nullable String decision, @Nullable Threshold decidedBy,
    @Nullable String refusedAs, boolean limited,
    List<TokenRange> boilerplateOfA, List<TokenRange> boilerplateOfB, List<Segment> segments, String version) {
  /**
   * One of the two pages.
   *
   * @param pageId its id
   * @param url as it was checked
   * @param site its registrable domain
   * @param width of all its text
   * @param contentWidth of its weighted main content
   */
  public record Side(long pageId, String url, String site, long width, long contentWidth) {
    static Side of(JsonObject json) {
      return new Side(json.count("page_id"), json.string("url"), json.string("site"), json.count("width"),
          json.count("content_width"));
    }
  }

  /**
   * A threshold and what was found.
   *
   * @param option its name
   * @param asked its value
   * @param found of the pair
   */
  public record Threshold(String option, double asked, double found) {
    static Threshold of(JsonObject json) {
      return new Threshold(json.string("option"), json.number("asked"), json.number("found"));
    }
  }

  /**
   * A detector's view of the pair.
   *
   * @param detector its name
   * @param score of the pair, 0..1
   * @param asked the least score of two near-duplicates
   * @param unit what the score counts
   * @param a how many of these the page a has
   * @param b how many the page b has
   * @param shared how many both have
   */
  public record Detected(String detector, double score, double asked, String unit, long a, long b, long shared) {
    static Detected of(JsonObject json) {
      JsonObject compared = json.object("compared");
      return new Detected(json.string("detector"), json.number("score"), json.number("asked"), compared.string("unit"),
          compared.count("a"), compared.count("b"), compared.count("shared"));
    }
  }

  /**
   * Tokens of a page that follow each other.
   *
   * @param begin the first
   * @param end the one behind the last
   */
  public record TokenRange(int begin, int end) {
    static List<TokenRange> listOf(JsonObject json, String name) {
      return json.ranges(name).stream().map(range -> new TokenRange(range[0], range[1])).toList();
    }
  }

  /** Whose text a segment is. */
  public enum Kind {
    /** Both pages have it. */
    BOTH,
    /** Only page a has it. */
    A,
    /** Only page b has it. */
    B
  }

  /**
   * A run of tokens that both pages have or one of them.
   *
   * @param kind whose it is
   * @param aBegin its first token in page a
   * @param aEnd the token behind its last in page a
   * @param bBegin its first token in page b
   * @param bEnd the token behind its last in page b
   * @param text with option {@code keep_text}; else null
   */
  public record Segment(Kind kind, int aBegin, int aEnd, int bBegin, int bEnd, @Nullable String text) {
    static Segment of(JsonObject json) {
      int[] a = json.range("a");
      int[] b = json.range("b");
      Kind kind = switch (json.string("kind")) {
        case "a" -> Kind.A;
        case "b" -> Kind.B;
        default -> Kind.BOTH;
      };
      return new Segment(kind, a[0], a[1], b[0], b[1], json.optionalString("text"));
    }
  }

  static Explanation of(String text) {
    JsonObject json = JsonReader.object(text);
    Verdict verdict = switch (json.string("verdict")) {
      case "exact" -> Verdict.EXACT;
      case "near" -> Verdict.NEAR;
      default -> Verdict.NEW;
    };
    return new Explanation(
        Side.of(json.object("a")),
        Side.of(json.object("b")),
        verdict,
        json.string("rule"),
        json.number("resemblance"),
        json.number("containment"),
        json.number("page_coverage"),
        json.number("matched_coverage"),
        json.number("probability"),
        json.count("matched_width"),
        json.count("shared_keys"),
        json.has("detector") ? Detected.of(json) : null,
        json.optionalString("decision"),
        json.has("decided_by") ? Threshold.of(json.object("decided_by")) : null,
        json.optionalString("refused_as"),
        json.flag("limited"),
        TokenRange.listOf(json.object("boilerplate"), "a"),
        TokenRange.listOf(json.object("boilerplate"), "b"),
        json.objects("segments").stream().map(Segment::of).toList(),
        json.string("version"));
      }
    }
