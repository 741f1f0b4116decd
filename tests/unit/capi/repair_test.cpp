// Damaged stores are saved into new ones: what is there keeps its ids and groups, what is lost is named, and
// the damaged store stays as it is.
#include <random>
#include <set>

#include "unit/capi/store_calls_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

using Files = std::map<std::string, std::string>;

struct KnownPage {
  std::string url;
  uint64_t group_id;
  int32_t verdict;
  int64_t first_fetched_at_ms, last_fetched_at_ms;
  double resemblance;
  bool operator==(const KnownPage&) const = default;
};

struct Content {
  std::map<uint64_t, KnownPage> pages;
  std::map<uint64_t, uint64_t> representatives;  // by group
  std::vector<uint64_t> events;                  // sequences
  std::string bookmark;
};

class RepairTest : public CapiStoreTest {
 protected:
  // Groups of all kinds: alone, of several, without their founder, with a founder whose text has changed,
  // purged; two generations, and a journal behind them.
  void fill() {
    ASSERT_EQ(in_child([&] {
                open();
                for (uint64_t i = 1; i <= 12; ++i)
                  check(i);
                for (uint64_t i = 1; i <= 6; ++i) {
                  check(20 + i, html(rewritten(article(i), 1, 9)));
                  check(30 + i, article_html(i));
                }
                if (nd_snapshot(engine_) != ND_OK) return 1;
                remove_page(1);
                check(2, article_html(50), 2000);
                purge_page(3);
                for (uint64_t i = 60; i <= 70; ++i)
                  check(i);
                if (set_bookmark("reader", "place") != ND_OK || nd_snapshot(engine_) != ND_OK) return 2;
                for (uint64_t i = 80; i <= 90; ++i)
                  check(i, article_html(i), 3000);
                check(100, article_html(60));
                check(4, article_html(4), 4000);
                remove_page(5);
                return HasFailure() ? 3 : 0;
              }),
              0);
    whole_ = files();
    open({{"read_only", "true"}});
    close();
    const std::string copy = folder_ + "/copy";
    std::filesystem::copy(path_, copy);
    known_ = content_of(copy);
    std::filesystem::remove_all(copy);
  }
  void remove_page(uint64_t number) {
    const std::string address = url(number);
    EXPECT_EQ(nd_remove_page(engine_, address.data(), address.size()), ND_OK);
  }
  void purge_page(uint64_t number) {
    const std::string address = url(number);
    nd_filter filter = ND_FILTER_INIT;
    filter.flags = ND_REMOVE_PURGE;
    filter.url_prefix = address.data();
    filter.url_prefix_size = address.size();
    EXPECT_EQ(nd_remove_matching(engine_, &filter, nullptr), ND_OK);
  }

