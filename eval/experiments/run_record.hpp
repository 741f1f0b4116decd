// What was run, for whoever looks at the tables later: DIR/run.json.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"

namespace nd::eval {

class RunRecord {
 public:
  RunRecord(const CollectionSettings& input, const Collection& collection);

  void add_seconds(std::string experiment, double seconds) {
    seconds_.emplace_back(std::move(experiment), seconds);
  }
  void add_table(std::string name) { tables_.push_back(std::move(name)); }

  // {"version", "name" (of the folder that the labels, or else the pages, lie in), "labels", "silver",
  // "pages", "scored_pages", "label_groups", "sites", "body_bytes", "date" (UTC), "machine": {"cores",
  // "model"}, "seconds": {experiment: of the clock}, "tables": [names]}. Errors: kIo.
  Result<void> write(const std::string& folder) const;

 private:
  std::string name_, labels_;
  bool silver_;
  uint64_t pages_, scored_pages_, label_groups_ = 0, sites_ = 0, body_bytes_ = 0;
  std::vector<std::pair<std::string, double>> seconds_;
  std::vector<std::string> tables_;
};

}  // namespace nd::eval
