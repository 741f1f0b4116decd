package io.ndc.nutch;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** A page that is better ranked than another and similar enough: the other is its duplicate if this one is kept. */
final class Pair implements Writable {
  private byte[] winner = {};
  private float similarity;
  private boolean identical;

  Pair() {}

  /**
   * @param winner rank of the better page
   * @param similarity of both, 0..1
   * @param identical the signatures are equal, and so is whatever the job would compare: the other page shares the fate of this one
   */
  Pair(byte[] winner, double similarity, boolean identical) {
    this.winner = winner;
    this.similarity = (float) similarity;
    this.identical = identical;
  }

  byte[] winner() {
    return winner;
  }

  float similarity() {
    return similarity;
  }

  boolean identical() {
    return identical;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(winner.length);
    out.write(winner);
    out.writeFloat(similarity);
    out.writeBoolean(identical);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    winner = new byte[in.readInt()];
    in.readFully(winner);
    similarity = in.readFloat();
    identical = in.readBoolean();
  }
}
