// The first damage stays, whatever many threads report after it.
#include "store/damage_report.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace nd::store {
namespace {

TEST(DamageReport, KeepsTheFirst) {
  DamageReport report;
  EXPECT_TRUE(report.first());
  report.report("pages-1.run", 16384, "a block has a wrong checksum");
  report.report("pages-2.run", 0, "another fault");
  const Result<void> first = report.first();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.failure().status, Status::kCorrupt);
  EXPECT_EQ(first.failure().message, "pages-1.run, offset 16384: a block has a wrong checksum");
}

TEST(DamageReport, CutsWhatIsTooLong) {
  for (size_t size = 200; size < 300; ++size) {
    DamageReport report;
    const std::string name(size, 'n');
    report.report(name, ~uint64_t{0}, "sentence");
    const std::string all = name + ", offset 18446744073709551615: sentence";
    EXPECT_EQ(report.first().failure().message, String(all.substr(0, 255).c_str()));
  }
}

TEST(DamageReport, TakesThoseOfManyThreads) {
  DamageReport report;
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 100; ++round) {
        report.report("file", i, "fault");
        EXPECT_FALSE(report.first());
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const String message = report.first().failure().message;
  EXPECT_TRUE(message.starts_with("file, offset ") && message.ends_with(": fault")) << message;
}

}  // namespace
}  // namespace nd::store
