#pragma once

namespace ndc {

// The exit status of the process.
enum class ExitCode : int {
  kDone = 0,
  kError = 1,
  kUsage = 2,
  kSkipped = 3,  // done, but some records could not be read
};

}  // namespace ndc
