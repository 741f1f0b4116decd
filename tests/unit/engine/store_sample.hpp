// A folder that is removed when the test ends, and engines with stores in it.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "store/file_system.hpp"
#include "unit/engine/engine_sample.hpp"

namespace nd::engine {

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::string name = (std::filesystem::temp_directory_path() / "ndc-store-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(folder_); }

  std::string store() const { return (folder_ / "store").string(); }

  static Options options_of(std::initializer_list<std::pair<const char*, const char*>> values) {
    Options options;
    for (const auto& [key, value] : values)
      EXPECT_TRUE(options.set(key, value)) << key;
    return options;
  }
  Owned<Engine> open(const Options& options = {}) {
    Result<Owned<Engine>> opened = Engine::open(store(), options, store::system_files());
    EXPECT_TRUE(opened) << (opened ? "" : std::string(opened.failure().message));
    return opened ? *std::move(opened) : nullptr;
  }

  std::filesystem::path folder_;
};

// Everything a caller can see of an engine.
inline std::string picture_of(const Engine& engine) {
  std::string out;
  const auto add = [&out](auto number) { out += std::to_string(number) + " "; };
  for (const GroupView& group : groups_of(engine)) {
    add(group.id);
    add(group.representative_page_id);
    add(group.page_count);
    const auto pages = engine.pages_of_group(group.id);
    EXPECT_TRUE(pages);
    for (const PageView& page : *pages) {
      add(page.answer.page_id);
      add(page.answer.verdict);
      add(page.answer.flags);
      add(page.answer.matched_page_id);
      add(page.answer.resemblance);
      add(page.first_fetched_at_ms);
      add(page.last_fetched_at_ms);
      add(page.width);
      out += std::string(page.url) + " ";
    }
    out += "\n";
  }
  for (const Event& event : events_of(engine, 0)) {
    add(static_cast<int>(event.kind));
    add(event.sequence);
    add(event.page_id);
    add(event.old_group_id);
    add(event.new_group_id);
    add(event.at_ms);
    out += "\n";
  }
  const Sizes sizes = engine.sizes();
  add(sizes.pages);
  add(sizes.groups);
  add(sizes.keys);
  add(sizes.hot_keys);
  return out;
}

}  // namespace nd::engine
