package io.ndc;

/**
 * An argument or an option is null, out of its range, unknown, or does not fit the store or the kind of engine.
 * Status {@code ND_ERR_INVALID_ARGUMENT}.
 */
public final class InvalidArgumentException extends NearDuplicatesException {
  static final int CODE = -1;

  InvalidArgumentException(String message) {
    super(CODE, message);
  }

  InvalidArgumentException(String message, Throwable cause) {
    super(CODE, message, cause);
  }
}
