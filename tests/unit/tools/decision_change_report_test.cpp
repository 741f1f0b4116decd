#include "decision_change_report.hpp"

#include <gtest/gtest.h>

#include "output_capture.hpp"

namespace ndc::test {
namespace {

// Pages http://0/, http://1/, ...; each was like the first before, and is like no other after.
class NumberedPages final : public ComparedPages {
 public:
  explicit NumberedPages(size_t count) {
    for (size_t page = 0; page < count; ++page)
      urls_.push_back("http://" + std::to_string(page) + "/\t");
  }
  const std::string& url(size_t page) const override { return urls_[page]; }
  ComparedPage page(size_t page) const override {
    ComparedPage known{url(page), {}, {}};
    if (page > 0) known.before = {url(0), 0.75, 0.875};
    return known;
  }

 private:
  std::vector<std::string> urls_;
};

const PartitionChange kSplit = compare_partitions({{1, 1}, {1, 1}, {1, 3}, {4, 4}});

TEST(DecisionChangeReport, ARowForEachPageThatChanges) {
  const std::string text =
      output_of([](OutputFile& output) { write_change_rows(kSplit, NumberedPages(4), output); });
  EXPECT_EQ(
      text.substr(text.find('\n') + 1),
      "split\thttp://2/%09\thttp://0/%09\thttp://2/%09\tyes\tno\thttp://0/%09\t0.7500\t0.8750\t-\t-\t-\n");
  EXPECT_EQ(text[0], '#');
}

TEST(DecisionChangeReport, ForReadingAllPagesOfAChange) {
  const std::string text =
      output_of([](OutputFile& output) { write_change_text(kSplit, NumberedPages(4), output); });
  EXPECT_EQ(text,
            "split: 3 pages, 1 group before, 2 after\n"
            "  http://0/\\x09\n"
            "      http://1/\\x09\n"
            "  http://2/\\x09\n"
            "        before like http://0/\\x09, resemblance 0.7500, containment 0.8750\n"
            "        after like no other page\n\n");
}

TEST(DecisionChangeReport, Totals) {
  EXPECT_EQ(change_summary(kSplit, "classic", "document"),
            (std::vector<std::string>{"4 pages: 2 groups with decision=classic, 3 with decision=document",
                                      "1 change: 1 split, 0 merged, 0 rearranged; 1 page in another group",
                                      "1 page would no longer be left out, 0 newly would"}));
}

}  // namespace
}  // namespace ndc::test
