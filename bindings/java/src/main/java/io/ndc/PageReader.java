package io.ndc;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Features#compute}, {@link Signature#compute} and {@link NearDuplicates#extract} make of a page, for hosts
 * that ask for page after page. Those set up parser, charset tables and buffers for each page; a reader keeps
 * them. The answers are the same.
 *
 * <p>Any number of threads may share one; it keeps native memory for as many pages as were ever read at once. Every
 * method throws {@link NearDuplicatesException} or a subclass. One that nobody closes is closed when it is collected.
 */
public final class PageReader implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final State state;
  private final Cleaner.Cleanable cleanable;

  private PageReader(State state) {
    this.state = state;
    this.cleanable = CLEANER.register(this, state);
  }

  /**
   * A reader with the given options.
   *
   * @param options as for {@link NearDuplicates#inMemory}; null or empty: the defaults
   * @return a new reader
   * @throws InvalidArgumentException for an unknown key, a value out of range, or values that do not go together
   */
  public static PageReader open(@Nullable Map<String, String> options) {
    NativeLibrary.require();
    byte[] @Nullable [] keysAndValues = Arguments.options(options);
    // Created before the native reader, so that the Cleaner frees it whatever fails from here on.
    PageReader reader = new PageReader(new State());
    try {
      reader.state.open(keysAndValues);
      return reader;
    } catch (RuntimeException | Error failure) {
      reader.close();
      throw failure;
    }
  }

  /**
   * {@link Features#compute}.
   *
   * @param page not null
   * @return the page's features
   * @throws ClosedException after {@link #close}
   */
  public byte[] features(Page page) {
    return call(page, NativeCalls::readerFeatures);
  }

  /**
   * {@link Signature#compute}.
   *
   * @param page not null
   * @return at most {@value Signature#MAX_SIZE} bytes; none for a page without text
   * @throws ClosedException after {@link #close}
   */
  public byte[] signature(Page page) {
    return call(page, NativeCalls::readerSignature);
  }

  /**
   * {@link NearDuplicates#extract}.
   *
   * @param page not null
   * @return a JSON object
   * @throws ClosedException after {@link #close}
   */
  public String extract(Page page) {
    return Utf8.decode(call(page, NativeCalls::readerExtract));
  }

  /**
   * {@link NearDuplicates#extractPage}.
   *
   * @param page not null
   * @return what ndc sees of the page
   * @throws ClosedException after {@link #close}
   */
  public ExtractedPage extractPage(Page page) {
    return ExtractedPage.of(extract(page));
  }

  /** Frees the native memory when no call is under way any more; the second time, nothing. */
  @Override
  public void close() {
    cleanable.clean();
  }

  private byte[] call(Page page, Page.Call<byte[]> call) {
    Arguments.notNull(page, "the page");
    try {
      return state.call(handle -> call.on(handle, page.texts(), page.numbers()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The native reader; it knows nothing of the object that holds it, so that a Cleaner can free it. */
  private static final class State implements Runnable {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** 0: not open yet, or closed. */
    private long handle;

    void open(byte[] @Nullable [] options) {
      lock.writeLock().lock();
      try {
        handle = NativeCalls.openReader(options);
      } finally {
        lock.writeLock().unlock();
      }
    }

    byte[] call(LongFunction<byte[]> call) {
      lock.readLock().lock();
      try {
        if (handle == 0) throw new ClosedException("PageReader");
        return call.apply(handle);
      } finally {
        lock.readLock().unlock();
      }
    }

    @Override
    public void run() {
      lock.writeLock().lock();
      try {
        if (handle != 0) NativeCalls.freeReader(handle);
        handle = 0;
      } finally {
        lock.writeLock().unlock();
      }
    }
  }
}
