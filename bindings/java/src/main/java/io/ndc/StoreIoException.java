package io.ndc;

/**
 * The system failed to read or write a file of the store: a full disk, a missing permission, a broken device.
 * Status {@code ND_ERR_IO}.
 */
public final class StoreIoException extends NearDuplicatesException {
  private static final long serialVersionUID = 1;

  static final int CODE = -3;

  StoreIoException(String message) {
    super(CODE, message);
  }
}
