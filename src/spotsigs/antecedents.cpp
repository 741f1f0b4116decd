#include "spotsigs/antecedents.hpp"

#include "core/hash.hpp"
#include "core/small_hash_set.hpp"
#include "spotsigs/antecedent_tables.hpp"
#include "text/stop_words.hpp"

namespace nd::spotsigs {
namespace {

struct Antecedents : SmallHashSet<1024> {
  Antecedents() noexcept {
    for (const text::StopWordList& list : antecedent_lists()) {
      text::for_each_word(
          list.words, [this](std::string_view word) { insert(static_cast<uint32_t>(stable_hash(word))); });
    }
  }
};

}  // namespace

WordKind word_kind(uint32_t hash) noexcept {
  static const Antecedents antecedents;
  if (antecedents.contains(hash)) return WordKind::kAntecedent;
  return text::is_stop_word(hash) || text::is_chinese_stop_word(hash) ? WordKind::kStopWord
                                                                      : WordKind::kContent;
}

}  // namespace nd::spotsigs
