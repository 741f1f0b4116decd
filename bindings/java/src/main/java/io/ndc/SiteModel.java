package io.ndc;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * What is known of one site: on how many of its pages each block stands, and each word of its titles. With it two
 * records are decided as an engine decides that knows these pages ({@link Features#withSite}, {@link Features#decide}).
 *
 * <p>A model holds 16,384 parts, beyond which the rarest quarter goes; at 4,096 pages all counts are halved. Calls of
 * several threads wait for each other. Every method throws {@link NearDuplicatesException} or a subclass, {@link
 * ClosedException} after {@link #close}. A model that nobody closes is closed when it is collected.
 */
public final class SiteModel implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final State state = new State();
  private final Cleaner.Cleanable cleanable;

  /** A model that knows nothing. */
  public SiteModel() {
    NativeLibrary.require();
    cleanable = CLEANER.register(this, state);
    state.handle = NativeCalls.newSiteModel();
  }

  /**
   * A page of the site. Learn each page once; one that has other text now with its new parts, and let the model {@link
   * #forget} the old ones.
   *
   * @param parts of {@link Features#parts}; not null
   */
  public void learn(long[] parts) {
    Arguments.notNull(parts, "the parts");
    run(handle -> NativeCalls.siteModelLearn(handle, parts));
  }

  /**
   * A page that was learned is gone, or has other text now.
   *
   * @param parts with which it was learned; not null
   */
  public void forget(long[] parts) {
    Arguments.notNull(parts, "the parts");
    run(handle -> NativeCalls.siteModelForget(handle, parts));
  }

  /**
   * Adds what another model has learned. A new model that merges it is that other one.
   *
   * @param saved of {@link #save()}; not null
   * @throws CorruptException if this is no saved model, or damaged; the model is then as it was
   * @throws UnsupportedVersionException if another version wrote it
   */
  public void merge(byte[] saved) {
    Arguments.notNull(saved, "the model");
    run(handle -> NativeCalls.siteModelMerge(handle, saved));
  }

  /**
   * The model as bytes: portable, versioned, with a checksum; the same for the same content.
   *
   * @return 32 bytes, and 16 per part
   */
  public byte[] save() {
    return call(handle -> NativeCalls.siteModelSave(handle, null));
  }

  /**
   * Likewise, of some parts only. What is decided about one page needs no more than its own.
   *
   * @param parts of {@link Features#parts}; not null; none: all
   * @return 32 bytes, and 16 per part that is known
   */
  public byte[] save(long[] parts) {
    Arguments.notNull(parts, "the parts");
    return call(handle -> NativeCalls.siteModelSave(handle, parts));
  }

  /** Frees the native memory; the second time, nothing. */
  @Override
  public void close() {
    cleanable.clean();
  }

  private void run(LongConsumer use) {
    call(handle -> {
      use.accept(handle);
      return null;
    });
  }

  private <T> T call(LongFunction<T> use) {
    try {
      synchronized (state) {
        if (state.handle == 0) throw new ClosedException("site model");
        return use.apply(state.handle);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** What the Cleaner frees. Does not refer to the model. */
  private static final class State implements Runnable {
    private long handle;

    @Override
    public synchronized void run() {
      if (handle != 0) NativeCalls.freeSiteModel(handle);
      handle = 0;
    }
  }
}
