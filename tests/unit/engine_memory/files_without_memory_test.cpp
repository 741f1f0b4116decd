// Files are renamed and removed where there is no memory at all: so a step that failed for lack of it can be
// undone.
#include <gtest/gtest.h>

#include <cstdlib>

#include "store/file_system.hpp"
#include "unit/store/temporary_directory.hpp"

namespace nd::store {
namespace {

bool is_short = false;

void use_short_memory() {
  set_memory_functions(
      {[](size_t size, void*) { return is_short ? nullptr : std::malloc(size); },
       [](void* memory, size_t size, void*) { return is_short ? nullptr : std::realloc(memory, size); },
       [](void* memory, void*) { std::free(memory); }, nullptr});
}

TEST(FilesWithoutMemoryTest, AreRenamedAndRemoved) {
  use_short_memory();
  const TemporaryDirectory directory;
  FileSystem& files = system_files();
  const std::string old_path = directory / "old", new_path = directory / "new";
  ASSERT_TRUE(files.open(old_path, FileSystem::Access::kCreateNew));
  is_short = true;
  EXPECT_NO_THROW(EXPECT_TRUE(files.rename(old_path, new_path)));
  EXPECT_NO_THROW(EXPECT_TRUE(files.remove(new_path)));
  EXPECT_NO_THROW(EXPECT_TRUE(files.sync_directory(directory.path())));
  is_short = false;
  EXPECT_TRUE(files.list(directory.path())->empty());
}

TEST(FilesWithoutMemoryTest, LongPathsAreWhole) {
  use_short_memory();
  const TemporaryDirectory directory;
  FileSystem& files = system_files();
  std::string deep = directory.path();
  for (int i = 0; i < 8; ++i) {
    deep += "/" + std::string(200, static_cast<char>('a' + i));
    ASSERT_TRUE(files.make_directory(deep));
  }
  ASSERT_TRUE(files.open(deep + "/old", FileSystem::Access::kCreateNew));
  ASSERT_TRUE(files.rename(deep + "/old", deep + "/new"));
  EXPECT_EQ(*files.list(deep), (Vector<String>{"new"}));
  EXPECT_TRUE(files.remove(deep + "/new"));
}

}  // namespace
}  // namespace nd::store
