// The scenarios of the sweeps. Each scenario is short, because it is run once for every place where it can
// fail.
#include <filesystem>
#include <initializer_list>

#include "faults/calls.hpp"
#include "faults/foreign_pages.hpp"
#include "unit/page_sample.hpp"

namespace faults {
namespace {

using namespace calls;
using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

using Steps = std::vector<Step>;

Steps joined(std::initializer_list<Steps> parts) {
  Steps all;
  for (const Steps& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string near_html(uint64_t seed, uint64_t other) {
  return html(rewritten(article(seed), 1, other));
}

Scenario options_and_views() {
  const Steps before = {set_allocator(),
                        read_names(),
                        new_options(),
                        set_option("keep_text", "true"),
                        set_option("resemblanse", "0.5"),
                        set_option("resemblance", "2"),
                        get_option("resemblance"),
                        get_option("unknown"),
                        describe_option(3),
                        describe_option(1000),
                        open(),
                        free_options()};
  const Steps calls = {set_logger(),
                       check(url(1), article_html(1, 3)),
                       check(url(2), html(rewritten(article(1, 3), 1, 7))),
                       query(url(3), article_html(1, 3)),
                       find_page(url(1)),
                       find_page(url(9)),
                       get_page(2),
                       get_page(9),
                       each_page(1),
                       each_page(9),
                       kept_page(1, ND_KEEP_LONGEST),
                       kept_page(1, ND_KEEP_CANONICAL),
                       kept_page(9, ND_KEEP_FIRST),
                       each_group(),
                       explain(1, 2),
                       explain(1, 9),
                       compare_pages(1, 2),
                       compare_pages(1, 9),
                       similar_pages(1),
                       similar_pages(9),
                       get_stats(),
                       metrics(),
                       set_bookmark("place", "1"),  // of a store only, like the following
                       snapshot(),
                       remove(url(9)),
                       remove(url(1)),
                       each_event(),
                       close()};
  return {"options and views", joined({before, calls})};
}

Scenario pages() {
  return {"pages",
          joined({opened({}, false),
                  {check(url(1), article_html(1)), check(url(2), near_html(1, 7)),
                   check(url(3), article_html(3)), check("", article_html(3)), query(url(9), article_html(3)),
                   check(url(3), article_html(3)),  // unchanged
                   check(url(3), article_html(5)),  // changed: it leaves its group
                   check(url(1), near_html(1, 9)),  // a founder that stays in its group
                   check(url(4), "\x89PNG\r\n\x1a\n", "image/png"),
                   check(url(5), "Plain text of some length, which is short all the same.", "text/plain"),
                   remove(url(2)), settle(), check(url(1), html(rewritten(article(1), 2, 11))),
                   remove_matching("https://www.site3", true), check(url(6), article_html(3)), get_stats(),
                   close()}})};
}

// The founder goes with its text while members remain.
Scenario elections() {
  return {"elections",
          joined({opened({}, false),
                  {check(url(1), article_html(1)), check(url(2), near_html(1, 7)),
                   check(url(3), html(rewritten(article(1), 2, 8))), check(url(4), article_html(4)),
                   remove_matching(url(1), true), each_event(), remove_matching("https://www.site2", true),
                   query(url(8), article_html(1)), close()}})};
}

// All of them read by libxml2, which allocates for itself; broken markup makes it complain.
Scenario pages_by_libxml2() {
  return {"pages by libxml2", joined({opened({{"x_html_reader", "libxml2"}}, false),
                                      {check(url(1), article_html(1)),
                                       check(url(2), near_html(1, 7) + "<b>&unknown;</i><p a=1 a=2"),
                                       query(url(3), article_html(3)), close()}})};
}

Scenario languages() {
  return {"languages", joined({opened({}, false),
                               {check(url(1), page_in(chinese_text(1), "UTF-8")),
                                check(url(2), page_in(chinese_text(1), "GBK")),
                                check(url(3), page_in(chinese_text(1), "Big5")),
                                check(url(4), page_in(chinese_text(2), "GBK", false)),
                                check(url(5), page_in(japanese_text(1), "Shift_JIS")),
                                check(url(6), page_in(japanese_text(1), "EUC-JP", false)),
                                check(url(7), page_in(japanese_text(1), "UTF-8")), close()}})};
}

// The last resort: ICU's detector.
Scenario undeclared() {
  return {"undeclared charset",
          joined({opened({}, false),
                  {check(url(1), page_in(russian_text(1), "windows-1251")),
                   check(url(2), page_in(russian_text(1), "windows-1251", false)),
                   check(url(3), page_in(russian_text(2), "KOI8-R", false)), close()}})};
}

// One site, whose boilerplate is learned.
Scenario boilerplate() {
  const auto page = [](uint64_t number) {
    return html({sample::paragraph(77), sample::paragraph(1000 + number), sample::paragraph(2000 + number),
                 sample::paragraph(78)});
  };
  Steps steps = opened({}, false);
  for (uint64_t number = 1; number <= 5; ++number)
    steps.push_back(check("https://frame.example/" + std::to_string(number), page(number)));
  const Steps more = {check("https://frame.example/2", page(2)),
                      check("https://frame.example/3", page(9)),
                      query("https://frame.example/9", page(4)),
                      own_text("https://frame.example/9", page(4)),
                      check_with_text("https://frame.example/9", page(4)),
                      remove("https://frame.example/1"),
                      close()};
  return {.name = "frames", .steps = joined({steps, more}), .learns = true};
}

Scenario features_and_signatures() {
  return {"features and signatures",
          {extract(url(1), article_html(1)),
           features("a", url(1), article_html(1)),
           features("b", url(2), near_html(1, 7)),
           features("c", url(3), page_in(chinese_text(3), "GBK")),
           features_keys("a"),
           features_parts("a"),
           learn_site({"a", "b", "c", "a", "b"}, "site"),
           merge_site("site"),
           site_weights("a", "site"),
           features_with_site("a", "site", "a on its site"),
           features_decide("a on its site", "b"),
           features_representative("a", "site", "a kept"),
           features_info("a kept"),
           features_decide("a kept", "b"),
           features_decide("a", "c"),
           partition({"a", "b", "c"}),
           join_features({"a", "b", "c"}),
           signature("s", url(1), article_html(1)),
           signature("t", url(2), near_html(1, 7)),
           signature_keys("s"),
           signature_compare("s", "t"),
           read_pages({{url(3), page_in(chinese_text(3), "GBK")}, {url(1), article_html(1)}}),
           features_keys("absent"),
           open(),
           check_features("a"),
           query_features("b"),
           check_features("b"),
           check_features("reduced"),
           apply_outcome("c", ND_NEAR, 1),
           apply_outcome("c", ND_NEW, 0),
           close(),
           open(),
           read_page("read", url(1), article_html(1)),
           learn_features("read"),
           check_features("read"),
           close()}};
}

Scenario joins() {
  Steps steps;
  for (const char* method : {"spotsigs", "mwo", "simhash64", "simhash128"}) {
    steps =
        joined({steps,
                {new_options(), set_option("detector", method), features("a", url(1), article_html(1)),
                 features("b", url(2), near_html(1, 7)), join_features({"a", "b", "a"}), free_options()}});
  }
  return {"joins of descriptions", steps};
}

Scenario detectors(const char* name, std::initializer_list<const char*> methods) {
  Steps steps;
  for (const char* method : methods) {
    steps =
        joined({steps,
                {new_options(), set_option("detector", method),
                 features("a", url(4), page_in(chinese_text(2), "UTF-8")), choose_copy(ND_KEEP_CANONICAL),
                 choose_copy(ND_KEEP_LONGEST), describe_page(url(4), page_in(chinese_text(2), "UTF-8")),
                 set_option("decide", "method"), open(), free_options(), check(url(1), article_html(1, 3)),
                 check(url(2), html(rewritten(article(1, 3), 1, 7))), check_features("a"),
                 query(url(3), article_html(1, 3)), explain(1, 2), compare_pages(1, 2), similar_pages(1),
                 check(url(1), article_html(5, 3)), remove(url(2)), close()}});
  }
  return {.name = name, .steps = steps, .learns = true};
}

Steps store_steps(const Settings& settings, const Settings& reopened) {
  return joined(
      {opened(settings, true),
       {set_bookmark("place", "one"), check(url(1), article_html(1, 3)),
        check(url(2), html(rewritten(article(1, 3), 1, 7))), snapshot(),
        check(url(3), page_in(chinese_text(3), "GBK")), check(url(1), article_html(5, 3)), remove(url(2)),
        set_bookmark("place", "two"), get_bookmark("place"), open_again(), snapshot(),
        check(url(2), article_html(5, 3)), compact(), check(url(4), article_html(4, 3)), close()},
       opened(reopened, true),
       {query(url(7), article_html(4, 3)), check(url(4), article_html(4, 3)),
        check(url(5), article_html(6, 3)), get_stats(), get_bookmark("place"),
        remove_matching("https://www.site1", true), snapshot(), each_group(), close(), verify_store()}});
}

Scenario store(const char* name, const char* durability, const char* mapped, const char* verified) {
  const Settings settings = {{"durability", durability}, {"mmap", mapped}};
  const Settings reopened = {{"durability", durability}, {"mmap", mapped}, {"verify", verified}};
  return {.name = name, .steps = store_steps(settings, reopened), .durability = durability};
}

// A store whose process was killed: a generation, and a journal behind it.
void leave_journal(const std::string& path) {
  World world;
  const Steps steps =
      joined({opened({}, true),
              {check(url(1), article_html(1, 3)), check(url(2), html(rewritten(article(1, 3), 1, 7))),
               snapshot(), check(url(3), article_html(3, 3)), check(url(1), article_html(5, 3)),
               set_bookmark("place", "one"), remove(url(2))}});
  for (const Step& step : steps)
    step.run(world);
  std::filesystem::copy(world.path(), path, std::filesystem::copy_options::recursive);
}

Scenario replay() {
  return {.name = "replay",
          .steps = joined({opened({{"durability", "sync"}}, true),
                           {find_page(url(3)), find_page(url(2)), get_bookmark("place"),
                            query(url(9), article_html(5, 3)), check(url(4), article_html(3, 3)), close(),
                            verify_store(), repair_store(), merge_stores()}}),
          .prepare = leave_journal,
          .durability = "sync"};
}

Scenario reader() {
  return {.name = "reader beside a writer",
          .steps = joined({opened({}, true),
                           {open_reader(), find_by_reader(url(1)), check(url(7), article_html(7, 3)),
                            find_by_reader(url(7)), snapshot(), refresh(), find_by_reader(url(7)),
                            close_reader(), close()}}),
          .prepare = leave_journal,
          .durability = "journal"};
}

}  // namespace

std::vector<Scenario> store_scenarios() {
  return {store("store, journal", "journal", "true", "full"),
          store("store, sync", "sync", "true", "lazy"),
          store("store, snapshot", "snapshot", "true", "off"),
          store("store, read", "journal", "false", "lazy"),
          replay(),
          reader()};
}

std::vector<Scenario> memory_scenarios() {
  std::vector<Scenario> all = {
      options_and_views(),
      pages(),
      elections(),
      pages_by_libxml2(),
      languages(),
      undeclared(),
      boilerplate(),
      features_and_signatures(),
      joins(),
      detectors("detectors of spots and shingles",
                {"spotsigs", "i-match-s", "lsh-s", "shingles", "minhash", "i-match"}),
      detectors("detectors of fingerprints and terms",
                {"moz-vector", "simhash64", "simhash128", "mwo", "cosine", "exact"})};
  for (Scenario& scenario : store_scenarios())
    all.push_back(std::move(scenario));
  return all;
}

}  // namespace faults
