// An engine with a store gives the answers of one in memory, whatever is written, read again or killed
// between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "store/file_preamble.hpp"
#include "store/manifest.hpp"
#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::Paragraphs;

// A random call of a small crawl; the same calls in the same order for the same seed.
class Crawl {
 public:
  explicit Crawl(unsigned seed) : random_(seed) {}

  // Makes a random call; returns its result as text.
  std::string step(Engine& engine) {
    const uint64_t kind = random_() % 20;
    const std::string url =
        "https://site" + std::to_string(random_() % 6) + ".example/" + std::to_string(random_() % 80);
    at_ms_ += 1000;
    if (kind == 0) return said(engine.remove(url));
    if (kind == 1 && random_() % 8 == 0) {
      RemovalFilter filter;
      const std::string prefix = url.substr(0, url.size() - 1);
      filter.url_prefix = prefix;
      filter.purge = random_() % 2 == 0;
      return said(engine.remove_matching(filter));
    }
    // Few articles on many pages, each with the boilerplate of its site and some edits of its own.
    Paragraphs text = article(static_cast<unsigned>(random_() % 25));
    if (random_() % 3 == 0)
      text.push_back("An edit with the number " + std::to_string(random_() % 1000) + " of this page.");
    if (random_() % 10 == 0) text.clear();
    const std::string body = html(text);
    const Result<Answer> answer = engine.check(page_input(url, body, at_ms_));
    if (!answer) return "failed: " + std::string(answer.failure().message);
    return std::to_string(answer->page_id) + " " + std::to_string(answer->group_id) + " " +
           std::to_string(answer->verdict) + " " + std::to_string(answer->flags) + " " +
           std::to_string(answer->matched_page_id) + " " + std::to_string(answer->resemblance);
  }

 private:
  static std::string said(const Result<void>& result) { return result ? "ok" : "not found"; }
  static std::string said(const Result<uint64_t>& result) {
    return result ? std::to_string(*result) : std::string(result.failure().message);
  }

  std::mt19937 random_;
  int64_t at_ms_ = 1'000'000;
};

// What the engine in memory, and the one with a store, say to the same calls; `between` may do anything to
// the one with the store.
template <typename Between>
void expect_equal(unsigned seed, int steps, Owned<Engine>& engine, Between&& between) {
  Owned<Engine> reference = *Engine::open(Parameters{});
  Crawl expected(seed);
  Crawl crawl(seed);
  for (int i = 0; i < steps; ++i) {
    ASSERT_EQ(crawl.step(*engine), expected.step(*reference)) << "step " << i;
    between(i);
    ASSERT_NE(engine, nullptr);
  }
  EXPECT_EQ(picture_of(*engine), picture_of(*reference));
}

TEST_F(StoreTest, AnswersAsAnEngineInMemory) {
  Owned<Engine> engine = open();
  ASSERT_NE(engine, nullptr);
  expect_equal(1, 600, engine, [](int) {});
}

TEST_F(StoreTest, SnapshotsChangeNoAnswer) {
  Owned<Engine> engine = open();
  std::mt19937 random(7);
  expect_equal(2, 800, engine, [&](int) {
    if (random() % 20 == 0) {
      EXPECT_TRUE(engine->snapshot());
    }
    if (random() % 150 == 0) {
      EXPECT_TRUE(engine->compact());
    }
  });
  EXPECT_GT(engine->sizes().generation, 10U);
}

TEST_F(StoreTest, ReopeningChangesNoAnswer) {
  Owned<Engine> engine = open();
  std::mt19937 random(8);
  expect_equal(3, 800, engine, [&](int) {
    if (random() % 25 != 0) return;
    if (random() % 2 == 0) {
      EXPECT_TRUE(engine->close());
    }
    engine.reset();  // without close(): what a process leaves that is killed
    engine = open();
  });
}

TEST_F(StoreTest, ReopeningWithoutMappingsChangesNoAnswer) {
  const Options options = options_of({{"mmap", "off"}, {"verify", "full"}});
  Owned<Engine> engine = open(options);
  std::mt19937 random(9);
  expect_equal(4, 400, engine, [&](int) {
    if (random() % 25 != 0) return;
    EXPECT_TRUE(engine->close());
    engine.reset();
    engine = open(options);
  });
}

// Turns a bit of the first text of each run of texts, or turns it back. Never cuts a file: it may be mapped.
void flip_first_texts(const std::string& path) {
  constexpr std::streamoff kInFirstText = 64;  // behind the head of the run; docs/snapshot_format.md
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().filename().string().find("-texts") == std::string::npos) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(kInFirstText);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(kInFirstText);
    file.put(byte);
  }
}

TEST_F(StoreTest, AReaderThatMetDamageWorksAgainAfterARefresh) {
  const std::string body = article_html(1);
  const auto ask = [&](const Engine& engine) { return engine.find_page("https://a.example/"); };
  Owned<Engine> writer = open();
  ASSERT_TRUE(writer->check(page_input("https://a.example/", body, 1000)));
  // So many that the first text lies in another block than what opening reads.
  for (unsigned i = 0; i < 20; ++i) {
    const std::string other = article_html(100 + i);
    ASSERT_TRUE(writer->check(page_input("https://d.example/" + std::to_string(i), other, 1000)));
  }
  ASSERT_TRUE(writer->snapshot());
  flip_first_texts(store());
  Owned<Engine> reader = open(options_of({{"read_only", "true"}, {"mmap", "off"}}));
  const std::string copy = "https://b.example/";
  EXPECT_TRUE(ask(*reader)) << "pages are whole";
  const Result<Answer> met = reader->query(page_input(copy, body, 2000));
  ASSERT_FALSE(met);
  EXPECT_EQ(met.failure().status, Status::kCorrupt);
  EXPECT_EQ(ask(*reader).failure().status, Status::kCorrupt) << "from then on nothing is believed";
  EXPECT_EQ(reader->compare(1, 999).failure().status, Status::kCorrupt) << "nor that a page is not there";
  flip_first_texts(store());
  ASSERT_TRUE(reader->refresh());
  EXPECT_FALSE(ask(*reader)) << "there is no newer snapshot";
  const std::string news = article_html(2);
  ASSERT_TRUE(writer->check(page_input("https://c.example/", news, 3000)));
  ASSERT_TRUE(writer->snapshot());
  ASSERT_TRUE(reader->refresh());
  EXPECT_TRUE(ask(*reader));
  const Result<Answer> answer = reader->query(page_input(copy, body, 4000));
  ASSERT_TRUE(answer) << answer.failure().message;
  EXPECT_EQ(answer->verdict, kExactDuplicate);
}

