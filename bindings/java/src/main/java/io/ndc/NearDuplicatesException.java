package io.ndc;

/**
 * Thrown by every method of this package that fails, except for {@link OutOfMemoryError} of the JVM's own heap.
 * There is a subclass for each status of the C interface, and two of the binding: {@link ClosedException} and
 * {@link NativeLibraryException}. The message is a sentence for people. A failed call has changed nothing, unless its
 * method says otherwise: a crawler may count the failure and go on.
 */
public class NearDuplicatesException extends RuntimeException {
  /** The status of the C interface. */
  private final int code;

  NearDuplicatesException(int code, String message) {
    super(message);
    this.code = code;
  }

  NearDuplicatesException(int code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * The corresponding status of the C interface.
   *
   * @return a negative number, as in {@code ndcapi.h}; 0 for {@link ClosedException} and {@link NativeLibraryException}
   */
  public final int code() {
    return code;
  }

  /** Called by the native library: the exception of a status. */
  static NearDuplicatesException of(int code, byte[] sentence) {
    String message = Utf8.decode(sentence);
    return switch (code) {
      case InvalidArgumentException.CODE -> new InvalidArgumentException(message);
      case NativeMemoryException.CODE -> new NativeMemoryException(message);
      case StoreIoException.CODE -> new StoreIoException(message);
      case CorruptException.CODE -> new CorruptException(message);
      case UnsupportedVersionException.CODE -> new UnsupportedVersionException(message);
      case StoreLockedException.CODE -> new StoreLockedException(message);
      case ReadOnlyException.CODE -> new ReadOnlyException(message);
      case NotFoundException.CODE -> new NotFoundException(message);
      case LimitException.CODE -> new LimitException(message);
      default -> new InternalException(message);
    };
  }
}
