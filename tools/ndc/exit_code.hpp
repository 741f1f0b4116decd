#pragma once

namespace ndc {

// What the process tells its caller.
enum class ExitCode : int {
  kDone = 0,
  kError = 1,
  kUsage = 2,
  kSkipped = 3,  // done, but some records could not be read
};

}  // namespace ndc
