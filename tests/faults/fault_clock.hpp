// Counts the places where a call of the library can fail for lack of something, and says which one does.
//
// Only what happens inside a LibraryCall on its own thread counts: what the test itself does never fails. Or
// only what happens on the library's own threads, see count_background().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace faults {

// Once, or from then on until the call has returned; kStarving: of files, and no memory is left to say so.
enum class Mode { kOnce, kFromThenOn, kStarving };

// The number-th place of a run, counted from 1.
struct FaultPoint {
  uint64_t number = 0;
  uint64_t site = 0;  // who asked, a few boilerplate deep
  size_t call = 0;    // of the scenario
  uint32_t kind = 0;  // the caller's own
};

// At most `limit` of them, in order: the first and the last of each site, then every site in turn.
std::vector<FaultPoint> sample_by_site(const std::vector<FaultPoint>& points, size_t limit);
size_t count_sites(const std::vector<FaultPoint>& points);
// The functions of a site that was recorded, one a line.
std::string describe_site(uint64_t site);

class FaultClock {
 public:
  // Notes every place from now on, and fails none.
  void record(std::vector<FaultPoint>* points) noexcept;
  // The number-th place from now on fails.
  void arm(uint64_t number, Mode mode, uint32_t kind = 0) noexcept;
  void disarm() noexcept;

  // One more place of this kind. True if it is to fail.
  bool strikes(uint32_t kind) noexcept;
  bool has_struck() const noexcept { return has_struck_; }
  uint32_t armed_kind() const noexcept { return armed_kind_; }
  Mode mode() const noexcept { return mode_; }

  void begin_call(size_t call) noexcept { call_ = call; }
  void end_call() noexcept;

 private:
  // Set by the test's thread, while one of the library's may be counting.
  std::atomic<std::vector<FaultPoint>*> points_{nullptr};
  std::atomic<uint64_t> passed_{0};
  std::atomic<uint64_t> number_{0};  // 0: none fails
  std::atomic<Mode> mode_{Mode::kOnce};
  std::atomic<uint32_t> armed_kind_{0};
  std::atomic<bool> has_struck_{false};
  std::atomic<size_t> call_{0};
};

extern FaultClock memory_clock;  // allocations
extern FaultClock file_clock;    // calls that touch files; kinds are FileFault's (interposed_files.hpp)

// From now on what happens on threads that the library has started counts, and nothing else does; set while
// there are none.
void count_background(bool background) noexcept;

// Whether what this thread is doing counts.
bool is_inside_call() noexcept;

// While it lives, this thread is in the library (or, with false, back in the test: a callback).
class LibraryCall {
 public:
  explicit LibraryCall(bool inside = true) noexcept;
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;
  ~LibraryCall();

 private:
  const bool before_;
};

}  // namespace faults
