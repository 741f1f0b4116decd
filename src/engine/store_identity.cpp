#include "engine/store_identity.hpp"

#include <unistd.h>

#include <utility>

#include "engine/feature_builder.hpp"
#include "engine/method_source.hpp"
#include "engine/option_table.hpp"
#include "store/file_preamble.hpp"

namespace nd::engine {
namespace {

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
  for (const Option& option : option_table()) {
    const OptionInfo& info = option.info;
    if (!info.persistent) continue;
    Result<String> value = options.get(info.key);
    if (!value) return std::move(value).failure();
    identity.options.push_back(String(info.key).append("=").append(*value));
  }
  return identity;
}

Result<void> adopt_options(const store::Identity& identity, Options& options) {
  auto line = identity.options.begin();
  for (const Option& option : option_table()) {
    if (!option.info.persistent) continue;
    const std::string_view key = option.info.key;
    const std::string_view text = line == identity.options.end() ? std::string_view() : *line++;
    if (!text.starts_with(key) || text.substr(key.size()).substr(0, 1) != "=")
      return store::of_another_version();
    const std::string_view value = text.substr(key.size() + 1);
    const Result<String> own = options.get(key);
    if (!own) return own.failure();
    if (options.is_set(key) && *own != value) return differs(key, *own, value);
    if (Result<void> set = options.set(key, value); !set)
      return error(Status::kCorrupt, "the store has an impossible option: ", text);
  }
  return line == identity.options.end() ? Result<void>() : Result<void>(store::of_another_version());
}

}  // namespace nd::engine
