package io.ndc.nutch;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;

/** A band and the rank of a page in it: pages of one band meet in one call of the reducer, the best ranked first. */
final class BandKey implements WritableComparable<BandKey> {
  private byte[] band = {};
  private byte[] page = {};

  BandKey() {}

  BandKey(byte[] band, byte[] page) {
    this.band = band;
    this.page = page;
  }

  byte[] band() {
    return band;
  }

  byte[] page() {
    return page;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(band.length);
    out.write(band);
    out.writeInt(page.length);
    out.write(page);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    band = new byte[in.readInt()];
    in.readFully(band);
    page = new byte[in.readInt()];
    in.readFully(page);
  }

  @Override
  public int compareTo(BandKey other) {
    int order = Arrays.compareUnsigned(band, other.band);
    return order != 0 ? order : Arrays.compareUnsigned(page, other.page);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BandKey key && compareTo(key) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(band) + Arrays.hashCode(page);
  }

  /** Chooses the reducer of a band. */
  static final class ByBand extends Partitioner<BandKey, Writable> {
    @Override
    public int getPartition(BandKey key, Writable value, int partitions) {
      return (Arrays.hashCode(key.band) & Integer.MAX_VALUE) % partitions;
    }
  }

  /** Sorts by band and rank, on the serialised bytes. */
  static class Order extends WritableComparator {
    Order() {
      super(BandKey.class, true);
    }

    @Override
    public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
      int aBand = readInt(a, aStart);
      int bBand = readInt(b, bStart);
      int order = compareBytes(a, aStart + 4, aBand, b, bStart + 4, bBand);
      if (order != 0) {
        return order;
      }
      return compareBytes(a, aStart + 8 + aBand, readInt(a, aStart + 4 + aBand), b, bStart + 8 + bBand,
          readInt(b, bStart + 4 + bBand));
    }
  }

  /** Puts the pages of a band together. */
  static final class Grouping extends WritableComparator {
    Grouping() {
      super(BandKey.class, true);
    }

    @Override
    public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
      return compareBytes(a, aStart + 4, readInt(a, aStart), b, bStart + 4, readInt(b, bStart));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public int compare(WritableComparable a, WritableComparable b) {
      return Arrays.compareUnsigned(((BandKey) a).band, ((BandKey) b).band);
    }
  }

  static {
    WritableComparator.define(BandKey.class, new Order());
  }
}