// Changes the options that each manifest of the store names.
template <typename Change>
void change_options(const std::string& path, Change&& change) {
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (!entry.path().filename().string().starts_with("manifest-")) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    uint64_t fault_offset = 0;
    Result<store::Manifest> manifest =
        store::parse_manifest({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, fault_offset);
    ASSERT_TRUE(manifest);
    change(manifest->identity.options);
    const Result<Vector<uint8_t>> changed = store::encode_manifest(*manifest);
    ASSERT_TRUE(changed);
    std::ofstream out(entry.path(), std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(changed->data()), static_cast<std::streamsize>(changed->size()));
  }
}

// Two beside the profile.
constexpr std::initializer_list<std::pair<const char*, const char*>> kTwoOptions = {{"same_document", "0.9"},
                                                                                    {"x_rounds", "7"}};

TEST_F(StoreTest, AStoreRecordsItsProfileAndWhatWasSetBesideIt) {
  Options options = options_of(kTwoOptions);
  ASSERT_TRUE(options.set("tokens_limit", "65536")) << "the default";
  ASSERT_TRUE(options.set("durability", "sync")) << "not persistent";
  EXPECT_TRUE(open(options)->close());
  Vector<String> recorded;
  change_options(store(), [&](Vector<String>& lines) { recorded = lines; });
  EXPECT_EQ(recorded, (Vector<String>{"profile=document/1", "same_document=0.9", "x_rounds=7"}));
  const auto refusal = [this](const char* key, const char* value) {
    const Result<Owned<Engine>> opened =
        Engine::open(store(), options_of({{key, value}}), store::system_files());
    return opened ? std::string() : std::string(opened.failure().message);
  };
  EXPECT_EQ(refusal("x_rounds", "7"), "");
  EXPECT_EQ(refusal("tokens_limit", "65536"), "") << "of the profile";
  EXPECT_NE(refusal("x_rounds", "8").find("option x_rounds is 8, but the store was made with 7"),
            std::string::npos);
  EXPECT_NE(refusal("tokens_limit", "100").find("option tokens_limit is 100"), std::string::npos);
}

TEST_F(StoreTest, AStoreWithOtherOptionsIsOfAnotherVersion) {
  using Lines = Vector<String>;
  const std::initializer_list<void (*)(Lines&)> changes = {
      [](Lines& lines) { lines.front() = "profile=document/0"; },
      [](Lines& lines) { std::swap(lines[1], lines[2]); },
      [](Lines& lines) { lines.erase(lines.begin()); },
      [](Lines& lines) { lines.emplace_back("unheard_of=2"); },
      [](Lines& lines) { lines.front() = String("x").append(lines.front()); },
      [](Lines& lines) { lines.front().insert(lines.front().find('='), "x"); },
      [](Lines& lines) { std::swap(lines.front(), lines.back()); },
      [](Lines& lines) { lines.clear(); },
  };
  for (const auto& change : changes) {
    std::filesystem::remove_all(store());
    EXPECT_TRUE(open(options_of(kTwoOptions))->close());
    change_options(store(), change);
    const Result<Owned<Engine>> refused = Engine::open(store(), {}, store::system_files());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().status, Status::kUnsupportedVersion);
    EXPECT_EQ(refused.failure().message, store::of_another_version().message);
  }
}

TEST_F(StoreTest, AStoreWithAValueOfALaterVersionIsOfAnother) {
  EXPECT_TRUE(open(options_of(kTwoOptions))->close());
  change_options(store(), [](Vector<String>& lines) { lines.back().append("x"); });
  const Result<Owned<Engine>> refused = Engine::open(store(), {}, store::system_files());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().status, Status::kUnsupportedVersion);
}

// What the trailers of a table's runs say of filters (docs/snapshot_format.md, "Head and trailer").
std::set<int> run_filters(const std::string& path, const std::string& table) {
  std::set<int> numbers;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (!entry.path().filename().string().ends_with("-" + table)) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    file.seekg(104 - 128, std::ios::end);
    numbers.insert(file.get());
  }
  return numbers;
}

TEST_F(StoreTest, FiltersAreForTablesThatAreAskedForWhatTheyLack) {
  const Owned<Engine> engine = open();
  ASSERT_TRUE(engine->check(page_input("https://a.example/", article_html(1), 1000)));
  ASSERT_TRUE(engine->snapshot());
  for (const char* table : {"keys", "exact", "urls", "sites", "spotpostings"})
    EXPECT_EQ(run_filters(store(), table), std::set{1}) << table;
  for (const char* table : {"pages", "groups", "texts", "spotdocuments"})
    EXPECT_EQ(run_filters(store(), table), std::set{0}) << table << " has ids for keys";
}

}  // namespace
}  // namespace nd::engine