  // Opens it for writing, so that the journal counts.
  static Content content_of(const std::string& path) {
    Content content;
    nd_engine* engine = nullptr;
    EXPECT_EQ(open_at(path, {{"verify", "full"}}, engine), ND_OK) << last_error();
    if (engine == nullptr) return content;
    const auto add_group = [](const nd_group_info* group, void* ctx) {
      (*static_cast<std::map<uint64_t, uint64_t>*>(ctx))[group->group_id] = group->representative_page_id;
      return int32_t{0};
    };
    EXPECT_EQ(nd_each_group(engine, add_group, &content.representatives), ND_OK);
    const auto add_page = [](const nd_page_info* page, const char* address, size_t size, void* ctx) {
      (*static_cast<std::map<uint64_t, KnownPage>*>(ctx))[page->page_id] = {
          std::string(address, size), page->group_id,           page->verdict,
          page->first_fetched_at_ms,  page->last_fetched_at_ms, page->resemblance};
      return int32_t{0};
    };
    for (const auto& [group_id, representative] : content.representatives)
      EXPECT_EQ(nd_each_page(engine, group_id, add_page, &content.pages), ND_OK);
    const auto add_event = [](const nd_event* event, void* ctx) {
      static_cast<std::vector<uint64_t>*>(ctx)->push_back(event->sequence);
      return int32_t{0};
    };
    EXPECT_EQ(nd_each_event(engine, 0, add_event, &content.events), ND_OK);
    Buffer data;
    if (nd_get_bookmark(engine, "reader", &data.raw) == ND_OK) content.bookmark = data.text();
    // It continues as any other store.
    const std::string address = "http://new.example/", body = article_html(900);
    const nd_page page = page_of(address, body);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine, &page, &result), ND_OK) << nd_last_error();
    EXPECT_FALSE(content.pages.contains(result.page_id));
    for (const auto& [page_id, known] : content.pages) {
      nd_page_info info = ND_PAGE_INFO_INIT;
      EXPECT_EQ(nd_find_page(engine, known.url.data(), known.url.size(), &info), ND_OK) << known.url;
      EXPECT_EQ(info.page_id, page_id);
    }
    EXPECT_EQ(nd_close(engine), ND_OK) << nd_last_error();
    return content;
  }

  nd_status repair() {
    std::filesystem::remove_all(saved_);
    losses_.clear();
    repair_ = ND_REPAIR_COUNTS_INIT;
    const auto add_loss = [](const nd_store_fault* loss, void* ctx) {
      static_cast<std::vector<std::string>*>(ctx)->push_back(
          std::string(loss->file) + " " + std::to_string(loss->offset) + " " + loss->sentence);
      return int32_t{0};
    };
    const nd_status status = nd_repair_store(path_.c_str(), saved_.c_str(), add_loss, &losses_, &repair_);
    if (status == ND_OK) {
      EXPECT_EQ(repair_.losses, losses_.size());
      EXPECT_EQ(nd_verify_store(saved_.c_str(), nullptr, nullptr), ND_OK) << nd_last_error();
    }
    return status;
  }
  // Every page that is saved is as it was, but for those behind damage in the journal; every other one has
  // been reported.
  // `is_cut`: the end of the newest journal is missing, which is what a killed process leaves.
  void expect_saved(bool is_cut = false) {
    const Content saved = content_of(saved_);
    EXPECT_EQ(saved.pages.size(), repair_.pages);
    EXPECT_EQ(saved.representatives.size(), repair_.groups);
    if (losses_.empty()) {
      EXPECT_TRUE(saved.pages == known_.pages || is_cut);
      EXPECT_TRUE(saved.bookmark == known_.bookmark || is_cut);
      return;
    }
    EXPECT_EQ(saved.bookmark, "");
    std::string all;
    for (const std::string& loss : losses_)
      all += loss + "\n";
    const bool has_older = all.find("journal-") != std::string::npos;  // what they said last is lost
    size_t same = 0;
    for (const auto& [page_id, page] : saved.pages) {
      const auto known = known_.pages.find(page_id);
      const bool is_same = known != known_.pages.end() && known->second.url == page.url &&
                           known->second.group_id == page.group_id;
      same += is_same;
      EXPECT_TRUE(is_same || has_older ||
                  all.find("page " + std::to_string(page_id) + " ") != std::string::npos ||
                  all.find("run-") != std::string::npos)
          << page_id << " " << page.url << "\n"
          << all;
    }
    EXPECT_TRUE(same == known_.pages.size() || !losses_.empty());
  }
  static void zero(std::string& bytes, size_t at, size_t size) {
    if (at < bytes.size()) bytes.replace(at, std::min(size, bytes.size() - at), size, '\0');
  }
  std::string name_with(const std::string& part) const {
    for (const auto& [name, bytes] : whole_) {
      if (name.find(part) != std::string::npos) return name;
    }
    ADD_FAILURE() << part;
    return "";
  }

  std::string saved_;
  Files whole_;
  Content known_;
  std::vector<std::string> losses_;
  nd_repair_counts repair_ = ND_REPAIR_COUNTS_INIT;

  void SetUp() override {
    CapiStoreTest::SetUp();
    saved_ = folder_ + "/saved";
  }
};

