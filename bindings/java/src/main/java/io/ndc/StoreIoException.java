package io.ndc;

/**
 * The system failed to read or write a file of the store: a full disk, a missing permission, a broken device.
 * Status {@code ND_ERR_IO}.
 */
public final class StoreIoException extends NearDuplicatesException {
  static final int CODE = -3;

  StoreIoException(String message) {
    super(CODE, message);
  }
}
