import io.ndc.NearDuplicates;
import io.ndc.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What it costs that Java reads stores instead of mapping them: {@code StoreMapping DIRECTORY [ROUNDS [PAGES]]}. Two
 * stores in the directory, one with {@code mmap=true}, get the same pages in turn: each round PAGES checks, of which a
 * third are near-duplicates of earlier pages, with a snapshot after them, and then as many queries. Prints the rates
 * and the medians of the rounds' ratios. Run with the jar, or its classes, as class path.
 */
public final class StoreMapping {
  private StoreMapping() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
    int pages = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 4000;
    List<Double> checkRatios = new ArrayList<>();
    List<Double> queryRatios = new ArrayList<>();
    // The smallest budget makes the most of the difference: what does not fit is read from the files.
    try (NearDuplicates read = open(directory.resolve("read"), "false");
         NearDuplicates mapped = open(directory.resolve("mapped"), "true")) {
      for (int round = 0; round < rounds; ++round) {
        boolean readFirst = round % 2 == 0;
        double[] first = round(readFirst ? read : mapped, round, pages);
        double[] second = round(readFirst ? mapped : read, round, pages);
        double[] ofRead = readFirst ? first : second;
        double[] ofMapped = readFirst ? second : first;
        System.out.printf("round %d: read %.0f checks/s, %.0f queries/s; mapped %.0f, %.0f%n", round + 1, ofRead[0],
            ofRead[1], ofMapped[0], ofMapped[1]);
        checkRatios.add(ofRead[0] / ofMapped[0]);
        queryRatios.add(ofRead[1] / ofMapped[1]);
      }
      System.out.printf("%d pages, %.0f MB a store%n", read.stats().pages(), read.stats().bytesDisk() / 1e6);
    }
    System.out.printf("read by mapped, medians: checks %.2f, queries %.2f%n", median(checkRatios), median(queryRatios));
  }

  private static NearDuplicates open(Path store, String mmap) {
    return NearDuplicates.open(
        store, Map.of("mmap", mmap, "durability", "snapshot", "memory_budget_bytes", "67108864"));
  }

  private static double[] round(NearDuplicates engine, int round, int count) {
    Page[] pages = new Page[count];
    Arrays.setAll(pages, i -> page(round, round * count + i));
    long begin = System.nanoTime();
    for (Page page : pages) {
      engine.check(page);
    }
    engine.snapshot();
    long middle = System.nanoTime();
    for (int i = 0; i < count; ++i) {
      // Old pages and new ones: their representatives are everywhere in the files.
      engine.query(Page.of("", text(new Random(i).nextInt((round + 1) * count), i)));
    }
    return new double[] {count * 1e9 / (middle - begin), count * 1e9 / (System.nanoTime() - middle)};
  }

  /** Every third has the text of an earlier one, and a sentence more. */
  private static Page page(int round, int number) {
    Random random = new Random(number);
    int text = number % 3 == 0 && number > 0 ? random.nextInt(number) : number;
    return Page.of("http://" + number % 500 + ".example/" + number, text(text, number)).withContentType("text/html");
  }

  private static byte[] text(int number, int ending) {
    Random random = new Random(number * 31L + 7);
    StringBuilder html = new StringBuilder("<html><body><p>");
    for (int i = 0; i < 600; ++i) {
      html.append(Integer.toString(random.nextInt(60_000), 36)).append(i % 15 == 14 ? ".</p><p>" : " ");
    }
    return html.append("the end of ").append(ending).append("</p></body></html>").toString().getBytes(
        StandardCharsets.UTF_8);
  }

  private static double median(List<Double> numbers) {
    return numbers.stream().sorted().toList().get(numbers.size() / 2);
  }
}
