import io.ndc.Explanation;
import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.PageInfo;
import io.ndc.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/**
 * {@code CheckFolder STORE FOLDER [PAGE PAGE]}: checks each file of a folder against a store of pages, which it makes if
 * there is none, says what each is, and then why two of them are, or are not, near-duplicates.
 */
public final class CheckFolder {
  public static void main(String[] arguments) {
    if (arguments.length != 2 && arguments.length != 4) {
      System.err.println("usage: CheckFolder STORE FOLDER [PAGE PAGE]");
      System.exit(2);
    }
    try (NearDuplicates pages = NearDuplicates.open(Path.of(arguments[0]), Map.of())) {
      check(pages, Path.of(arguments[1]));
      if (arguments.length == 4) {
        explain(pages, arguments[2], arguments[3]);
      }
    } catch (NearDuplicatesException | IOException | NoSuchElementException failure) {
      System.err.println("CheckFolder: " + failure.getMessage());
      System.exit(1);
    }
  }

  private static void check(NearDuplicates pages, Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> !file.getFileName().toString().startsWith(".")).sorted().toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      Result result = pages.check(name, Files.readAllBytes(file), null);
      String like = pages.page(result.matchedPageId()).map(page -> ", like " + page.url()).orElse("");
      String verdict = switch (result.verdict()) {
        case EXACT -> "exact" + like;
        case NEAR -> "near" + like;
        default -> result.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      };
      System.out.println(name + ": " + verdict);
    }
  }

  private static void explain(NearDuplicates pages, String first, String second) {
    PageInfo a = pages.find(first).orElseThrow(() -> new NoSuchElementException("there is no page " + first));
    PageInfo b = pages.find(second).orElseThrow(() -> new NoSuchElementException("there is no page " + second));
    Explanation why = pages.explainPages(a.pageId(), b.pageId());
    System.out.printf(Locale.ROOT, "%s and %s: resemblance %.2f, decided by %s%n", first, second, why.resemblance(),
        why.rule());
  }
}
