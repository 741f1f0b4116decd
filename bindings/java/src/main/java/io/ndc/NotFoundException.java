package io.ndc;

/**
 * What was asked for is not there: a page to explain, or a store to read. Status {@code ND_ERR_NOT_FOUND}.
 */
public final class NotFoundException extends NearDuplicatesException {
  private static final long serialVersionUID = 1;

  static final int CODE = -8;

  NotFoundException(String message) {
    super(CODE, message);
  }
}
