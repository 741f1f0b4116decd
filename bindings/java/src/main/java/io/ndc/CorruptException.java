package io.ndc;

/**
 * Features, a signature or a store that ndc did not write, or that were damaged. Status {@code ND_ERR_CORRUPT}.
 */
public final class CorruptException extends NearDuplicatesException {
  static final int CODE = -4;

  CorruptException(String message) {
    super(CODE, message);
  }
}
