package io.ndc;

/**
 * A fault in ndc. Please report it. Status {@code ND_ERR_INTERNAL}.
 */
public final class InternalException extends NearDuplicatesException {
  private static final long serialVersionUID = 1;

  static final int CODE = -10;

  InternalException(String message) {
    super(CODE, message);
  }
}
