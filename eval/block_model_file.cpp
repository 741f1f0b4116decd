// Reads models as text and refuses numbers outside the range of a model's tables, since a file may be cut.
#include "block_model_file.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

using nd::text::BlockTree;

namespace {

// The next number, if it is in the range of Number.
template <typename Number>
bool take(std::istream& in, Number& number) {
  long value = 0;
  if (!(in >> value) || value < std::numeric_limits<Number>::min() ||
      value > std::numeric_limits<Number>::max())
    return false;
  number = static_cast<Number>(value);
  return true;
}

template <typename Numbers>
bool take_all(std::istream& in, Numbers& numbers) {
  return std::ranges::all_of(numbers, [&in](auto& number) { return take(in, number); });
}

bool take_tree(std::istream& in, BlockTree& tree) {
  return take_all(in, tree.features) && take_all(in, tree.thresholds) && take_all(in, tree.leaves) &&
         std::ranges::all_of(tree.features,
                             [](uint8_t feature) { return feature < nd::text::kBlockFeatures; });
}

}  // namespace

bool BlockModelFolds::read_model(const std::string& path, Fold& fold) {
  std::ifstream file(path);
  std::string line;
  bool is_whole = false;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string what;
    in >> what;
    bool is_good = true;
    if (what == "bias") {
      is_good = take(in, fold.model.bias);
    } else if (what == "weights") {
      is_good = is_whole = take_all(in, fold.model.weights);
    } else {
      is_good = what == "tree" && take_tree(in, fold.trees.emplace_back());
    }
    if (is_good) continue;
    is_whole = false;
    break;
  }
  if (!is_whole) error_ = path + ": no model";
  return is_whole;
}

bool BlockModelFolds::read(const std::string& folder) {
  std::ifstream file(folder + "/folds.tsv");
  std::string site;
  size_t fold = 0;
  size_t count = 0;
  std::string line;
  while (std::getline(file, line)) {
    const size_t tab = line.find('\t');
    if (tab == line.npos || !(std::istringstream(line.substr(tab)) >> fold)) break;
    fold_of_site_[line.substr(0, tab)] = fold;
    count = std::max(count, fold + 1);
  }
  constexpr size_t kMostFolds = 1000;
  if (fold_of_site_.empty() || count > kMostFolds || !file.eof()) {
    error_ = folder + "/folds.tsv: no sites and folds";
    return false;
  }
  folds_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (!read_model(folder + "/" + std::to_string(i) + ".model", folds_[i])) return false;
    folds_[i].model.trees = folds_[i].trees;
  }
  current_ = folds_[0].model;
  return true;
}

void BlockModelFolds::select(const std::string& site) {
  const auto found = fold_of_site_.find(site);
  current_ = folds_[found == fold_of_site_.end() ? 0 : found->second].model;
}
