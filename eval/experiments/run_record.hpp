// What was run, for whoever looks at the tables later, or continues the run: DIR/run.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collection.hpp"
#include "core/result.hpp"
#include "experiment.hpp"

namespace nd::eval {

class RunRecord {
 public:
  // `wanted`: the experiments, by name, in their order.
  RunRecord(const CollectionSettings& input, const Settings& settings, std::vector<std::string> wanted,
            const Collection& collection);

  // Takes over what the record in the folder says is finished, as far as its tables are there; without a
  // record nothing. Errors: kIo; kInvalidArgument: no record of `ndc eval`, or of other pages, settings or
  // another build.
  Result<void> resume(const std::string& folder);
  bool is_finished(std::string_view experiment) const;

  void add_finished(std::string experiment, double seconds, std::vector<std::string> tables) {
    finished_.push_back({std::move(experiment), seconds, std::move(tables)});
  }

  // Whole or not at all: {"version", "commit" (of the build, with "-changed" if files were; "" unknown),
  // "compiler", "name" (of the folder that the labels, or else the pages, lie in), "settings": {"labels",
  // "archives", "pages_limit", "detectors", "pairs", "orders", "seed"}, "labels", "silver", "pages",
  // "scored_pages", "label_groups", "sites", "body_bytes", "date" (UTC), "machine": {"cores", "model"},
  // "wanted": [experiments], "complete", "seconds": {experiment: of the clock}, "tables_of": {experiment:
  // [names]}, "tables": [names]}. Errors: kIo.
  Result<void> write(const std::string& folder) const;

 private:
  struct Finished {
    std::string experiment;
    double seconds;
    std::vector<std::string> tables;
  };

  CollectionSettings input_;
  Settings settings_;
  std::vector<std::string> wanted_;
  std::string name_;
  bool silver_;
  uint64_t pages_, scored_pages_, label_groups_ = 0, sites_ = 0, body_bytes_ = 0;
  std::vector<Finished> finished_;
};

}  // namespace nd::eval
