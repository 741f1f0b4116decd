package io.ndc.spark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.md5;
import static org.apache.spark.sql.functions.unhex;
import static org.apache.spark.sql.functions.when;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import io.ndc.PageReader;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/** Stage 1 where pages are the rows of a table and not those of archives: computes their features. */
final class RowsStage implements Serializable {
  static final String URL = "url";
  static final String BODY = "body";
  static final String TEXT = "text";
  static final String CONTENT_TYPE = "content_type";

  private static final String TEXT_TYPE = "text/plain; charset=utf-8";

  private final Map<String, String> library;
  private final int pageBytes;
  private final Counts counts;

  RowsStage(JobOptions options, Counts counts) {
    this.library = LibraryOptions.ofPages(options.library());
    this.pageBytes = (int) options.pageBytes();
    this.counts = counts;
  }

  /**
   * Looks whether rows can be pages.
   *
   * @throws IllegalArgumentException naming the column that is missing or of another type
   */
  static void requirePages(StructType schema) {
    List<String> names = List.of(schema.fieldNames());
    if (!names.contains(URL)) throw new IllegalArgumentException("the rows have no column url; theirs are " + names);
    if (!names.contains(BODY) && !names.contains(TEXT))
      throw new IllegalArgumentException("the rows have neither a column body nor a column text; theirs are " + names);
    require(schema, URL, DataTypes.StringType);
    require(schema, BODY, DataTypes.BinaryType);
    require(schema, TEXT, DataTypes.StringType);
    require(schema, CONTENT_TYPE, DataTypes.StringType);
  }

  private static void require(StructType schema, String name, DataType type) {
    for (int i = 0; i < schema.length(); i++) {
      DataType found = schema.apply(i).dataType();
      if (!schema.apply(i).name().equals(name) || found.equals(type)) continue;
      String text = name.equals(BODY) && found.equals(DataTypes.StringType) ? "; text belongs into a column text" : "";
      throw new IllegalArgumentException(
          "column " + name + " is of type " + found.simpleString() + ", not " + type.simpleString() + text);
    }
  }

  /**
   * A number of each row, as hexadecimal digits: two rows of one URL with equal content are one page, two with
   * different content are two. Null where URL or content are null: such a row is no page.
   *
   * @param schema of the rows
   */
  static Column key(StructType schema) {
    // A byte that UTF-8 does not have separates them.
    Column separator = unhex(lit("FF"));
    return md5(concat(col(URL).cast("binary"), separator, type(schema).cast("binary"), separator, content(schema)));
  }

  private static Column content(StructType schema) {
    Column text = has(schema, TEXT) ? col(TEXT).cast("binary") : lit(null).cast("binary");
    return has(schema, BODY) ? coalesce(col(BODY), text) : text;
  }

  /** Empty where it is not known. */
  private static Column type(StructType schema) {
    Column ofBody = has(schema, CONTENT_TYPE) ? coalesce(col(CONTENT_TYPE), lit("")) : lit("");
    return has(schema, BODY) ? when(col(BODY).isNull(), TEXT_TYPE).otherwise(ofBody) : lit(TEXT_TYPE);
  }

  private static boolean has(StructType schema, String name) {
    return List.of(schema.fieldNames()).contains(name);
  }

  /**
   * The captures of the rows that are pages.
   *
   * @param rows that {@link #requirePages} takes
   * @return of {@link CapturesStage#SCHEMA}; their offset is a part of their page key, their time the same for all
   */
  Dataset<Row> run(Dataset<Row> rows) {
    StructType schema = rows.schema();
    return rows.select(unhex(key(schema)).as("page"), col(URL), type(schema).as("type"), content(schema).as("content"))
        .filter(col("page").isNotNull())
        .mapPartitions((MapPartitionsFunction<Row, Row>) pages -> PresentRows.of(pages, new Captures()::capture),
            Encoders.row(CapturesStage.SCHEMA));
  }

  private final class Captures {
    private final PageReader reader = PageReader.open(library);

    Captures() {
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> reader.close());
    }

    /** Null: the library refuses the page; that is counted. */
    Row capture(Row row) {
      byte[] page = row.getAs(0);
      String url = row.getString(1);
      long number = ByteBuffer.wrap(page).getLong() >>> 1;
      counts.add("pages", 1);
      try {
        byte[] features = reader.features(page(row));
        return RowFactory.create(page, url, Features.info(features).site(), 1L, "", number, features);
      } catch (NearDuplicatesException failure) {
        counts.add("damaged", 1);
        counts.add(new Counts.Fault(url, -1, JobException.ofThePage(failure)));
        return null;
      }
    }

    private Page page(Row row) {
      byte[] content = row.getAs(3);
      int size = Math.min(content.length, pageBytes);
      Page page = Page.of(row.getString(1), ByteBuffer.wrap(content, 0, size))
          .withContentType(row.getString(2)).withFetchedAtMs(1);
      if (size == content.length) return page;
      counts.add("truncated", 1);
      return page.truncated();
    }
  }
}
