// The system's files: what each call does, refuses and says.
#include "store/file_system.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <array>

#include <thread>

#include "unit/store/faulty_files.hpp"
#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

using Access = FileSystem::Access;

std::string read_all(const File& file) {
  std::string text(*file.size(), '\0');
  const Result<size_t> count = file.read(0, {reinterpret_cast<uint8_t*>(text.data()), text.size()});
  EXPECT_TRUE(count && *count == text.size());
  return text;
}

void append(FileSystem& files, const std::string& path, const std::string& text, bool sync = false) {
  Result<Owned<File>> file = files.open(path, Access::kAppend);
  ASSERT_TRUE(file) << file.failure().message;
  ASSERT_TRUE((*file)->append(sample_bytes(text)));
  if (sync) {
    ASSERT_TRUE((*file)->sync());
  }
}

TEST(FileSystem, AppendsReadsAndTruncates) {
  const TemporaryDirectory directory;
  Result<Owned<File>> file = system_files().open(directory / "f", Access::kCreateNew);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->append(sample_bytes("0123456789")));
  ASSERT_TRUE((*file)->append({}));
  ASSERT_TRUE((*file)->sync());
  EXPECT_EQ(*(*file)->size(), 10u);
  uint8_t bytes[4];
  EXPECT_EQ(*(*file)->read(3, bytes), 4u);
  EXPECT_EQ(sample_text(bytes), "3456");
  EXPECT_EQ(*(*file)->read(8, bytes), 2u);
  EXPECT_EQ(*(*file)->read(10, bytes), 0u);
  EXPECT_EQ(*(*file)->read(~uint64_t{0}, bytes), 0u);
  ASSERT_TRUE((*file)->truncate(4));
  ASSERT_TRUE((*file)->append(sample_bytes("ab")));
  EXPECT_EQ(read_all(**file), "0123ab");
  EXPECT_FALSE((*file)->truncate(~uint64_t{0}));
}

TEST(FileSystem, RoomIsReservedBehindTheEnd) {
  const TemporaryDirectory directory;
  const std::string path = directory / "f";
  Result<Owned<File>> file = system_files().open(path, Access::kCreateNew);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->append(sample_bytes("0123456789")));
  const auto disk_bytes = [&] {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_blocks * 512;
  };
  const Result<bool> reserved = (*file)->reserve(10, 1 << 20);
  ASSERT_TRUE(reserved) << reserved.failure().message;
  EXPECT_EQ(*(*file)->size(), 10u);
  if (*reserved) {
    EXPECT_GE(disk_bytes(), 1 << 20);
  }
  ASSERT_TRUE((*file)->append(sample_bytes("ab")));
  EXPECT_EQ(read_all(**file), "0123456789ab");
  // The size is the same, and the room is given back.
  ASSERT_TRUE((*file)->truncate(12));
  EXPECT_EQ(read_all(**file), "0123456789ab");
  EXPECT_LT(disk_bytes(), 1 << 20);
  const Result<bool> senseless = (*file)->reserve(~uint64_t{0}, ~uint64_t{0});
  EXPECT_FALSE(senseless && *senseless);
}

TEST(FileSystem, OpensAsToldAndSaysWhatIsWrong) {
  const TemporaryDirectory directory;
  const std::string path = directory / "f";
  Result<Owned<File>> none = system_files().open(path, Access::kRead);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().status, Status::kNotFound);
  EXPECT_EQ(none.failure().message, String((path + ": cannot be opened: No such file or directory").c_str()));
  append(system_files(), path, "x");
  Result<Owned<File>> again = system_files().open(path, Access::kCreateNew);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.failure().status, Status::kIo);
  append(system_files(), path, "y");
  Result<Owned<File>> read = system_files().open(path, Access::kRead);
  ASSERT_TRUE(read);
  EXPECT_EQ(read_all(**read), "xy");
  EXPECT_FALSE((*read)->append(sample_bytes("z")));
  Result<Owned<File>> of_directory = system_files().open(directory.path(), Access::kRead);
  ASSERT_TRUE(of_directory) << "to be locked";
  std::array<uint8_t, 1> byte;
  EXPECT_FALSE((*of_directory)->read(0, byte));
  EXPECT_FALSE(system_files().open(directory.path(), Access::kAppend));
}

