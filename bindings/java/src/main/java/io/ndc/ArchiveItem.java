package io.ndc;

/**
 * What an {@link Archive} has next: a page, a record that is none, or damage.
 *
 * @param kind what it is
 * @param file the file that it is in: the archive's name, and that of the entry in a WACZ
 * @param fileOffset of the record, or the damage, in that file; of its member if it is packed
 * @param memberOffset decompressed bytes from there; 0 in a plain file
 * @param isRecord whether a whole record was there; of damage: it is within the record
 * @param isSeparate whether the record ended by itself, and not because another one or the end came
 * @param isTruncated whether a part of the page's body is missing
 * @param isRevisit whether the page's content is that of the page that it revisits
 * @param url of a page, with bytes that are not UTF-8 as %XX; else empty
 * @param contentType of a page, as the server declared it; else empty
 * @param fetchedAtMs of a page, in milliseconds since 1970-01-01 UTC; 0: not known
 * @param body of a page, with its codings undone; else empty. Not copied
 * @param leftOut why it was left out
 * @param reason of damage, and of what was left out: half a sentence; else empty
 */
public record ArchiveItem(Kind kind, String file, long fileOffset, long memberOffset, boolean isRecord,
    boolean isSeparate, boolean isTruncated, boolean isRevisit, String url, String contentType, long fetchedAtMs,
    byte[] body, LeftOut leftOut, String reason) {

  /** What it is. */
  public enum Kind {
    /** A page. */
    PAGE,
    /** A record of another type: a request, a name lookup, ... */
    NO_PAGE,
    /** A style sheet, an image, a revisit of what is not there, ...; the reason names its kind. */
    LEFT_OUT,
    /** An HTTP response other than 2xx, or one that has no content. */
    OTHER_STATUS,
    /** Something that cannot be read. */
    DAMAGE;

    private static final Kind[] VALUES = values();

    private static Kind of(long number) {
      if (number < 1 || number > VALUES.length)
        throw new InternalException("the library gave the unknown item " + number);
      return VALUES[(int) number - 1];
    }
  }

  /** Why something that might be a page was left out. */
  public enum LeftOut {
    /** It was not. */
    NO,
    /** A revisit of a page that did not come before it. */
    LOST_REVISIT,
    /** A revisit for which too much would be read again. */
    COSTLY_REVISIT,
    /** A payload whose codings give more than is allowed. */
    COSTLY_CODINGS,
    /** It is no page: the reason names its kind. */
    OTHER;

    private static LeftOut of(long number) {
      return number < values().length ? values()[(int) number] : OTHER;
    }
  }

  /** How many numbers an item has. */
  static final int NUMBERS = 6;

  private static final int TRUNCATED = 1;
  private static final int REVISIT = 2;
  private static final int RECORD = 4;
  private static final int SEPARATE = 8;

  static ArchiveItem of(long[] numbers, byte[][] texts) {
    long flags = numbers[1];
    return new ArchiveItem(Kind.of(numbers[0]), Utf8.decode(texts[0]), numbers[2], numbers[3], (flags & RECORD) != 0,
        (flags & SEPARATE) != 0, (flags & TRUNCATED) != 0, (flags & REVISIT) != 0, Utf8.decodeUrl(texts[1]),
        Utf8.decode(texts[2]), numbers[4], texts[3], LeftOut.of(numbers[5]), Utf8.decode(texts[4]));
  }
}
