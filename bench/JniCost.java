import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.Result;
import io.ndc.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Java side of bench/jni_cost: {@code JniCost PAGE}. For each line "array COUNT" or "direct COUNT" of its input it
 * checks the page COUNT times and prints the nanoseconds that took: of the thread's CPU, of the wall clock.
 */
public final class JniCost {
  private JniCost() {}

  public static void main(String[] arguments) throws IOException {
    byte[] array = Files.readAllBytes(Path.of(arguments[0]));
    ByteBuffer direct = ByteBuffer.allocateDirect(array.length).put(array).flip();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        boolean isDirect = line.startsWith("direct");
        int count = Integer.parseInt(line.replaceAll("\\D", ""));
        long cpu = thread.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        for (int i = 0; i < count; ++i) {
          Result result = isDirect
              ? pages.check(Page.of("http://a.example/", direct).withContentType("text/html; charset=utf-8"))
              : pages.check("http://a.example/", array, "text/html; charset=utf-8");
          if (result.verdict() == Verdict.NO_TEXT) throw new IllegalStateException(result.toString());
        }
        System.out.println((thread.getCurrentThreadCpuTime() - cpu) + " " + (System.nanoTime() - wall));
      }
    }
  }
}
