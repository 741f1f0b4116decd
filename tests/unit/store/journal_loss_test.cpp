// Sectors of the newest journal are zeroed, torn or overwritten, at places all over it: no acknowledged
// record is lost in silence. What the end of a process leaves is opened in silence.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "store/store_names.hpp"
#include "unit/store/store_fixture.hpp"

namespace nd::store {
namespace {

constexpr StoreParameters kFull{.verify = Verify::kFull};
constexpr StoreParameters kRecovering{.recover = true, .verify = Verify::kFull};

class JournalLossTest : public StoreFixture {
 protected:
  // Records of all sizes that pages have; a snapshot before them, if the journal is not to be the first.
  void fill(Durability durability, bool is_first) {
    std::mt19937_64 random(1);
    Result<ToyClient> client = try_open({.durability = durability});
    ASSERT_TRUE(client);
    if (!is_first) {
      add(*client, 3);
      snapshot(*client);
    }
    journal_ = file(journal_name(is_first ? 0 : 1));
    for (int i = 0; i < 120; ++i) {
      std::string text(1 + random() % (i % 10 == 0 ? 9000 : 1500), 'x');
      for (size_t j = 0; j < text.size(); j += 1 + random() % 7)
        text[j] = static_cast<char>(random());
      texts_.push_back(text);
      ASSERT_TRUE(client->add(text));
    }
  }
  std::string content() const {
    std::ifstream in(journal_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& content) const {
    std::ofstream out(journal_, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  bool is_beginning(const std::vector<std::string>& log) const {
    return log.size() <= texts_.size() && std::equal(log.begin(), log.end(), texts_.begin());
  }

  // For the newest journal in its present, changed state.
  void expect_reported(const std::string& damaged) {
    std::string fault;
    const auto note = [&](const StoreFault& found) {
      fault =
          std::string(found.file) + " " + std::to_string(found.offset) + " " + std::string(found.sentence);
    };
    EXPECT_EQ(verify_store(path_, note, system_files()).failure().status, Status::kCorrupt);
    EXPECT_NE(fault.find(fs::path(journal_).filename().string()), std::string::npos) << fault;
    const Error refused = failure_of_open(kFull);
    EXPECT_EQ(refused.status, Status::kCorrupt);
    const bool is_header = refused.message.find("recover=true") == std::string::npos;
    if (!is_header) {
      EXPECT_NE(fault.find(" bytes "), std::string::npos) << fault;
    }
    {
      Result<ToyClient> client = try_open();
      if (client) {
        EXPECT_NE(client->store().journal_loss(), "");
        EXPECT_TRUE(is_beginning(client->log()));
      } else {
        EXPECT_EQ(client.failure().status, Status::kCorrupt);
      }
    }
    if (is_header) return;
    put(damaged);
    {
      Result<ToyClient> client = try_open(kRecovering);
      ASSERT_TRUE(client) << client.failure().message;
      EXPECT_NE(client->store().journal_loss(), "");
      EXPECT_TRUE(is_beginning(client->log()));
      EXPECT_LT(client->log().size(), texts_.size());
      ASSERT_TRUE(client->add("another"));
    }
    EXPECT_TRUE(verify_store(path_, nullptr, system_files()));
  }

  // `change` gets the place of a sector.
  void sweep(uint64_t sector_bytes, const std::function<void(std::string& content, uint64_t at)>& change) {
    for (const Durability durability : {Durability::kJournal, Durability::kSync}) {
      for (const bool is_first : {false, true}) {
        fs::remove_all(path_);
        texts_.clear();
        ASSERT_NO_FATAL_FAILURE(fill(durability, is_first));
        const std::string whole = content();
        int changed = 0;
        const uint64_t step = std::max(sector_bytes, whole.size() / 40 / sector_bytes * sector_bytes);
        for (uint64_t at = 0; at < whole.size(); at += step) {
          std::string damaged = whole;
          change(damaged, at);
          if (damaged == whole) continue;
          ++changed;
          put(damaged);
          SCOPED_TRACE(at);
          ASSERT_NO_FATAL_FAILURE(expect_reported(damaged));
        }
        EXPECT_GE(changed, 25);
      }
    }
  }

  std::string journal_;
  std::mt19937_64 random_{2};
};

void zero(std::string& content, uint64_t at, uint64_t size) {
  const uint64_t end = std::min<uint64_t>(content.size(), at + size);
  std::fill(content.begin() + static_cast<ptrdiff_t>(at), content.begin() + static_cast<ptrdiff_t>(end),
            '\0');
}

TEST_F(JournalLossTest, ZeroedSectors) {
  sweep(512, [](std::string& content, uint64_t at) { zero(content, at, 512); });
}

TEST_F(JournalLossTest, ZeroedPages) {
  sweep(4096, [](std::string& content, uint64_t at) { zero(content, at, 4096); });
}

// Only the beginning of a sector was written.
TEST_F(JournalLossTest, TornSectors) {
  sweep(512, [this](std::string& content, uint64_t at) {
    const uint64_t kept = 8 * (random_() % 64);
    if (random_() % 2 == 0) {
      zero(content, at + kept, 512 - kept);
    } else {
      for (uint64_t i = at + kept; i < std::min<uint64_t>(at + 512, content.size()); ++i)
        content[i] = static_cast<char>(random_());
    }
  });
}

TEST_F(JournalLossTest, RandomPlaces) {
  sweep(512, [this](std::string& content, uint64_t) {
    const uint64_t at = random_() % content.size();
    if (random_() % 2 == 0) {
      content[at] = static_cast<char>(content[at] ^ (1 << random_() % 8));
    } else {
      zero(content, at, 1 + random_() % 3000);
    }
  });
}

// Zeros behind the last record are not what a process leaves.
TEST_F(JournalLossTest, ZerosAtTheEndAreReported) {
  ASSERT_NO_FATAL_FAILURE(fill(Durability::kJournal, false));
  const std::string whole = content();
  const std::string longer = whole + std::string(4096, '\0');
  put(longer);
  EXPECT_FALSE(verify_store(path_, nullptr, system_files()));
  EXPECT_EQ(failure_of_open(kFull).status, Status::kCorrupt);
  ToyClient client = open();
  EXPECT_NE(client.store().journal_loss().find("4096 bytes"), std::string_view::npos)
      << client.store().journal_loss();
  expect_all(client);
}

// A process that is killed leaves a part of its last write.
TEST_F(JournalLossTest, AnUnfinishedRecordIsOpenedInSilence) {
  ASSERT_NO_FATAL_FAILURE(fill(Durability::kJournal, false));
  const std::string whole = content();
  for (size_t cut = 1; cut < 12000; cut += cut < 200 ? 1 : 97) {
    put(whole.substr(0, whole.size() - cut));
    SCOPED_TRACE(cut);
    EXPECT_TRUE(verify_store(path_, nullptr, system_files()));
    const ToyClient client = open(kFull);
    EXPECT_EQ(const_cast<ToyClient&>(client).store().journal_loss(), "");
    EXPECT_TRUE(is_beginning(client.log()));
  }
}

// A journal that another one follows is never cut.
TEST_F(JournalLossTest, RecoverGivesUpNothingOfAnOlderJournal) {
  ASSERT_NO_FATAL_FAILURE(fill(Durability::kJournal, false));
  std::string damaged = content();
  {
    ToyClient client = open();
    snapshot(client);
    add(client, 2);
  }
  zero(damaged, 4096, 512);
  put(damaged);
  fs::remove(file(manifest_name(2)));  // so that it is needed
  EXPECT_EQ(failure_of_open(kRecovering).status, Status::kCorrupt);
  EXPECT_EQ(content(), damaged);
}

}  // namespace
}  // namespace nd::store
