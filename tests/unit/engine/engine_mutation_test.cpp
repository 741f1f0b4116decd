// A store whose files were changed at random gives an error, or the answers that it gave before.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>

#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article_html;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The answers of an engine, or nothing if a call fails as on damage.
std::optional<std::string> told_by(Engine& engine) {
  std::string out;
  const Result<Vector<GroupView>> groups = engine.groups();
  if (!groups) return {};
  for (const GroupView& group : *groups) {
    const auto pages = engine.pages_of_group(group.id);
    if (!pages) return {};
    out += std::to_string(group.id) + ":";
    for (const PageView& page : *pages)
      out += " " + std::to_string(page.answer.page_id) + " " + std::string(page.url);
  }
  const auto events = engine.events_after(0);
  if (!events) return {};
  out += " " + std::to_string(events->size());
  // A look at everything that a check looks at: keys, spots, texts, sites.
  for (unsigned number = 0; number < 30; number += 3) {
    const std::string url = "https://new.example/" + std::to_string(number);
    const Result<Answer> answer = engine.query(page_input(url, article_html(number)));
    if (!answer) return {};
    out += " " + std::to_string(answer->group_id) + "/" + std::to_string(answer->verdict);
  }
  return out;
}

class StoreMutationsTest : public StoreTest {
 protected:
  void SetUp() override {
    {
      Owned<Engine> engine = open();
      for (unsigned number = 0; number < 60; ++number) {
        const std::string url =
            "https://site" + std::to_string(number % 5) + ".example/" + std::to_string(number);
        ASSERT_TRUE(engine->check(page_input(url, article_html(number % 30))));
        if (number == 30) {
          ASSERT_TRUE(engine->snapshot());
        }
      }
      ASSERT_TRUE(engine->remove("https://site2.example/2"));
      ASSERT_TRUE(engine->close());
    }
    for (const auto& entry : std::filesystem::directory_iterator(store()))
      files_.emplace_back(entry.path(), bytes_of(entry.path()));
    std::sort(files_.begin(), files_.end());
    Owned<Engine> engine = open();
    expected_ = *told_by(*engine);
  }
  void restore() const {
    std::filesystem::remove_all(store());
    std::filesystem::create_directory(store());
    for (const auto& [path, bytes] : files_)
      write_bytes(path, bytes);
  }

  std::vector<std::pair<std::filesystem::path, std::string>> files_;
  std::string expected_;
};

std::string mutated(std::string bytes, std::mt19937_64& random) {
  const size_t at = bytes.empty() ? 0 : random() % bytes.size();
  switch (random() % 6) {
    case 0:
      return bytes.substr(0, at);
    case 1:
      return bytes + std::string(1 + random() % 100, static_cast<char>(random()));
    case 2:
      if (!bytes.empty())
        bytes.replace(at, std::min<size_t>(1 + random() % 600, bytes.size() - at), 600, '\0');
      return bytes;
    case 3:
      return bytes.substr(at) + bytes.substr(0, at);
    default:
      for (int i = 0; i < 3 && !bytes.empty(); ++i)
        bytes[random() % bytes.size()] ^= static_cast<char>(1 << (random() % 8));
      return bytes;
  }
}

TEST_F(StoreMutationsTest, GiveAnErrorOrTheAnswersOfBefore) {
  std::mt19937_64 random(11);
  int failed_opens = 0;
  int failed_calls = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto& [path, bytes] = files_[random() % files_.size()];
    const std::string changed = mutated(bytes, random);
    write_bytes(path, changed);
    const Options options = options_of({{"verify", round % 4 == 0 ? "full" : "lazy"},
                                        {"mmap", round % 3 == 0 ? "off" : "on"},
                                        {"read_only", "true"}});
    const Result<Owned<Engine>> engine = Engine::open(store(), options, store::system_files());
    if (!engine) {
      ++failed_opens;
      EXPECT_FALSE(engine.failure().message.empty());
    } else if (const std::optional<std::string> told = told_by(**engine)) {
      // A reader may also have gone back to the generation before; the writer's journal is not its business.
      if ((*engine)->sizes().pages == 59) {
        ASSERT_EQ(*told, expected_) << round << " " << path;
      }
    } else {
      ++failed_calls;
    }
    write_bytes(path, bytes);
  }
  EXPECT_GT(failed_opens, 5);
  EXPECT_GT(failed_calls, 1);
}

TEST_F(StoreMutationsTest, LoseNothingWhereTheWriterOpens) {
  std::mt19937_64 random(12);
  int right = 0;
  for (int round = 0; round < 80; ++round) {
    const auto& [path, bytes] = files_[random() % files_.size()];
    write_bytes(path, mutated(bytes, random));
    {
      const Options options = options_of({{"verify", "full"}});
      const Result<Owned<Engine>> engine = Engine::open(store(), options, store::system_files());
      if (engine) {
        const std::optional<std::string> told = told_by(**engine);
        ASSERT_TRUE(told) << round << " " << path;
        ASSERT_EQ(*told, expected_) << round << " " << path;
        ++right;
      }
    }
    restore();
  }
  EXPECT_GT(right, 3);
}

}  // namespace
}  // namespace nd::engine