TEST_F(RepairTest, NothingIsLostOfAWholeStore) {
  ASSERT_NO_FATAL_FAILURE(fill());
  ASSERT_EQ(repair(), ND_OK) << nd_last_error();
  EXPECT_TRUE(losses_.empty()) << losses_[0];
  EXPECT_EQ(repair_.pages_lost, 0U);
  EXPECT_EQ(files(), whole_);
  const Content saved = content_of(saved_);
  EXPECT_TRUE(saved.pages == known_.pages);
  EXPECT_TRUE(saved.representatives == known_.representatives);
  EXPECT_EQ(saved.bookmark, "place");
  EXPECT_GE(saved.events.size(), known_.events.size());
  EXPECT_GT(saved.representatives.size(), 20U);
}

TEST_F(RepairTest, WhatTheNewestGenerationLosesIsInTheOneBefore) {
  ASSERT_NO_FATAL_FAILURE(fill());
  for (const std::string& name :
       {name_with("manifest-00000000000000000002"), name_with("run-00000000000000000002-pages")}) {
    SCOPED_TRACE(name);
    Files damaged = whole_;
    damaged.erase(name);
    restore(damaged);
    ASSERT_EQ(repair(), ND_OK) << nd_last_error();
    EXPECT_TRUE(losses_.empty()) << losses_[0];
    EXPECT_TRUE(content_of(saved_).pages == known_.pages);
  }
}

TEST_F(RepairTest, AGroupGoesOnWithoutItsFounder) {
  ASSERT_NO_FATAL_FAILURE(fill());
  // The text of page 6, which founded a group of three, is in the first generation's run.
  const std::string name = name_with("run-00000000000000000001-texts");
  Files damaged = whole_;
  const std::string address = url(6);
  const size_t at = damaged[name].find(address);
  ASSERT_NE(at, std::string::npos);
  damaged[name][at] = '!';
  restore(damaged);
  ASSERT_EQ(repair(), ND_OK) << nd_last_error();
  ASSERT_FALSE(losses_.empty());
  EXPECT_EQ(losses_[0].find(name), 0U) << losses_[0];
  EXPECT_EQ(files(), damaged);
  EXPECT_GT(repair_.pages_lost, 0U);
  EXPECT_LT(repair_.pages_lost, known_.pages.size());
  expect_saved();
}

// Which ends the calls, not the work.
TEST_F(RepairTest, ACallbackMayHaveEnough) {
  ASSERT_NO_FATAL_FAILURE(fill());
  Files damaged = whole_;
  for (const char* table : {"run-00000000000000000001-texts", "run-00000000000000000001-keys"}) {
    std::string& bytes = damaged[name_with(table)];
    zero(bytes, bytes.size() / 2 / 512 * 512, 512);
  }
  restore(damaged);
  const auto stop = [](const nd_store_fault*, void* ctx) { return ++*static_cast<int32_t*>(ctx); };
  int32_t calls = 0;
  EXPECT_EQ(nd_verify_store(path_.c_str(), stop, &calls), ND_ERR_CORRUPT);
  EXPECT_EQ(calls, 1);
  calls = 0;
  nd_repair_counts counts = ND_REPAIR_COUNTS_INIT;
  ASSERT_EQ(nd_repair_store(path_.c_str(), saved_.c_str(), stop, &calls, &counts), ND_OK) << nd_last_error();
  EXPECT_EQ(calls, 1);
  EXPECT_GT(counts.losses, 1U);
  EXPECT_GT(counts.pages, 0U);
  EXPECT_EQ(nd_verify_store(saved_.c_str(), nullptr, nullptr), ND_OK);
}

