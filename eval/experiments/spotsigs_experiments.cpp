// Runs the two parts of the SpotSigs experiments, thresholds and work, one after the other.
#include "spotsigs_experiments.hpp"

#include <utility>

#include "experiment.hpp"

namespace nd::eval {

Result<std::vector<Table>> repeat_spotsigs(Collection& collection, const Settings& settings) {
  Result<Table> thresholds = spotsigs_thresholds(collection);
  if (!thresholds) return std::move(thresholds).failure();
  Result<std::vector<Table>> work = spotsigs_work(collection, settings.seed);
  if (!work) return work;
  std::vector<Table> tables;
  tables.push_back(*std::move(thresholds));
  for (Table& table : *work)
    tables.push_back(std::move(table));
  return tables;
}

}  // namespace nd::eval
