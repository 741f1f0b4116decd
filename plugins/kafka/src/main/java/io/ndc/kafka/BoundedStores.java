package io.ndc.kafka;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One memory for all stores of a process, however many partitions it has: without it each of eight stores a partition
 * takes 66 MB. {@code -Dndc.store.megabytes} sets it.
 */
public final class BoundedStores implements RocksDBConfigSetter {
  private static final long BYTES = Long.getLong("ndc.store.megabytes", 128) << 20;

  static {
    RocksDB.loadLibrary();
  }

  private static final Cache CACHE = new LRUCache(BYTES, -1, false, 0.1);
  private static final WriteBufferManager WRITES = new WriteBufferManager(BYTES / 2, CACHE);

  /** For Kafka Streams. */
  public BoundedStores() {}

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    table.setCacheIndexAndFilterBlocksWithHighPriority(true);
    // In pieces: whole, those of 500,000 pages do not stay in the cache, and each look-up reads some of them again.
    table.setIndexType(IndexType.kTwoLevelIndexSearch);
    table.setPartitionFilters(true);
    table.setPinTopLevelIndexAndFilter(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(WRITES);
    options.setWriteBufferSize(4 << 20);
    // Texts repeat themselves.
    options.setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  @Override
  public void close(String storeName, Options options) {}
}
