// nd_compare_pages, and the matched page of an exact verdict.
#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::html;
using sample::Paragraphs;
using sample::url;

Paragraphs joined(Paragraphs first, const Paragraphs& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class CompareCallsTest : public ::testing::Test {
 protected:
  CompareCallsTest() { EXPECT_EQ(nd_open(nullptr, nullptr, &engine_), ND_OK) << nd_last_error(); }
  ~CompareCallsTest() override { nd_close(engine_); }

  nd_result check(uint64_t site, const Paragraphs& text) { return check(url(site), text); }
  nd_result check(const std::string& address, const Paragraphs& text) {
    const std::string body = html(text);
    const nd_page page = page_of(address, body);
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_check_page(engine_, &page, &result), ND_OK) << nd_last_error();
    return result;
  }
  nd_result compare(uint64_t page_a, uint64_t page_b) {
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(nd_compare_pages(engine_, page_a, page_b, &result), ND_OK) << nd_last_error();
    return result;
  }

  nd_engine* engine_ = nullptr;
  const Paragraphs whole_ = article(1, 12);
  // Both resemble the whole article, but not each other.
  const Paragraphs early_ = joined(article(2, 4), Paragraphs(whole_.begin() + 4, whole_.end()));
  const Paragraphs late_ = joined(Paragraphs(whole_.begin(), whole_.end() - 4), article(3, 4));
};

TEST_F(CompareCallsTest, MembersOfAGroupNeedNotBeTheSame) {
  const nd_result founder = check(1, whole_);
  const nd_result early = check(2, early_);
  const nd_result late = check(3, late_);
  ASSERT_EQ(early.group_id, founder.page_id);
  ASSERT_EQ(late.group_id, founder.page_id);
  EXPECT_EQ(compare(founder.page_id, early.page_id).verdict, ND_NEAR);
  const nd_result members = compare(early.page_id, late.page_id);
  EXPECT_EQ(members.verdict, ND_NEW);
  EXPECT_EQ(members.matched_page_id, 0U);
  EXPECT_EQ(members.page_id, late.page_id);
  EXPECT_EQ(members.group_id, founder.page_id);
}

TEST_F(CompareCallsTest, TheAnswerIsThatOfTheCheck) {
  const nd_result founder = check(1, whole_);
  const nd_result checked = check(2, early_);
  const nd_result compared = compare(founder.page_id, checked.page_id);
  EXPECT_EQ(compared.verdict, checked.verdict);
  EXPECT_EQ(compared.flags, checked.flags);
  EXPECT_EQ(compared.page_id, checked.page_id);
  EXPECT_EQ(compared.group_id, checked.group_id);
  EXPECT_EQ(compared.matched_page_id, checked.matched_page_id);
  EXPECT_EQ(compared.resemblance, checked.resemblance);
  EXPECT_EQ(compared.containment, checked.containment);
  EXPECT_EQ(compared.page_coverage, checked.page_coverage);
  EXPECT_EQ(compared.matched_coverage, checked.matched_coverage);
}

TEST_F(CompareCallsTest, FlagsTellAPart) {
  const nd_result page = check(1, whole_);
  const nd_result more = check(2, joined(whole_, article(4, 14)));
  EXPECT_NE(compare(page.page_id, more.page_id).flags & ND_FLAG_CONTAINS, 0U);
  EXPECT_NE(compare(more.page_id, page.page_id).flags & ND_FLAG_CONTAINED, 0U);
}

// What the site was found to have on all pages since then counts no more in the ratios.
TEST_F(CompareCallsTest, APartByItsCheckStaysOne) {
  const Paragraphs frame = article(4, 14);
  const nd_result page = check(1, whole_);
  const nd_result framed = check(url(2), joined(whole_, frame));
  ASSERT_EQ(framed.group_id, page.page_id);
  ASSERT_NE(framed.flags & ND_FLAG_CONTAINS, 0U);
  for (uint64_t i = 0; i < 12; ++i)
    check(url(2) + std::to_string(i), joined(article(100 + i, 12), frame));
  const nd_result compared = compare(page.page_id, framed.page_id);
  EXPECT_EQ(compared.verdict, ND_NEAR);
  EXPECT_GT(compared.page_coverage, 0.9) << "the frame is boilerplate by now";
  EXPECT_EQ(compared.flags & (ND_FLAG_CONTAINS | ND_FLAG_CONTAINED), uint32_t{ND_FLAG_CONTAINS});
  EXPECT_EQ(compare(framed.page_id, page.page_id).flags & (ND_FLAG_CONTAINS | ND_FLAG_CONTAINED),
            uint32_t{ND_FLAG_CONTAINED});
}

