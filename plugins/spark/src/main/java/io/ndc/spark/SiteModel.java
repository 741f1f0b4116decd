package io.ndc.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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
 * @param everywhere those of them that are on so many pages that they do not count even on a short one
 * @param groups in the order in which they were founded
 * @param limited whether blocks did not fit; more groups than fit do no harm
 */
record SiteModel(long[] boilerplate, long[] everywhere, List<Group> groups, boolean limited) {
  /** Of {@link #row}. */
  static final StructType SCHEMA = StructType.fromDDL("boilerplate binary,"
      + " groups array<struct<url: bigint, digest: bigint, shingle_keys: binary, blocks: binary>>, limited boolean,"
      + " everywhere binary");

  /** By far enough: a site's boilerplate has been on three of them, or is on few of its pages. */
  static final int GROUPS = 64;
  /** Blocks of a site. */
  static final int BOILERPLATE = 8192;
  /** A group's blocks that are not boilerplate. */
  static final int BLOCKS_OF_A_GROUP = 256;

  static final SiteModel EMPTY = new SiteModel(new long[0], new long[0], List.of(), false);

  /** A provisional group; its blocks are distinct. */
  record Group(ProvisionalGroups.First first, long[] blocks) {}

  /** Unites what two parts of a site have learned; for a group that both began with, the first part decides. */
  SiteModel with(SiteModel other) {
    long[] blocks =
        LongStream.concat(Arrays.stream(boilerplate), Arrays.stream(other.boilerplate)).distinct().toArray();
    Set<Long> kept = Arrays.stream(blocks).limit(BOILERPLATE).boxed().collect(Collectors.toSet());
    long[] inAnyPart = LongStream.concat(Arrays.stream(everywhere), Arrays.stream(other.everywhere)).distinct()
        .filter(kept::contains).toArray();
    Map<Long, Group> byUrl = new LinkedHashMap<>();
    Stream.concat(groups.stream(), other.groups.stream())
        .forEach(group -> byUrl.putIfAbsent(group.first.url(), group));
    return new SiteModel(Arrays.stream(blocks).limit(BOILERPLATE).toArray(), inAnyPart,
        byUrl.values().stream().limit(GROUPS).toList(), limited || other.limited || blocks.length > BOILERPLATE);
  }

  /** As a row of {@link #SCHEMA}. */
  Row row() {
    List<Row> rows = groups.stream()
        .map(group -> RowFactory.create(group.first.url(), group.first.digest(),
            PackedNumbers.bytes(group.first.shingleKeys()), PackedNumbers.bytes(group.blocks)))
        .toList();
    return RowFactory.create(
        PackedNumbers.bytes(boilerplate), CollectionConverters.asScala(rows).toSeq(), limited,
        PackedNumbers.bytes(everywhere));
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
    return new SiteModel(PackedNumbers.of(row.getAs(0)), PackedNumbers.of(row.getAs(3)), groups, row.getBoolean(2));
  }
}
