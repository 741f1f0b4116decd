package io.ndc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is needed to compare a page later and elsewhere, as bytes: portable between machines, versioned, with
 * a checksum (docs/features_format.md). No engine is needed. Any number of threads may call; every method throws
 * {@link NearDuplicatesException} or a subclass.
 */
public final class Features {
  private Features() {}

  /**
   * The features of a page.
   *
   * @param page not null
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return some kilobytes, about 4 bytes a word
   */
  public static byte[] compute(Page page, @Nullable Map<String, String> options) {
    try (PageReader reader = PageReader.open(options)) {
      return reader.features(page);
    }
  }

  /**
   * What a record says of its page, once it is found whole: what this accepts, every method here accepts.
   *
   * @param features not null
   * @return the page's name, its time and what its features were made with
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static FeaturesInfo info(byte[] features) {
    NativeLibrary.require();
    return FeaturesInfo.of(NativeCalls.featuresInfo(Arguments.notNull(features, "the features")));
  }

  /**
   * Candidate keys: pages that share one are worth comparing.
   *
   * @param features not null
   * @return unsigned 64-bit numbers, distinct, the strictest first
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static long[] keys(byte[] features) {
    NativeLibrary.require();
    return NativeCalls.featuresKeys(Arguments.notNull(features, "the features"));
  }

  /**
   * The hashes under which a {@link SiteModel} counts the page: of its text blocks and the words of its title.
   *
   * @param features not null
   * @return unsigned 64-bit numbers, ascending, each once
   * @throws CorruptException if these are not features, or damaged
   * @throws UnsupportedVersionException if another version wrote them
   */
  public static long[] parts(byte[] features) {
    NativeLibrary.require();
    return NativeCalls.featuresParts(Arguments.notNull(features, "the features"));
  }

  /**
   * The same page with what its site knows of it, in place of what the record carried before; its keys are without the
   * site's boilerplate.
   *
   * @param features not null
   * @param saved of {@link SiteModel#save()}, of a model that has learned the page, with all parts or those of the
   *     page; not null
   * @return new features, 8 bytes more per part
   * @throws CorruptException if one of them is damaged
   * @throws UnsupportedVersionException if another version wrote one
   */
  public static byte[] withSite(byte[] features, byte[] saved) {
    NativeLibrary.require();
    return NativeCalls.featuresWithSite(
        Arguments.notNull(features, "the features"), Arguments.notNull(saved, "the site model"));
  }

  /**
   * The page as it is compared, for whoever keeps representatives: without keys, spot signatures, what these are made
   * from, and text. {@link #decide} decides with it as with the whole record; {@link #info}, {@link #parts} and this
   * method take it too, {@link #keys} and whatever else finds candidates do not.
   *
   * @param features not null
   * @param saved as in {@link #withSite}, in place of what the features carry of their site; null: they keep that
   * @return 5 KB for a page of 800 words; much of it repeats, so compress many together
   * @throws CorruptException if one of them is damaged
   * @throws UnsupportedVersionException if another version wrote one
   */
  public static byte[] representative(byte[] features, byte @Nullable [] saved) {
    NativeLibrary.require();
    return NativeCalls.featuresRepresentative(Arguments.notNull(features, "the features"), saved);
  }

  /**
   * Whether two pages are the same document, by what the records carry of their sites; without it, all of their text
   * is their own.
   *
   * @param a the page that plays the representative; not null
   * @param b not null
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return verdict {@link Verdict#EXACT}, {@link Verdict#NEAR} or {@link Verdict#NEW} for different; all ids are 0
   * @throws CorruptException if one is not features, or damaged
   * @throws UnsupportedVersionException if another version wrote one
   */
  public static Result decide(byte[] a, byte[] b, @Nullable Map<String, String> options) {
    NativeLibrary.require();
    Arguments.notNull(a, "the first page's features");
    Arguments.notNull(b, "the second page's features");
    return Result.of(NativeCalls.featuresDecide(a, b, Arguments.options(options)));
  }
}