TEST_F(RepairTest, PagesBehindDamageInTheJournalAreDecidedAnew) {
  ASSERT_NO_FATAL_FAILURE(fill());
  const std::string name = name_with("journal-00000000000000000002");
  Files damaged = whole_;
  zero(damaged[name], 1024, 512);
  restore(damaged);
  ASSERT_EQ(repair(), ND_OK) << nd_last_error();
  EXPECT_EQ(files(), damaged);
  EXPECT_FALSE(losses_.empty());
  const Content saved = content_of(saved_);
  std::set<std::string> urls, known_urls;
  for (const auto& [page_id, page] : saved.pages)
    urls.insert(page.url);
  for (const auto& [page_id, page] : known_.pages)
    known_urls.insert(page.url);
  size_t missing = 0;
  for (const std::string& each : known_urls)
    missing += !urls.contains(each);
  EXPECT_LE(missing, 3U) << "but for the records in the sector";
  EXPECT_TRUE(urls.contains(url(90)));
  EXPECT_TRUE(urls.contains(url(100)));
}

TEST_F(RepairTest, StoresDamagedInManyWays) {
  ASSERT_NO_FATAL_FAILURE(fill());
  std::mt19937_64 random(5);
  int lossless = 0, lossy = 0, refused = 0;
  for (int round = 0; round < 240; ++round) {
    Files damaged = whole_;
    bool is_cut = false;
    for (uint64_t left = 1 + random() % 3; left > 0; --left) {
      auto chosen = std::next(damaged.begin(), static_cast<ptrdiff_t>(random() % damaged.size()));
      std::string& bytes = chosen->second;
      const size_t at = bytes.empty() ? 0 : random() % bytes.size();
      switch (random() % 6) {
        case 0:
          if (damaged.size() > 2) damaged.erase(chosen);
          break;
        case 1:
          bytes.resize(at);
          is_cut = is_cut || chosen->first == "journal-00000000000000000002";
          break;
        case 2:
          zero(bytes, at / 512 * 512, 512);
          break;
        case 3:
          zero(bytes, at / 4096 * 4096, 4096);
          break;
        case 4:
          for (size_t i = at; i < std::min(bytes.size(), at + 100); ++i)
            bytes[i] = static_cast<char>(random());
          break;
        default:
          if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      }
    }
    restore(damaged);
    SCOPED_TRACE(round);
    const nd_status status = repair();
    EXPECT_EQ(files(), damaged);
    if (status == ND_OK) {
      expect_saved(is_cut);
      ++(losses_.empty() ? lossless : lossy);
    } else {
      EXPECT_TRUE(status == ND_ERR_CORRUPT || status == ND_ERR_NOT_FOUND) << nd_last_error();
      ++refused;
    }
    ASSERT_FALSE(HasFailure()) << nd_last_error();
  }
  EXPECT_GT(lossless, 30);
  EXPECT_GT(lossy, 60);
  EXPECT_LT(refused, 20);
}

TEST_F(RepairTest, WhatIsNotDone) {
  open();
  check(1);
  EXPECT_EQ(nd_repair_store(path_.c_str(), saved_.c_str(), nullptr, nullptr, nullptr), ND_ERR_LOCKED);
  EXPECT_FALSE(std::filesystem::exists(saved_));
  close();
  EXPECT_EQ(nd_repair_store(path_.c_str(), path_.c_str(), nullptr, nullptr, nullptr),
            ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_repair_store(saved_.c_str(), path_.c_str(), nullptr, nullptr, nullptr), ND_ERR_NOT_FOUND);
  EXPECT_EQ(nd_repair_store(path_.c_str(), saved_.c_str(), nullptr, nullptr, nullptr), ND_OK);
  EXPECT_EQ(nd_repair_store(path_.c_str(), saved_.c_str(), nullptr, nullptr, nullptr),
            ND_ERR_INVALID_ARGUMENT);
}

