package io.ndc.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The rows of Parquet folders, by their positions: so that features stay in their file, and numbers travel to them.
 * A position is that of the file in the list of all, and that of the row in the file; both stay what they are while
 * the folders do.
 */
final class StoredRows implements Serializable {
  /** Columns of a position. */
  static final String FILE = "file_number";
  static final String ROW = "row_number";

  private static final StructType POSITION = StructType.fromDDL(FILE + " int, " + ROW + " bigint");

  private final transient SparkSession spark;
  private final List<String> folders;
  private final StructType schema;
  private final List<Path> files;
  private final SerializableConfiguration configuration;

  /**
   * The rows of some folders.
   *
   * @param schema of all their files: strings, binaries, numbers and booleans
   */
  StoredRows(SparkSession spark, List<Path> folders, StructType schema) throws IOException {
    this.spark = spark;
    this.folders = folders.stream().map(Path::toString).toList();
    this.schema = schema;
    this.configuration = new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
    this.files = new ArrayList<>();
    for (Path folder : folders)
      files.addAll(files(folder));
  }

  private List<Path> files(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    for (FileStatus file : folder.getFileSystem(configuration.value()).listStatus(folder)) {
      String name = file.getPath().getName();
      // As in Spark: these are not data.
      if (file.isFile() && !name.startsWith("_") && !name.startsWith(".")) found.add(file.getPath());
    }
    found.sort(Comparator.comparing(Path::getName));
    return found;
  }

  /** How many files there are; they have the numbers from 0 on, those of the first folder first. */
  int files() {
    return files.size();
  }

  /** All rows, with their positions as two columns more. */
  Dataset<Row> rows() {
    if (files.isEmpty()) return spark.createDataFrame(List.of(), with(schema, POSITION));
    Map<String, Integer> numbers = new HashMap<>();
    for (Path file : files)
      numbers.put(file.getName(), numbers.size());
    // Spark puts a random number into each name.
    if (numbers.size() < files.size()) throw new JobException(folders + ": files of one name in two folders");
    Column number = udf((UDF1<String, Integer>) numbers::get, DataTypes.IntegerType).apply(col("_metadata.file_name"));
    List<Column> columns = new ArrayList<>();
    for (String name : schema.fieldNames())
      columns.add(col(name));
    columns.add(number.as(FILE));
    columns.add(col("_metadata.row_index").as(ROW));
    return spark.read().schema(schema).parquet(folders.toArray(String[]::new)).select(columns.toArray(Column[]::new));
  }

  /**
   * Rows that others refer to. The references go to the file, one task reads it.
   *
   * @param references with the columns of a position; several may be of one position
   * @param columns wanted of the stored rows
   * @return these columns, then those of the references except the position; no order
   */
  Dataset<Row> join(Dataset<Row> references, String... columns) {
    StructType wanted = new StructType();
    for (String column : columns)
      wanted = wanted.add(schema.apply(column));
    List<String> others = new ArrayList<>(List.of(references.columns()));
    others.removeAll(List.of(FILE, ROW));
    Dataset<Row> ordered = references.select(
        Stream.concat(Stream.of(FILE, ROW), others.stream()).map(name -> col(name)).toArray(Column[]::new));
    StructType stored = wanted;
    StructType result = with(wanted, new StructType(
        others.stream().map(name -> ordered.schema().apply(name)).toArray(StructField[]::new)));
    return ordered.repartitionById(Math.max(files.size(), 1), col(FILE)).sortWithinPartitions(FILE, ROW)
        .mapPartitions((MapPartitionsFunction<Row, Row>) rows -> PresentRows.of(rows, new Joined(stored)::joined),
            Encoders.row(result));
  }

  private static StructType with(StructType one, StructType other) {
    StructType both = one;
    for (StructField field : other.fields())
      both = both.add(field);
    return both;
  }

  /** Goes through the references of a partition, in the order of positions, and through the files in step with them. */
  private final class Joined {
    private final StructType stored;
    private ParquetReader<Group> reader;
    private int file = -1;
    private long row = -1;
    private Object[] values;

    Joined(StructType stored) {
      this.stored = stored;
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) context -> close());
    }

    Row joined(Row reference) {
      seek(reference.getInt(0), reference.getLong(1));
      Object[] all = new Object[stored.length() + reference.length() - 2];
      System.arraycopy(values, 0, all, 0, stored.length());
      for (int i = 2; i < reference.length(); i++)
        all[stored.length() + i - 2] = reference.get(i);
      return RowFactory.create(all);
    }

    private void seek(int wantedFile, long wantedRow) {
      if (wantedFile == file && wantedRow == row) return;
      Group group;
      try {
        if (wantedFile != file) open(wantedFile);
        for (group = null; row < wantedRow; row++) {
          group = reader.read();
          if (group == null) throw new IOException("it has no row " + wantedRow);
        }
      } catch (IOException | RuntimeException unreadable) {
        // For a damaged file the reader throws an exception that is not an IOException.
        throw new UncheckedIOException(
            new IOException(files.get(wantedFile) + " cannot be read: " + unreadable.getMessage(), unreadable));
      }
      values = new Object[stored.length()];
      for (int i = 0; i < values.length; i++)
        values[i] = value(group, i, stored.apply(i).dataType());
    }

    private void open(int number) throws IOException {
      close();
      reader = ParquetReader.builder(new Columns(stored.fieldNames()), files.get(number))
          .withConf(configuration.value()).build();
      file = number;
      row = -1;
    }

    private void close() {
      try {
        if (reader != null) reader.close();
        reader = null;
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }

  private static Object value(Group group, int field, DataType type) {
    if (group.getFieldRepetitionCount(field) == 0) return null;
    if (type.equals(DataTypes.BinaryType)) return group.getBinary(field, 0).getBytes();
    if (type.equals(DataTypes.StringType)) return group.getString(field, 0);
    if (type.equals(DataTypes.LongType)) return group.getLong(field, 0);
    if (type.equals(DataTypes.IntegerType)) return group.getInteger(field, 0);
    if (type.equals(DataTypes.BooleanType)) return group.getBoolean(field, 0);
    throw new IllegalArgumentException("no column of a stage has the type " + type);
  }

  /** Reads some columns of a file, in the order in which they are named. */
  private static final class Columns extends GroupReadSupport {
    private final String[] names;

    Columns(String[] names) {
      this.names = names;
    }

    @Override
    public ReadContext init(InitContext context) {
      MessageType file = context.getFileSchema();
      List<Type> types = new ArrayList<>();
      for (String name : names)
        types.add(file.getType(name));
      return new ReadContext(new MessageType(file.getName(), types));
    }
  }
}
