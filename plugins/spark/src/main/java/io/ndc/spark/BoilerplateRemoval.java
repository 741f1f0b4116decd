package io.ndc.spark;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import java.io.Serializable;

/** Takes boilerplate out of features, and counts it. */
final class BoilerplateRemoval implements Serializable {
  /** Counters: blocks taken out; pages of which they could not be. */
  static final String BLOCKS = "boilerplate_blocks";
  static final String KEPT = "boilerplate_kept";

  private final Counts counts;
  private final Faults faults;

  BoilerplateRemoval(Counts counts, Faults faults) {
    this.counts = counts;
    this.faults = faults;
  }

  /**
   * Features without some blocks. Those of a detector that keeps what cannot be made anew stay as they are.
   *
   * @param blocks hashes; perhaps none
   * @param file of the page's record, for the fault
   * @param offset the same
   */
  byte[] without(byte[] features, long[] blocks, String file, long offset) {
    if (blocks.length == 0) return features;
    counts.add(BLOCKS, blocks.length);
    try {
      return Features.without(features, blocks);
    } catch (NearDuplicatesException failure) {
      counts.add(KEPT, 1);
      faults.add(new Faults.Fault(file, offset, Refusal.reason(failure)));
      return features;
    }
  }
}
