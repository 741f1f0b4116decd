package io.ndc.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What is known of a site at the end of a run, for the next one: the blocks that are its boilerplate, and its first
 * provisional groups, each with the blocks that it holds and that are no boilerplate so far. Bounded, however many
 * pages the site has. Immutable.
 *
 * @param boilerplate hashes of blocks, distinct; those that this run has met come first
 * @param groups in the order in which they were founded
 * @param limited whether blocks did not fit; that a site has more groups is no harm
 */
record SiteModel(long[] boilerplate, List<Group> groups, boolean limited) {
  /** Of {@link #row}. */
  static final StructType SCHEMA = StructType.fromDDL("boilerplate binary,"
      + " groups array<struct<url: bigint, digest: bigint, shingle_keys: binary, blocks: binary>>, limited boolean");

  /** By far more than make a site known: its boilerplate has been on three of them, or is on few of its pages. */
  static final int GROUPS = 64;
  /** Blocks of a site. */
  static final int BOILERPLATE = 8192;
  /** Blocks that are no boilerplate, of a group. */
  static final int BLOCKS_OF_A_GROUP = 256;

  static final SiteModel EMPTY = new SiteModel(new long[0], List.of(), false);

  /** A provisional group; its blocks are distinct. */
  record Group(ProvisionalGroups.First first, long[] blocks) {}

  /** Whether pages without this boilerplate can be compared as those of two sites are. */
  boolean isKnown() {
    return groups.size() >= SiteBoilerplate.KNOWN_GROUPS;
  }

  /** What two parts of a site have learned; of a group that both began with, what the first part says. */
  SiteModel with(SiteModel other) {
    Set<Long> blocks = new LinkedHashSet<>();
    for (long[] part : new long[][] {boilerplate, other.boilerplate})
      Arrays.stream(part).forEach(blocks::add);
    Map<Long, Group> byUrl = new LinkedHashMap<>();
    Stream.concat(groups.stream(), other.groups.stream())
        .forEach(group -> byUrl.putIfAbsent(group.first.url(), group));
    return new SiteModel(blocks.stream().limit(BOILERPLATE).mapToLong(block -> block).toArray(),
        byUrl.values().stream().limit(GROUPS).toList(), limited || other.limited || blocks.size() > BOILERPLATE);
  }

  /** As a row of {@link #SCHEMA}. */
  Row row() {
    List<Row> rows = groups.stream()
        .map(group -> RowFactory.create(group.first.url(), group.first.digest(),
            PackedNumbers.bytes(group.first.shingleKeys()), PackedNumbers.bytes(group.blocks)))
        .toList();
    return RowFactory.create(
        PackedNumbers.bytes(boilerplate), CollectionConverters.asScala(rows).toSeq(), limited);
  }

  /**
   * Of a row that {@link #row} made.
   *
   * @throws IllegalArgumentException if it did not
   */
  static SiteModel of(Row row) {
    List<Group> groups = new ArrayList<>();
    for (Row group : row.<Row>getList(1)) {
      ProvisionalGroups.First first =
          new ProvisionalGroups.First(group.getLong(0), group.getLong(1), PackedNumbers.of(group.getAs(2)));
      groups.add(new Group(first, PackedNumbers.of(group.getAs(3))));
    }
    return new SiteModel(PackedNumbers.of(row.getAs(0)), groups, row.getBoolean(2));
  }
}
