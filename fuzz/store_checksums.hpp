// Makes the checksums of a changed store right (docs/snapshot_format.md), so that what stands behind them is
// reached: readers must survive what a hostile writer can say with right checksums.
#pragma once

#include "fuzz/store_files.hpp"

namespace nd::fuzz {

// A file whose sizes lead beyond its end is left as it is.
//
// `features`: those of the texts too, which have one of their own inside of the run or the journal.
void repair_checksums(StoreFiles& files, bool features);

// Ends the process unless repair_checksums() knows the format of this store, whose checksums are right: it
// changes nothing there, and finds the checksum that covers a byte, or is one.
void expect_checksums_known(const StoreFiles& whole);

}  // namespace nd::fuzz
