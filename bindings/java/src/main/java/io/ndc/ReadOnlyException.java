package io.ndc;

/**
 * The engine was opened with option {@code read_only} and changes nothing. Status {@code ND_ERR_READ_ONLY}.
 */
public final class ReadOnlyException extends NearDuplicatesException {
  static final int CODE = -7;

  ReadOnlyException(String message) {
    super(CODE, message);
  }
}
