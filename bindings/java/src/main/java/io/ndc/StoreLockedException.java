package io.ndc;

/**
 * The store has a writer already, in this process or in another. Readers may use option {@code read_only}. Status
 * {@code ND_ERR_LOCKED}.
 */
public final class StoreLockedException extends NearDuplicatesException {
  static final int CODE = -6;

  StoreLockedException(String message) {
    super(CODE, message);
  }
}
