// Draws the secret of a new store, and compares the options of an opened one with those it was made with.
#include "engine/store_identity.hpp"

#include <unistd.h>

#include <utility>

#include "collection/method_source.hpp"
#include "options/option_table.hpp"
#include "page/feature_builder.hpp"
#include "store/file_preamble.hpp"

namespace nd::engine {
namespace {

constexpr std::string_view kProfileKey = "profile=";

Error differs(std::string_view key, std::string_view own, std::string_view of_store) {
  return error(Status::kInvalidArgument, "option ", key, " is ", own, ", but the store was made with ",
               of_store, "; leave it unset, or use another store");
}

}  // namespace

Result<uint64_t> random_secret() {
  uint64_t secret = 0;
  if (getentropy(&secret, sizeof secret) != 0)
    return error(Status::kIo, "the operating system gives no random bytes");
  return secret;
}

Result<store::Identity> new_identity(const Options& options) {
  if (Result<void> possible = check_parameters(options.parameters()); !possible)
    return std::move(possible).failure();
  Result<uint64_t> secret = random_secret();
  if (!secret) return std::move(secret).failure();
  store::Identity identity;
  identity.secret = *secret;
  identity.pipeline = text_pipeline_id(options.parameters());
  identity.options.push_back(String(kProfileKey).append(kProfile));
  const Options defaults;
  for (const Option& option : option_table()) {
    const OptionInfo& info = option.info;
    if (!info.persistent) continue;
    Result<String> value = options.get(info.key);
    if (!value) return std::move(value).failure();
    if (*value == *defaults.get(info.key)) continue;
    identity.options.push_back(String(info.key).append("=").append(*value));
  }
  return identity;
}

Result<void> adopt_options(const store::Identity& identity, Options& options) {
  auto line = identity.options.begin();
  const auto end = identity.options.end();
  if (line == end || *line != String(kProfileKey).append(kProfile)) return store::of_another_version();
  ++line;
  const Options defaults;
  for (const Option& option : option_table()) {
    if (!option.info.persistent) continue;
    const std::string_view key = option.info.key;
    const Result<String> own = options.get(key);
    if (!own) return own.failure();
    String value = *defaults.get(key);
    if (line != end && line->starts_with(key) && line->substr(key.size()).starts_with('=')) {
      value = line->substr(key.size() + 1);
      ++line;
    }
    if (options.is_set(key) && *own != value) return differs(key, *own, value);
    if (*own == value) continue;
    if (!options.set(key, value)) return store::of_another_version();  // a value of a later one
  }
  return line == end ? Result<void>() : Result<void>(store::of_another_version());
}

}  // namespace nd::engine
