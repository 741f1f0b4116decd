#include "engine/store_identity.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/feature_builder.hpp"
#include "engine/method_source.hpp"
#include "engine/option_table.hpp"

namespace nd::engine {
namespace {

bool is_persistent(std::string_view key) noexcept {
  return std::ranges::any_of(option_infos(),
                             [key](const OptionInfo& info) { return info.persistent && key == info.key; });
}

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
  if (Result<void> possible = check_method_parameters(options.parameters()); !possible)
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
    if (option.unrecorded != nullptr && *value == option.unrecorded) continue;
    identity.options.push_back(String(info.key).append("=").append(*value));
  }
  return identity;
}

Result<void> adopt_options(const store::Identity& identity, Options& options) {
  for (const String& line : identity.options) {
    const std::string_view text = line;
    const std::string_view key = text.substr(0, text.find('='));
    const std::string_view value = key.size() < text.size() ? text.substr(key.size() + 1) : "";
    Result<String> own = options.get(key);
    if (!own || !is_persistent(key))
      return error(Status::kUnsupportedVersion, "the store has an option that this version lacks: ", key);
    if (options.is_set(key) && *own != value) return differs(key, *own, value);
    if (Result<void> set = options.set(key, value); !set)
      return error(Status::kCorrupt, "the store has an impossible option: ", text);
  }
  // An option that the store does not name works as before the option existed.
  for (const Option& option : option_table()) {
    const std::string_view key = option.info.key;
    const bool is_named = std::ranges::any_of(
        identity.options, [key](std::string_view line) { return line.substr(0, line.find('=')) == key; });
    if (option.unrecorded == nullptr || !option.info.persistent || is_named) continue;
    const Result<String> own = options.get(key);
    if (!own) return own.failure();
    if (options.is_set(key) && *own != option.unrecorded) return differs(key, *own, option.unrecorded);
    if (Result<void> set = options.set(key, option.unrecorded); !set) return set;
  }
  return {};
}

}  // namespace nd::engine
