import io.ndc.GroupInfo;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.PageReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What compare_artefacts.py asks of the jar; ask_wheel.py says what each question means. */
public final class AskJar {
  private AskJar() {}

  private static List<Page> pages(Path list) throws IOException {
    List<Page> pages = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      String[] fields = line.split("\t");
      pages.add(Page.of(fields[0], Files.readAllBytes(Path.of(fields[2])), fields[1]));
    }
    return pages;
  }

  public static void main(String[] arguments) throws IOException {
    System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    Path place = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "texts" -> {
        for (Page page : pages(place)) System.out.println(page.url() + "\t" + NearDuplicates.extract(page, null));
      }
      case "features" -> {
        try (PageReader reader = PageReader.open(Map.of("x_spot_signatures", "1024"))) {
          for (Page page : pages(place)) System.out.println(page.url() + "\t" + HexFormat.of()
              .formatHex(reader.features(page)));
        }
      }
      case "store" -> {
        try (NearDuplicates engine = NearDuplicates.open(Path.of(arguments[2]), Map.of())) {
          for (Page page : pages(place)) engine.check(page);
        }
      }
      case "groups" -> {
        try (NearDuplicates engine = NearDuplicates.open(place, Map.of())) {
          for (GroupInfo group : engine.groups()) {
            for (PageInfo page : engine.members(group.groupId())) System.out.println(
                group.groupId() + "\t" + page.url());
          }
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
