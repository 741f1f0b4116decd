import com.sun.management.OperatingSystemMXBean;
import io.ndc.NearDuplicates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The Java side of bench/binding_threads: {@code BindingThreads FOLDER}, with pages named 0, 1, … For each line
 * {@code THREADS ENGINES} of its input so many threads check all pages in so many new engines, each its part; it prints
 * the nanoseconds by the clock and of the process's CPU, and for each page the first page of its group.
 */
public final class BindingThreads {
  private BindingThreads() {}

  private static String run(List<byte[]> pages, int threadCount, int engineCount) {
    OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long[] groups = new long[pages.size()];
    List<NearDuplicates> engines = new ArrayList<>();
    for (int i = 0; i < engineCount; ++i) engines.add(NearDuplicates.inMemory(Map.of()));
    List<Thread> threads = new ArrayList<>();
    for (int part = 0; part < threadCount; ++part) {
      int first = part;
      NearDuplicates engine = engines.get(part % engineCount);
      threads.add(new Thread(() -> {
        for (int i = first; i < groups.length; i += threadCount) {
          groups[i] = engine.check("http://a" + i % 7 + ".example/" + i, pages.get(i), "text/html").groupId();
        }
      }));
    }
    long cpu = process.getProcessCpuTime();
    long wall = System.nanoTime();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    wall = System.nanoTime() - wall;
    cpu = process.getProcessCpuTime() - cpu;
    engines.forEach(NearDuplicates::close);
    Map<Long, Long> first = new HashMap<>();
    for (int i = 0; i < groups.length; ++i) first.putIfAbsent(groups[i], (long) i);
    String founders = LongStream.of(groups).mapToObj(group -> first.get(group).toString())
        .collect(Collectors.joining(","));
    return wall + " " + cpu + " " + founders;
  }

  public static void main(String[] arguments) throws IOException {
    List<byte[]> pages = new ArrayList<>();
    for (Path page = Path.of(arguments[0], "0"); Files.exists(page);
        page = Path.of(arguments[0], String.valueOf(pages.size()))) {
      pages.add(Files.readAllBytes(page));
    }
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] counts = line.split(" ");
      System.out.println(run(pages, Integer.parseInt(counts[0]), Integer.parseInt(counts[1])));
    }
  }
}
