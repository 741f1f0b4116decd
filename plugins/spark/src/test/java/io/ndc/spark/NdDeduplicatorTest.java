package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The job as a library: from a table of pages to a table of answers. */
class NdDeduplicatorTest {
  private static final StructType PAGES =
      StructType.fromDDL("id int, url string, body binary, `text` string, content_type string");
  private static final List<String> ARTICLE = SyntheticCaptures.sentences(new Random(1), 20);
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir Path folder;

  private static Dataset<Row> frame(String ddl, Row... rows) {
    return SPARK.session().createDataFrame(List.of(rows), StructType.fromDDL(ddl));
  }

  private static byte[] html(List<String> sentences) {
    return SyntheticCaptures.html(sentences).getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> edited(int kept) {
    List<String> edit = new ArrayList<>(ARTICLE.subList(0, kept));
    edit.addAll(SyntheticCaptures.sentences(new Random(kept), 20 - kept));
    return edit;
  }

  private Map<Integer, Row> byId(Dataset<Row> rows) {
    Map<Integer, Row> byId = new HashMap<>();
    for (Row row : new NdDeduplicator(folder.toString()).transform(rows).collectAsList())
      assertNull(byId.put(row.getAs("id"), row));
    return byId;
  }

  private static void checkNoPage(Row row) {
    for (String column : List.of("group_id", "verdict", "resemblance", "probability", "representative", "flags"))
      assertNull(row.getAs(column), column);
  }

  @Test
  void everyRowGetsItsAnswer() {
    Row[] rows = {
        RowFactory.create(0, "http://a.example/", html(ARTICLE), null, "text/html"),
        RowFactory.create(1, "http://b.example/", html(edited(17)), "not looked at", "text/html"),
        RowFactory.create(2, "http://c.example/", null, String.join("\n", ARTICLE), null),
        RowFactory.create(3, "http://d.example/", html(edited(0)), null, null),
        // One page twice; its URL with another text.
        RowFactory.create(4, "http://d.example/", html(edited(0)), null, null),
        RowFactory.create(5, "http://d.example/", html(edited(1)), null, null),
        RowFactory.create(6, null, html(ARTICLE), null, null),
        RowFactory.create(7, "http://e.example/", null, null, "text/html"),
        RowFactory.create(8, "http://f.example/", new byte[0], null, null)};
    Map<Integer, Row> answers = byId(SPARK.session().createDataFrame(List.of(rows), PAGES));
    assertEquals(rows.length, answers.size());
    String group = answers.get(0).getAs("group_id");
    assertEquals(group, answers.get(1).getAs("group_id"));
    assertEquals(group, answers.get(2).getAs("group_id"));
    String representative = answers.get(0).getAs("representative");
    long founders = List.of(0, 1, 2).stream().filter(id -> answers.get(id).getAs("verdict").equals("NEW")).count();
    assertEquals(1, founders);
    for (int id = 0; id < 3; id++) {
      Row answer = answers.get(id);
      assertEquals(representative, answer.getAs("representative"));
      if (answer.getAs("verdict").equals("NEW")) {
        assertEquals(0.0, answer.<Double>getAs("probability"));
      } else {
        assertTrue(answer.<Double>getAs("resemblance") > 0.5, answer::toString);
        assertTrue(answer.<Double>getAs("probability") > 0.5, answer::toString);
      }
    }
    assertEquals("NEW", answers.get(3).getAs("verdict"));
    assertEquals("http://d.example/", answers.get(3).getAs("representative"));
    assertEquals(answers.get(3).<String>getAs("group_id"), answers.get(4).getAs("group_id"));
    assertNotEquals(answers.get(3).<String>getAs("group_id"), answers.get(5).getAs("group_id"));
    checkNoPage(answers.get(6));
    checkNoPage(answers.get(7));
    assertEquals("NO_TEXT", answers.get(8).getAs("verdict"));
    // What was there is as it was.
    assertEquals("not looked at", answers.get(1).getAs("text"));
  }

  @Test
  void aPartSaysSo() {
    List<String> more = new ArrayList<>(ARTICLE);
    more.addAll(SyntheticCaptures.sentences(new Random(99), 8));
    Map<Integer, Row> answers = byId(frame("url string, `text` string, id int",
        RowFactory.create("http://a.example/", String.join("\n", ARTICLE), 0),
        RowFactory.create("http://b.example/", String.join("\n", more), 1),
        RowFactory.create("http://c.example/", String.join("\n", ARTICLE), 2)));
    // The page with most fingerprints represents the group.
    assertEquals("NEW", answers.get(1).getAs("verdict"));
    assertEquals(List.of(), answers.get(1).getList(answers.get(1).fieldIndex("flags")));
    for (int id : new int[] {0, 2})
      assertEquals(List.of("contained"), answers.get(id).getList(answers.get(id).fieldIndex("flags")));
  }

  @Test
  void aTableOfOneKindOfContentSuffices() {
    Map<Integer, Row> answers = byId(frame("url string, `text` string, id int",
        RowFactory.create("http://a.example/", String.join("\n", ARTICLE), 0),
        RowFactory.create("http://b.example/", String.join("\n", edited(18)), 1)));
    assertEquals(answers.get(0).<String>getAs("group_id"), answers.get(1).getAs("group_id"));
    assertTrue(byId(frame("id int, url string, body binary")).isEmpty());
  }

  @Test
  void anotherSchemaIsRefusedInASentence() {
    checkRefused("the rows have no column url; theirs are [address, body]", "address string, body binary");
    checkRefused("the rows have neither a column body nor a column text; theirs are [url]", "url string");
    checkRefused("column url is of type int, not string", "url int, body binary");
    checkRefused("column body is of type string, not binary; text belongs into a column text",
        "url string, body string");
    checkRefused("column content_type is of type int, not string", "url string, body binary, content_type int");
    checkRefused("the rows have a column verdict already", "url string, body binary, verdict string");
  }

  private void checkRefused(String sentence, String ddl) {
    Dataset<Row> rows = frame(ddl);
    NdDeduplicator deduplicator = new NdDeduplicator(folder.toString());
    assertEquals(sentence, assertThrows(IllegalArgumentException.class, () -> deduplicator.transform(rows))
        .getMessage());
  }

  @Test
  void optionsAreThoseOfTheJob() {
    Dataset<Row> rows = frame("id int, url string, body binary",
        RowFactory.create(0, "http://a.example/", html(ARTICLE)),
        RowFactory.create(1, "http://b.example/", html(edited(17))));
    Dataset<Row> strict = new NdDeduplicator(folder.toString()).option("same_document", "1").transform(rows);
    assertEquals(2, strict.select("group_id").distinct().count());
    NdDeduplicator wrong = new NdDeduplicator(folder.toString()).option("same_document", "much");
    assertThrows(IllegalArgumentException.class, () -> wrong.transform(rows));
    assertThrows(IllegalArgumentException.class, () -> new NdDeduplicator(""));
  }
}