TEST_F(CompareCallsTest, ExactIsSaidBesideThePageWhoseTextIsEqual) {
  const nd_result founder = check(1, whole_);
  const nd_result member = check(2, late_);
  ASSERT_EQ(member.matched_page_id, founder.page_id);
  const nd_result same = check(3, late_);
  EXPECT_EQ(same.verdict, ND_EXACT);
  EXPECT_EQ(same.group_id, founder.page_id);
  EXPECT_EQ(same.matched_page_id, member.page_id);
  for (const double ratio : {same.resemblance, same.containment, same.page_coverage, same.matched_coverage})
    EXPECT_EQ(ratio, 1);
  EXPECT_EQ(same.flags & (ND_FLAG_CONTAINS | ND_FLAG_CONTAINED), 0U);
  EXPECT_EQ(check(4, whole_).matched_page_id, founder.page_id);
  EXPECT_EQ(compare(member.page_id, same.page_id).verdict, ND_EXACT);
  nd_page_info info = ND_PAGE_INFO_INIT;
  ASSERT_EQ(nd_get_page(engine_, same.page_id, &info, nullptr, nullptr), ND_OK);
  EXPECT_EQ(info.matched_page_id, member.page_id);
  EXPECT_EQ(info.resemblance, 1);
}

// More so if the page holds its representative and much more: what it equals does too.
TEST_F(CompareCallsTest, AnExactPageIsNoPartOfItsRepresentative) {
  check(1, whole_);
  const nd_result member = check(2, joined(whole_, article(4, 14)));
  ASSERT_NE(member.flags & ND_FLAG_CONTAINS, 0U);
  const nd_result same = check(3, joined(whole_, article(4, 14)));
  EXPECT_EQ(same.verdict, ND_EXACT);
  EXPECT_EQ(same.matched_page_id, member.page_id);
  EXPECT_EQ(same.flags & ND_FLAG_CONTAINS, 0U);
}

TEST_F(CompareCallsTest, PagesWithoutTextAreNeverTheSame) {
  const nd_result empty = check(1, {});
  const nd_result also = check(2, {});
  EXPECT_EQ(compare(empty.page_id, also.page_id).verdict, ND_NO_TEXT);
  EXPECT_EQ(compare(empty.page_id, check(3, whole_).page_id).verdict, ND_NEW);
}

TEST_F(CompareCallsTest, ThePagesMustBeKnown) {
  const nd_result page = check(1, whole_);
  nd_result result = ND_RESULT_INIT;
  result.page_id = 7;
  EXPECT_EQ(nd_compare_pages(engine_, page.page_id, 99, &result), ND_ERR_NOT_FOUND);
  EXPECT_TRUE(is_empty(result));
  EXPECT_EQ(nd_compare_pages(engine_, 99, page.page_id, &result), ND_ERR_NOT_FOUND);
  EXPECT_EQ(nd_compare_pages(engine_, page.page_id, page.page_id, nullptr), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(nd_compare_pages(nullptr, 1, 1, &result), ND_ERR_INVALID_ARGUMENT);
  EXPECT_EQ(compare(page.page_id, page.page_id).verdict, ND_EXACT);
}

TEST_F(CompareCallsTest, AMethodThatDecidesDecidesHereToo) {
  nd_close(engine_);
  engine_ = nullptr;
  const OptionSet options{{"detector", "simhash64"}, {"decide", "method"}};
  ASSERT_EQ(nd_open(nullptr, options, &engine_), ND_OK);
  const nd_result founder = check(1, whole_);
  Paragraphs edited = whole_;
  edited[0] += " One sentence more.";
  const nd_result near = check(2, edited);
  ASSERT_EQ(near.verdict, ND_NEAR);
  const nd_result compared = compare(founder.page_id, near.page_id);
  EXPECT_EQ(compared.flags & ND_FLAG_UNVERIFIED, uint32_t{ND_FLAG_UNVERIFIED});
  EXPECT_EQ(compared.resemblance, near.resemblance);
  EXPECT_EQ(compare(founder.page_id, check(3, article(5, 12)).page_id).verdict, ND_NEW);
}

}  // namespace
}  // namespace nd_test
