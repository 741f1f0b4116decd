package io.ndc;

/**
 * Written by, or asking for, something that this version does not know. Status {@code ND_ERR_UNSUPPORTED_VERSION}.
 */
public final class UnsupportedVersionException extends NearDuplicatesException {
  static final int CODE = -5;

  UnsupportedVersionException(String message) {
    super(CODE, message);
  }
}
