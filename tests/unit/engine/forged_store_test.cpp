// Stores whose checksums are right and whose content no engine writes, because it would make much work of few
// bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "collection/journal_record.hpp"
#include "store/journal_file.hpp"
#include "store/manifest.hpp"
#include "store/run_file.hpp"
#include "unit/engine/store_sample.hpp"

namespace nd::engine {
namespace {

using sample::article_html;

class ForgedStoreTest : public StoreTest {
 protected:
  std::string newest(const std::string& prefix) const {
    std::string name;
    for (const auto& entry : std::filesystem::directory_iterator(store())) {
      const std::string other = entry.path().filename().string();
      if (other.starts_with(prefix)) name = std::max(name, other);
    }
    return store() + "/" + name;
  }

  // Adds records to the newest journal.
  void append(const std::vector<Vector<uint8_t>>& records) const {
    const std::string path = newest("journal-");
    Result<Owned<store::File>> file = store::system_files().open(path, store::FileSystem::Access::kRead);
    ASSERT_TRUE(file);
    uint64_t fault_offset = 0;
    const Result<store::JournalHeader> header = store::read_journal_header(**file, fault_offset);
    ASSERT_TRUE(header);
    uint64_t at = std::filesystem::file_size(path);
    std::ofstream out(path, std::ios::binary | std::ios::app);
    for (const Vector<uint8_t>& record : records) {
      Vector<uint8_t> bytes;
      store::begin_record(*header, at, record, bytes);
      store::seal_record(*header, at, bytes);
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      at += bytes.size();
    }
  }

  // Writes the runs of a table of the newest generation again, each value as `spoil` leaves it.
  void rewrite(std::string_view table, const std::function<void(Vector<uint8_t>&)>& spoil) const {
    rewrite_manifest([&](store::Manifest& manifest) {
      for (store::TableRuns& runs : manifest.tables) {
        for (store::RunDescription& description : runs.runs) {
          if (description.name.ends_with(String("-").append(table))) rewrite(description, spoil);
        }
      }
    });
  }

  // Puts a number into the state of the newest generation.
  void put_into_state(size_t offset, uint64_t number) const {
    rewrite_manifest([&](store::Manifest& manifest) {
      ASSERT_LE(offset + sizeof number, manifest.state.size());
      std::memcpy(manifest.state.data() + offset, &number, sizeof number);
    });
  }

 private:
  void rewrite_manifest(const std::function<void(store::Manifest&)>& change) const {
    const std::string path = newest("manifest-");
    std::ifstream in(path, std::ios::binary);
    const Vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    uint64_t fault_offset = 0;
    Result<store::Manifest> manifest = store::parse_manifest(bytes, fault_offset);
    ASSERT_TRUE(manifest);
    change(*manifest);
    const Result<Vector<uint8_t>> encoded = store::encode_manifest(*manifest);
    ASSERT_TRUE(encoded);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(encoded->data()), static_cast<std::streamsize>(encoded->size()));
  }

