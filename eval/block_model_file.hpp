// The models that eval/train-block-weights writes for cross-validation: each page is weighed by one that was
// not trained on its site.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/block_model.hpp"

// Threads: one object, one thread at a time.
class BlockModelFolds {
 public:
  // A folder with folds.tsv and a file FOLD.model for each fold in it. False: it cannot be used; error() says
  // why.
  bool read(const std::string& folder);
  const std::string& error() const noexcept { return error_; }

  // That pages are weighed by from the next call of select() on; one object for the lifetime of this.
  const nd::text::BlockModel* current() const noexcept { return &current_; }
  // The model of a site's fold. A site that no model has seen may have any: it gets the first.
  void select(const std::string& site);

 private:
  struct Fold {
    std::vector<nd::text::BlockTree> trees;
    nd::text::BlockModel model;
  };
  bool read_model(const std::string& path, Fold& fold);

  std::unordered_map<std::string, size_t> fold_of_site_;
  std::vector<Fold> folds_;
  nd::text::BlockModel current_;
  std::string error_;
};
