package io.ndc;

/**
 * The native library got no memory from the system. The JVM's own heap is not meant: that is {@link
 * OutOfMemoryError}. Status {@code ND_ERR_NO_MEMORY}.
 */
public final class NativeMemoryException extends NearDuplicatesException {
  static final int CODE = -2;

  NativeMemoryException(String message) {
    super(CODE, message);
  }
}
