// The exit codes of all commands, so that a script can tell damage in the input from a failure.
#pragma once

namespace ndc {

enum class ExitCode : int {
  kDone = 0,
  kError = 1,
  kUsage = 2,
  kSkipped = 3,  // done, but some records could not be read
};

}  // namespace ndc
