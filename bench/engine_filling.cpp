// Makes the records of the pages once where they fit into memory, so that filling several engines takes the
// time of their checks alone.
#include "engine_filling.hpp"

#include <cstdio>
#include <cstdlib>
#include <span>

#include "generated_features.hpp"

namespace ndc::bench {
namespace {

void expect_ok(nd_status status, const char* what) {
  if (status == ND_OK) return;
  std::fprintf(stderr, "%s: %s\n", what, nd_last_error());
  std::exit(1);
}

void check_record(nd_engine* engine, std::span<const uint8_t> record) {
  nd_result result = ND_RESULT_INIT;
  expect_ok(nd_check_features(engine, record.data(), record.size(), &result), "nd_check_features");
}

}  // namespace

EngineHandle open_engine(const std::string& path) {
  nd_engine* engine = nullptr;
  expect_ok(nd_open(path.empty() ? nullptr : path.c_str(), nullptr, &engine), "nd_open");
  return EngineHandle(engine);
}

template <typename Take>
void EngineFiller::make(Take&& take) const {
  PageGenerator generator(pages_);
  FeatureMaker make_features{nd::engine::Parameters{}};
  for (uint64_t number = 1; number <= pages_; ++number)
    take(make_features(generator.page(number), number).bytes());
}

EngineFiller::EngineFiller(uint64_t pages) : pages_(pages) {
  if (pages_ > kMostKept) return;
  kept_.reserve(pages_);
  make([this](std::span<const uint8_t> record) { kept_.emplace_back(record.begin(), record.end()); });
}

void EngineFiller::fill(nd_engine* engine) const {
  if (pages_ > kMostKept) {
    make([engine](std::span<const uint8_t> record) { check_record(engine, record); });
    return;
  }
  for (const std::vector<uint8_t>& record : kept_)
    check_record(engine, record);
}

}  // namespace ndc::bench
