package io.ndc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;

/**
 * {@code StressProgram DIRECTORY}: 8 threads check 100,000 pages in 6 engines, which any of them closes and reopens
 * at random, forgets occasionally, and which the garbage collector looks after. Two engines have stores in the
 * directory. Prints the resident size in KiB, a line for each thousand checks, and at the end how often it met a closed
 * engine.
 */
final class StressProgram {
  private static final int THREADS = 8;
  private static final int CHECKS = 100_000;
  private static final int STORES = 2;
  private static final int ENGINES = 6;

  private final Path directory;
  private final AtomicReferenceArray<NearDuplicates> engines = new AtomicReferenceArray<>(ENGINES);
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger closings = new AtomicInteger();
  private final AtomicInteger metClosed = new AtomicInteger();
  private final long[] resident = new long[CHECKS / 1000];

  private StressProgram(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] arguments) throws Exception {
    new StressProgram(Path.of(arguments[0])).run();
  }

  private void run() throws Exception {
    for (int i = 0; i < ENGINES; ++i) {
      engines.set(i, open(i));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Callable<Void>> workers = new ArrayList<>();
    for (int i = 0; i < THREADS; ++i) {
      int seed = i;
      workers.add(() -> work(new Random(seed)));
    }
    for (Future<Void> worker : threads.invokeAll(workers)) {
      worker.get();
    }
    threads.shutdown();
    for (int i = 0; i < ENGINES; ++i) {
      engines.get(i).close();
    }
    Arrays.stream(resident).forEach(System.out::println);
    System.out.println(closings + " closings, " + metClosed + " calls met a closed engine");
  }

  private NearDuplicates open(int slot) {
    // An engine that was forgotten holds its store's lock until the Cleaner comes; so stores are never forgotten.
    return slot < STORES
        ? NearDuplicates.open(directory.resolve("store-" + slot), Map.of("durability", "none"))
        : NearDuplicates.inMemory(Map.of("keep_text", slot % 2 == 0 ? "true" : "false"));
  }

  private Void work(Random random) throws IOException {
    ByteBuffer direct = ByteBuffer.allocateDirect(1 << 14);
    while (done.get() < CHECKS) {
      int slot = random.nextInt(ENGINES);
      NearDuplicates engine = engines.get(slot);
      try {
        use(engine, random, direct);
      } catch (ClosedException closed) {
        metClosed.incrementAndGet();
        continue;
      }
      int number = done.incrementAndGet();
      if (random.nextInt(250) == 0) replace(slot, engine, random);
      if (number % 10_000 == 0) System.gc();
      if (number % 1000 == 0 && number <= CHECKS) resident[number / 1000 - 1] = residentKilobytes();
    }
    return null;
  }

  private static void use(NearDuplicates engine, Random random, ByteBuffer direct) {
    String url = "http://" + random.nextInt(50) + ".example/" + random.nextInt(1000);
    byte[] body = Texts.page(random.nextInt(300));
    switch (random.nextInt(10)) {
      case 0 -> engine.check(Page.of(url, direct.clear().put(body).flip()).withContentType("text/html"));
      case 1 -> engine.query(Page.of(url, ByteBuffer.wrap(body).asReadOnlyBuffer()));
      case 2 -> engine.checkFeatures(Features.compute(Page.of(url, body), Map.of()));
      default -> engine.check(url, body, "text/html; charset=utf-8");
    }
    switch (random.nextInt(40)) {
      case 0 -> engine.remove(url);
      case 1 -> engine.stats();
      case 2 -> engine.groups();
      case 3 -> engine.events(0);
      case 4 -> engine.find(url).ifPresent(page -> engine.page(page.pageId()));
      case 5 -> engine.metrics();
      case 6 -> expectFailure(() -> engine.explain(-1, -2));
      case 7 -> expectFailure(() -> engine.checkFeatures(body));
      case 8 -> engine.groupStream().limit(3).forEach(group -> engine.page(group.representativePageId()));  // forgotten
      case 9 -> {
        try (Stream<GroupInfo> groups = engine.groupStream()) {
          groups.filter(group -> group.pageCount() > 1).findFirst();
        }
      }
      default -> { }
    }
  }

  private static void expectFailure(Runnable call) {
    try {
      call.run();
      throw new IllegalStateException("it did not fail");
    } catch (NotFoundException | CorruptException expected) {
      // As it should.
    }
  }

  /** One thread of those that want it closes an engine and puts another one in its place. */
  private void replace(int slot, NearDuplicates old, Random random) throws IOException {
    if (!engines.compareAndSet(slot, old, closed())) return;
    boolean forgotten = slot >= STORES && random.nextInt(10) == 0;
    if (!forgotten) old.close();
    if (slot < STORES && random.nextInt(3) == 0) clear(directory.resolve("store-" + slot));
    engines.set(slot, open(slot));
    closings.incrementAndGet();
  }

  /** Stands in for an engine while it is replaced. */
  private static NearDuplicates closed() {
    NearDuplicates engine = NearDuplicates.inMemory(Map.of());
    engine.close();
    return engine;
  }

  private static void clear(Path store) throws IOException {
    try (var files = Files.newDirectoryStream(store)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private static long residentKilobytes() throws IOException {
    String line = Files.readAllLines(Path.of("/proc/self/status"))
                      .stream()
                      .filter(one -> one.startsWith("VmRSS:"))
                      .findFirst()
                      .orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
