package io.ndc;

/**
 * The requested page or store does not exist. Status {@code ND_ERR_NOT_FOUND}.
 */
public final class NotFoundException extends NearDuplicatesException {
  static final int CODE = -8;

  NotFoundException(String message) {
    super(CODE, message);
  }
}
