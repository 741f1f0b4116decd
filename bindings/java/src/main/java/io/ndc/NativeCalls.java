package io.ndc;

import org.jspecify.annotations.Nullable;

/**
 * The native methods, one for each function of the C interface. They trust their arguments: nothing is null unless it
 * says so, handles are open, offsets and sizes lie within. A failure is a {@link NearDuplicatesException}. A page is
 * passed as {@link Page#texts} and {@link Page#numbers}; what the library fills comes as a row of numbers, several as
 * rows in one array, and with texts as an array of both.
 */
final class NativeCalls {
  /**
   * Counted up with kBindingAbi in native/load.cpp: whenever a native method's name, arguments or rows of numbers
   * change.
   */
  static final int BINDING_ABI = 11;

  private NativeCalls() {}

  static native int bindingAbi();

  static native int version();

  /** Path null: in memory. Options: key, value, key, value, or null. */
  static native long open(byte[] path, byte[][] options);

  /** Closes the engine, whatever it throws. What the engine logged remains until free. */
  static native void close(long handle);

  static native void free(long handle);

  /** Each line with its level as its first byte; null where there are none. */
  static native byte[][] takeLog(long handle);

  static native long[] check(long handle, byte[][] texts, long[] numbers);

  static native long[] query(long handle, byte[][] texts, long[] numbers);

  static native byte[] ownText(long handle, byte[][] texts, long[] numbers);

  /** With the text that is the page's own. */
  static native Object[] checkWithText(long handle, byte[][] texts, long[] numbers);

  static native long[] checkFeatures(long handle, byte[] features);

  static native long[] queryFeatures(long handle, byte[] features);

  /** The outcome is a row as of a result. */
  static native long[] applyOutcome(long handle, byte[] features, long[] outcome);

  /** False: the page was not there. */
  static native boolean remove(long handle, byte[] url);

  static native long removeMatching(long handle, byte[] urlPrefix, byte[] site, long fetchedBeforeMs, boolean purge);

  static native void snapshot(long handle);

  static native void compact(long handle);

  static native void refresh(long handle);

  static native void setBookmark(long handle, byte[] name, byte[] data);

  /** Null: there is none of this name. */
  static native byte[] bookmark(long handle, byte[] name);

  /** Null if there is no such page. */
  static native long @Nullable [] find(long handle, byte[] url);

  /** With the URL; null if there is no such page. */
  static native Object @Nullable [] page(long handle, long pageId);

  /** With the URLs. */
  static native Object[] members(long handle, long groupId);

  /** With the URL: the page of the group that is kept by the rule of this number. */
  static native Object[] keptPage(long handle, long groupId, int rule);

  /** A copy of all groups, to be read piece by piece and freed; it does not need the engine. */
  static native long openGroups(long handle);

  /** The rows of the next groups, of at most so many; none at the end. */
  static native long[] nextGroups(long cursor, int limit);

  static native void freeGroups(long cursor);

  static native long[] events(long handle, long after);

  /** With the URLs, best first. */
  static native Object[] similar(long handle, long pageId, int limit);

  static native long[] compare(long handle, long pageA, long pageB);

  static native byte[] explain(long handle, long pageA, long pageB);

  static native long[] stats(long handle);

  static native byte[] metrics(long handle);

  static native byte[] extract(byte[][] texts, long[] numbers, byte[] @Nullable [] options);

  static native byte[] signature(byte[][] texts, long[] numbers, byte[] @Nullable [] options);

  /** Words, between spaces; null if there is no such option. */
  static native byte @Nullable [] optionActsOn(byte[] key);

  /** Three numbers a copy: when it was fetched, its text's width, and the flags of nd_copy. The index of the one. */
  static native int chooseCopy(byte[][] urls, byte[][] canonicalUrls, long[] rows, int rule);

  /** Options: key, value, key, value, or null. */
  static native long openReader(byte[][] options);

  static native void freeReader(long handle);

  static native byte[] readerExtract(long handle, byte[][] texts, long[] numbers);

  static native byte[] readerFeatures(long handle, byte[][] texts, long[] numbers);

  static native byte[] readerSignature(long handle, byte[][] texts, long[] numbers);

  /** With the URL and the site. */
  static native Object[] featuresInfo(byte[] features);

  static native long[] featuresKeys(byte[] features);

  static native long[] featuresParts(byte[] features);

  static native byte[] featuresWithSite(byte[] features, byte[] saved);

  /** Saved null: what the features carry of their site stays. */
  static native byte[] featuresRepresentative(byte[] features, byte @Nullable [] saved);

  static native long[] featuresDecide(byte[] a, byte[] b, byte[] @Nullable [] options);

  static native long newSiteModel();

  static native void freeSiteModel(long handle);

  static native void siteModelLearn(long handle, long[] parts);

  static native void siteModelForget(long handle, long[] parts);

  static native void siteModelMerge(long handle, byte[] saved);

  static native byte[] siteModelSave(long handle, long[] parts);

  static native long[] signatureKeys(byte[] signature);

  static native double signatureCompare(byte[] a, byte[] b);

  /** The source has a method {@code int read(long offset, int size)}, which fills the piece. */
  static native long openArchive(
      Object source, byte[] piece, byte[] name, long begin, long end, long pageBytes, boolean allStatuses);

  static native void freeArchive(long handle);

  static native int archiveFileCount(long handle);

  static native byte[] archiveFileName(long handle, int file);

  static native void selectArchiveFile(long handle, int file);

  /** The texts of the next item, whose numbers go into the array; null at the end. */
  static native byte[] @Nullable [] nextArchiveItem(long handle, Object source, byte[] piece, long[] itemOut);
}