TEST(FileSystem, RefusesWhatIsNotAFileWithoutWaiting) {
  const TemporaryDirectory directory;
  ASSERT_EQ(mkfifo((directory / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(system_files().open(directory / "pipe", Access::kRead));
  EXPECT_FALSE(system_files().open("/dev/null", Access::kRead));
}

TEST(FileSystem, MapsNoMoreThanTheFile) {
  const TemporaryDirectory directory;
  append(system_files(), directory / "f", "some bytes");
  Owned<Mapping> mapping;
  {
    Result<Owned<File>> file = system_files().open(directory / "f", Access::kRead);
    ASSERT_TRUE(file);
    EXPECT_FALSE((*file)->map(11));
    EXPECT_FALSE((*file)->map(~uint64_t{0}));
    Result<Owned<Mapping>> empty = (*file)->map(0);
    ASSERT_TRUE(empty);
    EXPECT_TRUE((*empty)->bytes().empty());
    Result<Owned<Mapping>> all = (*file)->map(10);
    ASSERT_TRUE(all);
    mapping = std::move(*all);
  }
  EXPECT_EQ(sample_text(mapping->bytes()), "some bytes");
}

TEST(FileSystem, LocksAgainstOthersOfThisProcessToo) {
  const TemporaryDirectory directory;
  Result<Owned<File>> first = system_files().open(directory / "lock", Access::kAppend);
  Result<Owned<File>> second = system_files().open(directory / "lock", Access::kAppend);
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(*(*first)->lock());
  EXPECT_FALSE(*(*second)->lock());
  first->reset();
  EXPECT_TRUE(*(*second)->lock());
}

TEST(FileSystem, RenamesRemovesAndLists) {
  const TemporaryDirectory directory;
  FileSystem& files = system_files();
  append(files, directory / "b", "b");
  append(files, directory / "a", "a");
  ASSERT_TRUE(files.make_directory(directory / "d"));
  ASSERT_TRUE(files.make_directory(directory / "d"));
  EXPECT_FALSE(files.make_directory(directory / "a"));
  EXPECT_FALSE(files.make_directory(directory / "no/d"));
  EXPECT_EQ(*files.list(directory.path()), (Vector<String>{"a", "b", "d"}));
  ASSERT_TRUE(files.rename(directory / "a", directory / "b"));
  EXPECT_EQ(file_content(directory / "b"), "a");
  ASSERT_TRUE(files.sync_directory(directory.path()));
  EXPECT_EQ(files.list(directory / "b").failure().status, Status::kInvalidArgument);
  EXPECT_EQ(files.list(directory / "b/c").failure().status, Status::kIo);
  ASSERT_TRUE(files.remove(directory / "b"));
  EXPECT_EQ(*files.list(directory.path()), (Vector<String>{"d"}));
  EXPECT_EQ(files.remove(directory / "b").failure().status, Status::kNotFound);
  EXPECT_EQ(files.rename(directory / "b", directory / "c").failure().status, Status::kNotFound);
  EXPECT_EQ(files.list(directory / "no").failure().status, Status::kNotFound);
  EXPECT_EQ(files.sync_directory(directory / "no").failure().status, Status::kNotFound);
}

TEST(FaultyFiles, FailsTheCallItWasTold) {
  const TemporaryDirectory directory;
  FaultyFiles files(system_files());
  Result<Owned<File>> file = files.open(directory / "f", Access::kAppend);
  ASSERT_TRUE(file);
  files.fail(FaultyFiles::kAppend, 2);
  EXPECT_TRUE((*file)->append(sample_bytes("one")));
  EXPECT_TRUE((*file)->sync());
  const Result<void> failed = (*file)->append(sample_bytes("two"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.failure().message, String((directory / "f: No space left on device").c_str()));
  EXPECT_TRUE((*file)->append(sample_bytes("three")));
  files.fail(FaultyFiles::kAppend, 1, FaultyFiles::Failure::kTorn);
  EXPECT_FALSE((*file)->append(sample_bytes("four")));
  EXPECT_EQ(read_all(**file), "onethreefo");
  files.fail(FaultyFiles::kAny, 1, FaultyFiles::Failure::kFromThenOn);
  EXPECT_FALSE((*file)->sync());
  EXPECT_FALSE((*file)->size());
  EXPECT_FALSE(files.remove(directory / "f"));
  EXPECT_EQ(files.failures(), 3u);
  EXPECT_EQ(files.calls(FaultyFiles::kAppend), 4u);
}

TEST(FaultyFiles, ACrashLosesWhatWasNotSynced) {
  const TemporaryDirectory directory;
  FaultyFiles files(system_files());
  append(system_files(), directory / "old", "there before");
  append(files, directory / "a", "synced", true);
  append(files, directory / "b", "synced, not its name", true);
  ASSERT_TRUE(files.sync_directory(directory.path()));
  append(files, directory / "a", " and not");
  append(files, directory / "c", "its name is not", true);
  ASSERT_TRUE(files.rename(directory / "b", directory / "d"));
  ASSERT_TRUE(files.remove(directory / "old"));
  files.lie(FaultyFiles::kSyncDirectory);
  ASSERT_TRUE(files.sync_directory(directory.path()));
  files.crash();
  EXPECT_EQ(*files.list(directory.path()), (Vector<String>{"a", "b", "old"}));
  EXPECT_EQ(file_content(directory / "a"), "synced");
  EXPECT_EQ(file_content(directory / "b"), "synced, not its name");
  EXPECT_EQ(file_content(directory / "old"), "there before");
}

TEST(FaultyFiles, ACrashOfTheProcessLosesNothing) {
  const TemporaryDirectory directory;
  FaultyFiles files(system_files());
  append(files, directory / "a", "all");
  files.crash_of_process();
  files.crash();
  EXPECT_EQ(file_content(directory / "a"), "all");
}

TEST(FaultyFiles, ARandomCrashKeepsPrefixes) {
  std::mt19937_64 random(5);
  bool kept_some = false;
  for (int round = 0; round < 100; ++round) {
    const TemporaryDirectory directory;
    FaultyFiles files(system_files());
    append(files, directory / "a", "synced", true);
    ASSERT_TRUE(files.sync_directory(directory.path()));
    append(files, directory / "a", "unsynced");
    ASSERT_TRUE(files.rename(directory / "a", directory / "b"));
    append(files, directory / "c", "x");
    files.crash(random);
    const Vector<String> names = *files.list(directory.path());
    ASSERT_TRUE(names == Vector<String>{"a"} || names == Vector<String>{"b"} ||
                (names == Vector<String>{"b", "c"}));
    const std::string content = file_content(directory / std::string(names.front()));
    EXPECT_TRUE(std::string("syncedunsynced").starts_with(content));
    EXPECT_GE(content.size(), 6u);
    kept_some |= content.size() > 6 && content.size() < 14;
  }
  EXPECT_TRUE(kept_some);
}

}  // namespace
}  // namespace nd::store
