package io.ndc.spark;

import io.ndc.ArchiveItem;
import io.ndc.spark.archive.ArchiveReader;
import io.ndc.spark.archive.ArchiveSplit;
import io.ndc.spark.archive.ReadRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.SerializableConfiguration;

/** Reads the pages of stretches of archives, as rows of {@link WarcSource#SCHEMA}. */
record WarcPages(ReadRules rules, SerializableConfiguration configuration) implements PartitionReaderFactory {
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    // Not the last attempt: a failure of the storage fails the task, as with Spark's own sources.
    return new Rows(
        new ArchiveReader((ArchiveSplit) partition, rules, new LoggedReads(), configuration.value(), false));
  }

  private record Rows(ArchiveReader pages) implements PartitionReader<InternalRow> {
    @Override
    public boolean next() throws IOException {
      try {
        return pages.hasNext();
      } catch (UncheckedIOException failure) {
        throw failure.getCause();
      }
    }

    @Override
    public InternalRow get() {
      ArchiveItem page = pages.next();
      Object time = page.fetchedAtMs() == 0 ? null : TimeUnit.MILLISECONDS.toMicros(page.fetchedAtMs());
      return new GenericInternalRow(new Object[] {UTF8String.fromString(page.url()), time,
          UTF8String.fromString(page.contentType()), page.body(), page.isTruncated()});
    }

    @Override
    public void close() {
      pages.close();
    }
  }
}
