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
   * Features without the boilerplate of their site. Those of a detector that keeps what cannot be made again stay as
   * they are. Of a short page only what is everywhere on its site goes: even its few own words may stand on some other
   * pages there, and without them nothing would be left that finds it.
   *
   * @param boilerplate hashes of blocks; perhaps none
   * @param everywhere those of them that are on so many pages that they do not count even on a short one
   * @param file of the page's record, for the fault
   * @param offset the same
   */
  byte[] without(byte[] features, long[] boilerplate, long[] everywhere, String file, long offset) {
    if (boilerplate.length == 0) return features;
    try {
      byte[] rest = Features.without(features, boilerplate);
      if (everywhere.length < boilerplate.length && new FeatureRecord(rest).isShort()) {
        byte[] more = everywhere.length == 0 ? features : Features.without(features, everywhere);
        // Otherwise text that is not the page's own would make it an ordinary page.
        if (new FeatureRecord(more).isShort()) {
          counts.add(BLOCKS, everywhere.length);
          return more;
        }
      }
      counts.add(BLOCKS, boilerplate.length);
      return rest;
    } catch (NearDuplicatesException failure) {
      counts.add(KEPT, 1);
      faults.add(new Faults.Fault(file, offset, Refusal.reason(failure)));
      return features;
    }
  }
}
