package io.ndc.heritrix;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.archive.modules.CrawlURI;

/**
 * What {@link NearDuplicateProcessor} found out about a page, as it travels with the {@link CrawlURI} through the rest
 * of the disposition chain. Immutable.
 *
 * @param verdict never null
 * @param flags never null
 * @param pageId the page's id in the store
 * @param groupId the id of its group: the id of the page that founded it
 * @param groupUrl the URL of the page that founded the group; null if that page was removed or has changed
 * @param matchedUrl the URL of the page whose text is equal, if the verdict is EXACT, else of the one against whose
 *     text it was verified; null if there was none, or if that page is gone or has changed
 * @param resemblance to the matched page, 0..1; 0 if there was none
 * @param containment of the two, 0..1; 0 if there was none
 * @param probability that the page and the matched one are the same document, 0..1; of a new page that of the one that
 *     came nearest, or 0
 * @param relatedGroupId the group of that one; 0: there was none
 * @param founderResemblance to the page that founded the group, if the two are the same document by what is known now,
 *     0..1; 0 if they are not, or if there is no such page
 * @param part whether one of these two contains the other and much more
 */
public record NearDuplicateVerdict(
    Verdict verdict,
    Set<Flag> flags,
    long pageId,
    long groupId,
    String groupUrl,
    String matchedUrl,
    double resemblance,
    double containment,
    double probability,
    long relatedGroupId,
    double founderResemblance,
    boolean part) {
  /** The annotation that crawl.log shows for a page that is an exact or near duplicate. */
  public static final String ANNOTATION = "duplicate:nd";

  /**
   * Key in {@link CrawlURI#getData()}. A map of plain values stands there, since a CrawlURI may be serialised with it.
   */
  private static final String DATA_KEY = "nd";

  /** Checks for null and copies the flags. */
  public NearDuplicateVerdict {
    Objects.requireNonNull(verdict, "verdict");
    flags = Set.copyOf(flags);
  }

  static NearDuplicateVerdict of(Result result, Optional<Result> founder, String groupUrl, String matchedUrl) {
    return new NearDuplicateVerdict(
        result.verdict(),
        result.flags(),
        result.pageId(),
        result.groupId(),
        groupUrl,
        matchedUrl,
        result.resemblance(),
        result.containment(),
        result.probability(),
        result.relatedGroupId(),
        founder.filter(compared -> compared.isCopy() || compared.isPart()).map(Result::resemblance).orElse(0.0),
        founder.filter(Result::isPart).isPresent());
  }

  /**
   * The verdict on a page; empty if the page was not checked.
   *
   * @param uri not null
   */
  public static Optional<NearDuplicateVerdict> of(CrawlURI uri) {
    if (!(uri.getData().get(DATA_KEY) instanceof Map<?, ?> data)) {
      return Optional.empty();
    }
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    String names = (String) data.get("flags");
    if (!names.isEmpty()) {
      for (String name : names.split(",")) {
        flags.add(Flag.valueOf(name));
      }
    }
    return Optional.of(new NearDuplicateVerdict(
        Verdict.valueOf((String) data.get("verdict")),
        flags,
        (Long) data.get("page"),
        (Long) data.get("group"),
        (String) data.get("founder"),
        (String) data.get("matched"),
        (Double) data.get("resemblance"),
        (Double) data.get("containment"),
        (Double) data.get("probability"),
        (Long) data.get("relatedGroup"),
        (Double) data.get("founderResemblance"),
        (Boolean) data.get("part")));
  }

  /** True for EXACT and NEAR. */
  public boolean isDuplicate() {
    return verdict == Verdict.EXACT || verdict == Verdict.NEAR;
  }

  /** True if the page was compared with another one, or founds a group: what is unchanged or has no text is neither. */
  boolean tellsProbability() {
    return isDuplicate() || verdict == Verdict.NEW;
  }

  /** True if the page is in a group that another page founded, whenever that was decided. */
  public boolean isMember() {
    return groupId != pageId;
  }

  /**
   * The verdict as the command line writes it: {@code new}, {@code unchanged}, {@code exact}, {@code near},
   * {@code no-text}.
   */
  public String verdictName() {
    return lower(verdict);
  }

  /**
   * The flags as the command line writes them, separated by ", " in the order of {@link Flag}; empty if there are
   * none.
   */
  public String flagNames() {
    return flags.stream().sorted().map(NearDuplicateVerdict::lower).collect(Collectors.joining(", "));
  }

  /** A ratio with four decimals, as everywhere in ndc. */
  static String ratio(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  /** Makes the verdict known to the rules and writers that follow, and to crawl.log. */
  void attachTo(CrawlURI uri) {
    Map<String, Object> data = new HashMap<>();
    data.put("verdict", verdict.name());
    data.put("flags", flags.stream().sorted().map(Flag::name).collect(Collectors.joining(",")));
    data.put("page", pageId);
    data.put("group", groupId);
    data.put("founder", groupUrl);
    data.put("matched", matchedUrl);
    data.put("resemblance", resemblance);
    data.put("containment", containment);
    data.put("probability", probability);
    data.put("relatedGroup", relatedGroupId);
    data.put("founderResemblance", founderResemblance);
    data.put("part", part);
    uri.getData().put(DATA_KEY, data);
    if (isDuplicate()) {
      uri.getAnnotations().add(ANNOTATION);
      uri.addExtraInfo("nd_resemblance", Double.valueOf(ratio(resemblance)));
    }
    if (tellsProbability()) {
      uri.addExtraInfo("nd_probability", Double.valueOf(ratio(probability)));
    }
    if (relatedGroupId != 0) {
      uri.addExtraInfo("nd_related_group", relatedGroupId);
    }
    uri.addExtraInfo("nd_group", groupId);
    uri.addExtraInfo("nd_verdict", verdictName());
  }

  /** A URI may come back with what an earlier fetch left in it. */
  static void detachFrom(CrawlURI uri) {
    if (uri.getData().remove(DATA_KEY) != null) {
      uri.getAnnotations().remove(ANNOTATION);
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
