package io.ndc;

/**
 * A fault in ndc. Please report it. Status {@code ND_ERR_INTERNAL}.
 */
public final class InternalException extends NearDuplicatesException {
  static final int CODE = -10;

  InternalException(String message) {
    super(CODE, message);
  }
}