  void rewrite(store::RunDescription& description, const std::function<void(Vector<uint8_t>&)>& spoil) const {
    store::FileSystem& files = store::system_files();
    const auto run = store::open_run(files, store(), description, {}, make_shared<store::DamageReport>());
    ASSERT_TRUE(run);
    std::filesystem::remove(store() + "/" + std::string(description.name));
    Result<Owned<store::RunWriter>> writer =
        store::RunWriter::create(files, store(), description.name, store::RunFormat::kWithFilter);
    ASSERT_TRUE(writer);
    for (uint64_t position = 0; position < (*run)->entry_count(); ++position) {
      const std::optional<store::RunEntry> entry = (*run)->at(position);
      Vector<uint8_t> value(entry->value.begin(), entry->value.end());
      spoil(value);
      ASSERT_TRUE((*writer)->add(entry->key, value));
    }
    Result<store::RunDescription> written = (*writer)->finish();
    ASSERT_TRUE(written);
    description = *written;
  }
};

Vector<uint8_t> election(uint64_t group_id, uint64_t page_id) {
  Vector<uint8_t> record;
  write_elected_change({group_id, page_id}, 1000, record);
  return record;
}

// Each would read a whole text and index it again, for 64 bytes of the journal.
TEST_F(ForgedStoreTest, OnlyAGroupThatLostItsRepresentativeElects) {
  Answer founder;
  Answer twin;
  Answer other;
  {
    const Owned<Engine> engine = open();
    ASSERT_NE(engine, nullptr);
    founder = *engine->check(page_input("https://a.example/1", article_html(1)));
    twin = *engine->check(page_input("https://b.example/2", article_html(1)));
    other = *engine->check(page_input("https://c.example/3", article_html(2)));
    ASSERT_EQ(twin.group_id, founder.group_id);
    ASSERT_NE(other.group_id, founder.group_id);
    ASSERT_TRUE(engine->close());
  }
  const std::filesystem::path whole = folder_ / "whole";
  std::filesystem::copy(store(), whole);
  Vector<uint8_t> removal;
  write_removed_change(founder.page_id, removal);
  const Vector<uint8_t> twins = election(founder.group_id, twin.page_id);
  const auto status_with = [&](const std::vector<Vector<uint8_t>>& records) {
    std::filesystem::remove_all(store());
    std::filesystem::copy(whole, store());
    append(records);
    const Result<Owned<Engine>> opened = Engine::open(store(), {}, store::system_files());
    return opened ? Status::kOk : opened.failure().status;
  };
  EXPECT_EQ(status_with({removal, twins}), Status::kOk);
  EXPECT_EQ(status_with({twins}), Status::kCorrupt) << "the founder represents the group";
  EXPECT_EQ(status_with({removal, twins, twins}), Status::kCorrupt) << "the twin represents it now";
  EXPECT_EQ(status_with({removal, election(founder.group_id, other.page_id)}), Status::kCorrupt)
      << "a page of another group";
  const Vector<uint8_t> nobody = election(founder.group_id, 0);
  EXPECT_EQ(status_with({removal, nobody}), Status::kOk);
  EXPECT_EQ(status_with({removal, nobody, nobody}), Status::kCorrupt) << "there is no text to be lost";
}

// docs/snapshot_format.md, "State".
constexpr size_t kLastPage = 8;
constexpr size_t kLastText = 16;
constexpr size_t kLastEvent = (4 + 15 + 5) * 8;

// What it had next, no later process would open.
TEST_F(ForgedStoreTest, CountersAtTheirEndGiveNoMoreNumbers) {
  for (const size_t counter : {kLastPage, kLastText}) {
    std::filesystem::remove_all(store());
    {
      const Owned<Engine> engine = open();
      ASSERT_NE(engine, nullptr);
      ASSERT_TRUE(engine->check(page_input("https://a.example/1", article_html(1))));
      ASSERT_TRUE(engine->close());
    }
    put_into_state(counter, kGreatestId - 1);
    {
      const Owned<Engine> engine = open();
      ASSERT_NE(engine, nullptr);
      EXPECT_TRUE(engine->check(page_input("https://a.example/2", article_html(2))));
      const Result<Answer> answer = engine->check(page_input("https://a.example/3", article_html(3)));
      ASSERT_FALSE(answer);
      EXPECT_EQ(answer.failure().status, Status::kCorrupt);
      EXPECT_TRUE(engine->remove("https://a.example/2"));
      ASSERT_TRUE(engine->close());
    }
    EXPECT_NE(open(), nullptr);
  }
}

TEST_F(ForgedStoreTest, EventsAtTheEndOfTheirNumbersAreLost) {
  {
    const Owned<Engine> engine = open();
    ASSERT_NE(engine, nullptr);
    ASSERT_TRUE(engine->check(page_input("https://a.example/1", article_html(1))));
    ASSERT_TRUE(engine->check(page_input("https://a.example/2", article_html(2))));
    ASSERT_TRUE(engine->close());
  }
  put_into_state(kLastEvent, EventLog::kGreatestSequence - 1);
  {
    const Owned<Engine> engine = open();
    ASSERT_NE(engine, nullptr);
    EXPECT_TRUE(engine->remove("https://a.example/1"));
    EXPECT_TRUE(engine->remove("https://a.example/2"));
    ASSERT_TRUE(engine->close());
  }
  EXPECT_NE(open(), nullptr);
}

// A long text that represents every group would be read for each of them.
TEST_F(ForgedStoreTest, GroupsOfAMethodHaveATextEach) {
  const Options options = options_of({{"detector", "shingles"}});
  {
    const Owned<Engine> engine = open(options);
    ASSERT_NE(engine, nullptr);
    ASSERT_TRUE(engine->check(page_input("https://a.example/0", sample::html(sample::article(1, 200)))));
    for (unsigned number = 2; number < 40; ++number)
      ASSERT_TRUE(engine->check(page_input("https://a.example/" + std::to_string(number),
                                           sample::html(sample::article(number, 1)))));
    ASSERT_TRUE(engine->close());
  }
  ASSERT_NE(open(options), nullptr);
  rewrite("groups", [](Vector<uint8_t>& group) {
    const uint64_t first_text = 1;
    std::memcpy(group.data() + offsetof(GroupData, text), &first_text, sizeof first_text);
  });
  const Result<Owned<Engine>> opened = Engine::open(store(), options, store::system_files());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.failure().status, Status::kCorrupt);
  EXPECT_EQ(opened.failure().message, "groups that are represented by the same text");
}

}  // namespace
}  // namespace nd::engine
