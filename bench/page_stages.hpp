// The stages of a check (docs/impl.md), each measured separately over the same pages, with all earlier stages
// already done. Their sum differs from the whole, because some stages include others, and each finds its
// input cold.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "source_pages.hpp"

namespace ndc::bench {

struct PageStage {
  std::string name;  // one word
  std::string what;
  std::function<void(size_t page)> run;  // of one page
  std::function<void()> begin{};         // before each pass over the pages, outside of the clock
};

// Threads: one.
class PageStages {
 public:
  // Holds beside the pages what each stage reads. `pages` outlive it.
  explicit PageStages(std::span<const SourcePage> pages);
  PageStages(PageStages&&) noexcept;
  ~PageStages();

  size_t page_count() const;
  // In the order of a check; the first is the bare parse.
  const std::vector<PageStage>& stages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ndc::bench