// Six paragraphs of words, common and rare ones.
std::string words_html(uint64_t number) {
  std::mt19937 random(static_cast<uint32_t>(number));
  std::string text = "<html><body>";
  for (int paragraph = 0; paragraph < 6; ++paragraph) {
    text += "<p>";
    for (int i = 0; i < 60; ++i) {
      const uint64_t word = random() % 3 == 0 ? random() % 100'000 : random() % 40 * (random() % 40);
      text += "w" + std::to_string(word) + (i % 12 == 11 ? ". " : " ");
    }
    text += "</p>";
  }
  return text + "</body></html>";
}

// A generation that was skipped when the store was opened, since it lacked a file, and that a crash kept from
// being dropped once the next one was written.
class GivenUpGenerationTest : public RepairTest {
 protected:
  static constexpr uint64_t kWordPages = 400;

  void SetUp() override {
    RepairTest::SetUp();
    const auto add = [&](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; ++i)
        check(i, words_html(i));
      return nd_snapshot(engine_) == ND_OK;
    };
    ASSERT_EQ(in_child([&] {
                open();
                return add(0, kWordPages / 4) && add(kWordPages / 4, kWordPages / 2) && !HasFailure() ? 0 : 1;
              }),
              0);
    Files given_up;
    for (const auto& [name, content] : files()) {
      if (name.find("00000000000000000002") == std::string::npos || name.starts_with("journal")) continue;
      if (name.ends_with("-urls")) {
        std::filesystem::remove(path_ + "/" + name);
      } else {
        given_up[name] = content;
      }
    }
    ASSERT_EQ(in_child([&] {
                open();
                return add(kWordPages / 2, kWordPages) && !HasFailure() ? 0 : 1;
              }),
              0);
    for (const auto& [name, content] : given_up) {
      if (!std::filesystem::exists(path_ + "/" + name)) write_file(name, content);
    }
  }
};

TEST_F(GivenUpGenerationTest, IsNotKeptInPlaceOfTheOneBeforeIt) {
  open({});
  close();
  EXPECT_TRUE(std::filesystem::exists(path_ + "/manifest-00000000000000000001"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/manifest-00000000000000000002"));
  EXPECT_TRUE(std::filesystem::exists(path_ + "/manifest-00000000000000000003"));
}

// Its texts have codes that the next generation gave to other symbols. Repair puts its runs below those of
// the next one.
TEST_F(GivenUpGenerationTest, HasTextsThatAreNotReadWithOtherCodes) {
  // The generation before, with which nothing would be lost, is gone.
  for (const char* name : {"manifest-00000000000000000001", "journal-00000000000000000001"})
    std::filesystem::remove(path_ + "/" + name);
  for (const auto& [name, content] : files()) {
    if (!name.starts_with("run-00000000000000000003-texts")) continue;
    std::string damaged = content;
    for (size_t at = 100; at < damaged.size() * 3 / 4; at += 16'384)
      damaged[at] ^= 1;
    write_file(name, damaged);
  }
  ASSERT_EQ(repair(), ND_OK) << last_error();
  EXPECT_GT(repair_.pages_lost, 0U);
  // The symbols of a page are compared with those of its copy.
  nd_engine* engine = nullptr;
  ASSERT_EQ(open_at(saved_, {}, engine), ND_OK) << last_error();
  uint64_t saved = 0;
  for (uint64_t i = 0; i < kWordPages; ++i) {
    const std::string address = url(i), copy = "http://copy.example/" + std::to_string(i),
                      body = words_html(i);
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (nd_find_page(engine, address.data(), address.size(), &info) != ND_OK) continue;
    const nd_page page = page_of(copy, body);
    nd_result result = ND_RESULT_INIT;
    ASSERT_EQ(nd_check_page(engine, &page, &result), ND_OK);
    EXPECT_EQ(result.verdict, ND_EXACT) << i;
    ++saved;
  }
  EXPECT_EQ(saved, repair_.pages);
  EXPECT_GT(saved, kWordPages / 8);
  EXPECT_EQ(nd_close(engine), ND_OK);
}

}  // namespace
}  // namespace nd_test
