// Pages that are made of what their site repeats are counted, whatever their groups are.
#include <gtest/gtest.h>

#include <string>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

constexpr unsigned kPagesOfSite = 40;

// Of so many pages of one site, checked one after another.
template <typename Make>
uint64_t without_own_text(const Make& make) {
  Result<Owned<Engine>> engine = Engine::open(Parameters{});
  EXPECT_TRUE(engine);
  for (unsigned number = 0; number < kPagesOfSite; ++number) {
    const std::string body = std::string("<html><body><ul><li>Home<li>News<li>Sport</ul>") + make(number);
    const std::string url = "https://site.example/" + std::to_string(number);
    PageInput page;
    page.url = url;
    page.body = {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
    page.content_type = "text/html; charset=utf-8";
    page.fetched_at_ms = 1000;
    EXPECT_TRUE((*engine)->check(page));
  }
  return (*engine)->counters().without_own_text;
}

TEST(OwnTextCounterTest, ACalendarWithoutEnd) {
  const auto calendar = [](unsigned number) {
    std::string page =
        "<h1>Calendar " + std::to_string(2000 + number / 12) + "-" + std::to_string(number % 12 + 1);
    page += "</h1><table>";
    for (unsigned day = 1; day <= 28 + number % 4; ++day)
      page += "<td>" + std::to_string(day);
    return page + "</table><p>No events in this month";
  };
  EXPECT_GE(without_own_text(calendar), kPagesOfSite - 8);
}

TEST(OwnTextCounterTest, AnErrorThatIsSentAsAPage) {
  EXPECT_GE(
      without_own_text([](unsigned) { return "<h1>Not found</h1><p>There is no such page on this server"; }),
      kPagesOfSite - 8);
}

TEST(OwnTextCounterTest, ArticlesHaveTextOfTheirOwn) {
  const auto article = [](unsigned number) {
    std::string page = "<p>";
    for (unsigned word = 0; word < 20; ++word)
      page += static_cast<char>('a' + (number * 7 + word * word) % 26) + std::string("w") +
              static_cast<char>('a' + number % 26) + " ";
    return page;
  };
  EXPECT_EQ(without_own_text(article), 0U);
}

}  // namespace
}  // namespace nd::engine
