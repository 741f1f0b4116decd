package io.ndc;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An archive of pages, wherever its bytes lie: WARC, ARC, WACZ, JSON lines or HTML, packed or not. What is read,
 * and what counts as a page, is in docs/inputs.md; {@code ndc} reads the same. Damage is an item, never an exception.
 *
 * <p>One thread at a time. Native memory: about 4 MiB; three times the limit of a page while there is one as long; some
 * 240 bytes for each page, for revisits; 640 for each file of a WACZ; and the windows and dictionaries that zstd and
 * xz ask for, up to 132 MiB, twice while a revisit is read or damage is passed over. A compressed WACZ within a WACZ is
 * unpacked into /tmp. One that nobody closes is closed when it is collected.
 */
public final class Archive implements AutoCloseable {
  /** Reads the bytes of a file. It cannot use the archive, but may close it: that takes effect after the call. */
  @FunctionalInterface
  public interface Bytes {
    /**
     * Reads at least one byte, but for the end of the file.
     *
     * @param offset of the first byte in the file; mostly behind what was read last
     * @param out receives them, from its beginning on
     * @param size at most so many; at least 1
     * @return how many; 0 or less: the end
     * @throws IOException if it failed: what came before is still given, then the archive throws this
     */
    int read(long offset, byte[] out, int size) throws IOException;
  }

  private static final Cleaner CLEANER = Cleaner.create();

  private final State state;
  private final Cleaner.Cleanable cleanable;

  private Archive(Bytes bytes) {
    this.state = new State(new Source(bytes));
    this.cleanable = CLEANER.register(this, state);
  }

  /**
   * Examines the beginning of a file, or the directory of a WACZ.
   *
   * @param name what items call the file
   * @param bytes used until the archive is closed
   * @param begin 0, or where a record begins, or a packed member with one; of a WACZ always 0
   * @param end the byte behind the last one that is read; a file that ends before it is damaged. Long.MAX_VALUE: it is
   * not known where the file ends, which a WACZ needs
   * @param pageBytes longer bodies are cut there; 1 to 1 GiB
   * @param allStatuses whether HTTP responses of any status are pages if they have a body
   * @return an open archive
   * @throws IOException what {@code bytes} has thrown
   * @throws CorruptException for what is no archive of pages; the message is the predicate of a sentence about the file
   */
  public static Archive open(String name, Bytes bytes, long begin, long end, long pageBytes, boolean allStatuses)
      throws IOException {
    Objects.requireNonNull(bytes);
    if (name.indexOf('\0') >= 0) throw new InvalidArgumentException("the name of an archive has a NUL in it");
    NativeLibrary.require();
    // Created before the native archive, so that the Cleaner frees it whatever fails from here on.
    Archive archive = new Archive(bytes);
    try {
      archive.state.open(Utf8.encode(name), begin, end, pageBytes, allStatuses);
      return archive;
    } catch (IOException | RuntimeException | Error failure) {
      archive.close();
      throw failure;
    }
  }

  /**
   * The names of the files: those of a WACZ, else the one.
   *
   * @return in the order in which they are read
   * @throws ClosedException after {@link #close}
   */
  public List<String> files() {
    try {
      return state.files();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads one file alone.
   *
   * @param file its place in {@link #files}
   * @throws InvalidArgumentException when reading has begun
   * @throws NotFoundException if there are fewer files
   * @throws ClosedException after {@link #close}
   */
  public void select(int file) {
    try {
      state.select(file);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Reads on.
   *
   * @return null at the end
   * @throws IOException what {@code bytes} has thrown; what it gave before is returned first
   * @throws ClosedException after {@link #close}
   */
  public @Nullable ArchiveItem next() throws IOException {
    try {
      return state.next();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Frees the native memory; the bytes are the caller's to close. May be called again. */
  @Override
  public void close() {
    cleanable.clean();
  }

  /** What native code calls: no exception goes through it. */
  private static final class Source {
    private static final int PIECE_BYTES = 256 << 10;

    private final Bytes bytes;
    private final byte[] piece = new byte[PIECE_BYTES];
    private @Nullable Throwable failure;

    Source(Bytes bytes) {
      this.bytes = bytes;
    }

    /** Called by name. */
    @SuppressWarnings("unused")
    int read(long offset, int size) {
      try {
        int count = bytes.read(offset, piece, size);
        if (count > size) throw new InternalException("more bytes were read than there is room for");
        return Math.max(count, 0);
      } catch (Throwable failed) {
        failure = failed;
        return -1;
      }
    }

    /** What the status of a call stands for: the failure of the bytes, if they have failed. */
    RuntimeException reasonOf(StoreIoException status) throws IOException {
      if (failure instanceof IOException failed) throw failed;
      if (failure instanceof Error failed) throw failed;
      return failure instanceof RuntimeException failed ? failed : status;
    }
  }

  /** The native archive; it knows nothing of the Archive that holds it, so that a Cleaner can free it. */
  private static final class State implements Runnable {
    private final Source source;
    /** 0: not open yet, or freed. */
    private long handle;
    /** Whether native code uses the archive: then only Bytes.read comes here, since its thread holds the lock. */
    private boolean isBusy;
    private boolean isToBeFreed;

    State(Source source) {
      this.source = source;
    }

    synchronized void open(byte[] name, long begin, long end, long pageBytes, boolean allStatuses) throws IOException {
      if (begin < 0 || end < 0 || pageBytes < 1)
        throw new InvalidArgumentException("an archive needs a begin and an end, and pages of at least one byte");
      isBusy = true;
      try {
        handle = NativeCalls.openArchive(source, source.piece, name, begin, end, pageBytes, allStatuses);
      } catch (StoreIoException status) {
        throw source.reasonOf(status);
      } finally {
        leave();
      }
    }

    synchronized List<String> files() {
      long archive = idle();
      List<String> names = new ArrayList<>();
      int count = NativeCalls.archiveFileCount(archive);
      for (int file = 0; file < count; file++)
        names.add(Utf8.decode(NativeCalls.archiveFileName(archive, file)));
      return names;
    }

    synchronized void select(int file) {
      NativeCalls.selectArchiveFile(idle(), file);
    }

    synchronized @Nullable ArchiveItem next() throws IOException {
      long archive = idle();
      long[] numbers = new long[ArchiveItem.NUMBERS];
      isBusy = true;
      try {
        byte[][] texts = NativeCalls.nextArchiveItem(archive, source, source.piece, numbers);
        return texts == null ? null : ArchiveItem.of(numbers, texts);
      } catch (StoreIoException status) {
        throw source.reasonOf(status);
      } finally {
        leave();
      }
    }

    private long idle() {
      if (isBusy) throw new IllegalStateException("an archive cannot be used by the function that reads its bytes");
      if (handle == 0 || isToBeFreed) throw new ClosedException("archive");
      return handle;
    }

    private void leave() {
      isBusy = false;
      if (isToBeFreed) run();
    }

    @Override
    public synchronized void run() {
      isToBeFreed = true;
      if (isBusy) return;
      if (handle != 0) NativeCalls.freeArchive(handle);
      handle = 0;
    }
  }
}
