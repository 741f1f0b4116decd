package io.ndc.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ndc.spark.archive.ArchiveListing;
import io.ndc.spark.archive.ArchiveSplit;
import io.ndc.spark.archive.ReadRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The data source {@code ndc-warc}: the pages in archives as rows. Its columns and options are in
 * plugins/spark/README.md.
 */
public final class WarcSource implements TableProvider, DataSourceRegister {
  static final StructType SCHEMA =
      StructType.fromDDL("url string, time timestamp, content_type string, body binary, truncated boolean");

  private static final long DEFAULT_PAGE_BYTES = 8L << 20;
  private static final long DEFAULT_SPLIT_BYTES = 128L << 20;

  /** Made by Spark. */
  public WarcSource() {}

  @Override
  public String shortName() {
    return "ndc-warc";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override
  public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new Archives(new CaseInsensitiveStringMap(properties));
  }

  /** The archives that are to be read. */
  private record Archives(CaseInsensitiveStringMap options) implements SupportsRead {
    @Override
    public String name() {
      return "ndc-warc";
    }

    @Override
    @SuppressWarnings("deprecation") // Nothing else is abstract; Spark itself calls it.
    public StructType schema() {
      return SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap given) {
      WholeScan scan = new WholeScan(paths(given), new ReadRules(given.getLong("pageBytes", DEFAULT_PAGE_BYTES),
          given.getBoolean("allStatuses", false)), given.getLong("splitBytes", DEFAULT_SPLIT_BYTES));
      return () -> scan;
    }

    /** As Spark's readers hand them over: one as it is, several as a list in JSON. */
    private static List<String> paths(CaseInsensitiveStringMap options) {
      List<String> paths = new ArrayList<>();
      if (options.containsKey("path")) paths.add(options.get("path"));
      try {
        if (options.containsKey("paths")) paths.addAll(List.of(new ObjectMapper()
            .readValue(options.get("paths"), String[].class)));
      } catch (JsonProcessingException wrong) {
        throw new IllegalArgumentException("option paths is no list of strings in JSON", wrong);
      }
      if (paths.isEmpty()) throw new IllegalArgumentException("ndc-warc wants the paths of archives: load(PATH, ...)");
      return paths;
    }
  }

  /** A task for each stretch of an archive. */
  private record WholeScan(List<String> paths, ReadRules rules, long splitBytes) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return SCHEMA;
    }

    @Override
    public String description() {
      return "ndc-warc " + String.join(", ", paths);
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      LoggedReads log = new LoggedReads();
      List<ArchiveSplit> splits = ArchiveListing.of(paths, configuration(), log).splits(splitBytes);
      // A path that is wrong is wrong now; what is damaged inside of an archive costs itself.
      if (log.firstFailure != null) throw new IllegalArgumentException(log.firstFailure);
      return splits.toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new WarcPages(rules, new SerializableConfiguration(configuration()));
    }

    private static Configuration configuration() {
      return SparkSession.active().sparkContext().hadoopConfiguration();
    }
  }
}
