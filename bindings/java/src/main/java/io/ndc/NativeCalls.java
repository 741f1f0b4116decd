package io.ndc;

import org.jspecify.annotations.Nullable;

/**
 * The native methods, one for each function of the C interface. They trust their arguments: nothing is null unless it
 * says so, handles are open, offsets and sizes lie within. A failure is a {@link NearDuplicatesException}.
 */
final class NativeCalls {
  /**
   * Counted up with kBindingAbi in native/load.cpp: whenever a native method's name, arguments or rows of numbers
   * change.
   */
  static final int BINDING_ABI = 9;

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

  static native void check(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      long[] resultOut);

  static native void query(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      long[] resultOut);

  static native byte[] ownText(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs);

  /** The text that is the page's own. */
  static native byte[] checkWithText(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      long[] resultOut);

  static native void checkFeatures(long handle, byte[] features, long[] resultOut);

  /** False: the page was not there. */
  static native boolean remove(long handle, byte[] url);

  static native long removeMatching(long handle, byte[] urlPrefix, byte[] site, long fetchedBeforeMs, boolean purge);

  static native void snapshot(long handle);

  static native void compact(long handle);

  static native void refresh(long handle);

  static native void setBookmark(long handle, byte[] name, byte[] data);

  /** Null: there is none of this name. */
  static native byte[] bookmark(long handle, byte[] name);

  /** False if there is no such page. */
  static native boolean find(long handle, byte[] url, long[] pageOut);

  /** The URL; null if there is no such page. */
  static native byte[] page(long handle, long pageId, long[] pageOut);

  /** A long[] with the rows of the pages and a byte[][] with their URLs. */
  static native Object[] members(long handle, long groupId);

  /** The URL of the page of the group that is kept by the rule of this number. */
  static native byte[] keptPage(long handle, long groupId, int rule, long[] pageOut);

  static native long[] groups(long handle);

  /** A copy of all groups, to be read piece by piece and freed; it does not need the engine. */
  static native long openGroups(long handle);

  /** The rows of the next groups, of at most so many; none at the end. */
  static native long[] nextGroups(long cursor, int limit);

  static native void freeGroups(long cursor);

  static native long[] events(long handle, long after);

  /** A long[] with the rows of the pages, best first, and a byte[][] with their URLs. */
  static native Object[] similar(long handle, long pageId, int limit);

  static native void compare(long handle, long pageA, long pageB, long[] resultOut);

  static native byte[] explain(long handle, long pageA, long pageB);

  static native long[] stats(long handle);

  static native byte[] metrics(long handle);

  static native byte[] extract(
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      byte[][] options);

  /** Words, between spaces; null if there is no such option. */
  static native byte @Nullable [] optionActsOn(byte[] key);

  /** Three numbers a copy: when it was fetched, its text's width, and the flags of nd_copy. The index of the one. */
  static native int chooseCopy(byte[][] urls, byte[][] canonicalUrls, long[] rows, int rule);

  /** Options: key, value, key, value, or null. */
  static native long openReader(byte[][] options);

  static native void freeReader(long handle);

  static native byte[] readerExtract(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs);

  static native byte[] readerFeatures(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs);

  static native byte[] readerSignature(
      long handle,
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs);

  static native byte[] features(
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      byte[][] options);

  static native long[] featuresKeys(byte[] features);

  static native long[] featuresParts(byte[] features);

  static native byte[] featuresWithSite(byte[] features, byte[] saved);

  static native void featuresDecide(byte[] a, byte[] b, byte[][] options, long[] resultOut);

  static native long newSiteModel();

  static native void freeSiteModel(long handle);

  static native void siteModelLearn(long handle, long[] parts);

  static native void siteModelForget(long handle, long[] parts);

  static native void siteModelMerge(long handle, byte[] saved);

  static native byte[] siteModelSave(long handle, long[] parts);

  static native double[] siteModelWeights(long handle, byte[] features);

  static native byte[] signature(
      byte[] url,
      byte[] body,
      int offset,
      int size,
      byte[] contentType,
      int flags,
      long fetchedAtMs,
      byte[][] options);

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
