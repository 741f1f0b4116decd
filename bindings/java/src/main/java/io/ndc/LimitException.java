package io.ndc;

/**
 * Something is longer or more than is possible; the message names the limit. Status {@code ND_ERR_LIMIT}.
 */
public final class LimitException extends NearDuplicatesException {
  static final int CODE = -9;

  LimitException(String message) {
    super(CODE, message);
  }
}
