#include "spotsigs/antecedent_tables.hpp"

#include <array>

namespace nd::spotsigs {
namespace {

// The slides' choice for English: articles, "that", the forms of be and have. Where a language has no
// articles, its most frequent particles, conjunctions and prepositions stand in for them, so that signatures
// are as frequent. Left out are words that mean something frequent elsewhere (Italian "i", Portuguese "as",
// German "war"): all lists hold for all pages.
constexpr std::array kLists = {
    text::StopWordList{"en", "the that a an be am is are was were been being have has had having"},
    text::StopWordList{"ru",
                       "и в на с что как это этот эта эти этого этой тот быть был была было были будет "
                       "будут есть который которая которые которых"},
    text::StopWordList{"es",
                       "el la los las lo un una unos unas que es son era eran fue fueron ser sido "
                       "está están ha han había haber hay tiene tienen"},
    text::StopWordList{"de",
                       "der die das den dem des ein eine einen einem einer eines dass ist sind waren "
                       "sein habe haben hat hatte hatten"},
    text::StopWordList{"fr",
                       "le la les l un une des que qu est sont était étaient être été a ont avait "
                       "avoir"},
    text::StopWordList{"ja", "の は が を に で と も です ます だ いる ある した する"},
    text::StopWordList{"pt",
                       "o a os um uma uns umas que é são era eram foi foram ser sido está estão tem "
                       "têm tinha ter há"},
    text::StopWordList{"tr", "bir bu ve ile için de da ki olan olarak olduğu var"},
    text::StopWordList{"it",
                       "il lo la gli le l un uno una che è sono era erano essere stato ha hanno aveva "
                       "avere"},
    text::StopWordList{"fa", "که در به با را و این آن است بود شد شده"},
    text::StopWordList{"zh", "的 是 在 了 和 有 与 與 为 為 这 這 也 就 都 对 對 将 將 被 一个 一個"},
};

}  // namespace

std::span<const text::StopWordList> antecedent_lists() noexcept {
  return kLists;
}

}  // namespace nd::spotsigs
