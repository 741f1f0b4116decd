#include "store_options.hpp"

#include <ndcapi.h>
#include <algorithm>

#include "command_options.hpp"
#include "handles.hpp"

namespace ndc {
namespace {

// "KEY=DEFAULT" of each persistent option.
std::vector<std::string> persistent_defaults() {
  std::vector<std::string> defaults;
  nd_option_info info = ND_OPTION_INFO_INIT;
  for (size_t index = 0; nd_options_describe(index, &info) == ND_OK; ++index) {
    if (info.persistent != 0) defaults.push_back(std::string(info.key) + "=" + info.default_value);
  }
  return defaults;
}

// Why the store cannot be opened with these settings; empty: it can.
std::string refusal(const std::string& store, std::vector<std::string> settings,
                    const std::vector<std::string>& asked) {
  settings.insert(settings.end(), asked.begin(), asked.end());
  const OptionsHandle options = make_library_options(settings);
  if (!options) return "the default of an option is refused";
  nd_engine* engine = nullptr;
  const nd_status status = nd_open(store.c_str(), options.get(), &engine);
  const EngineHandle closing(engine);
  return status == ND_OK ? "" : library_failure(status);
}

}  // namespace

bool is_persistent_option(std::string_view key) {
  const std::vector<std::string> defaults = persistent_defaults();
  return std::any_of(defaults.begin(), defaults.end(),
                     [key](const std::string& setting) { return option_key(setting) == key; });
}

std::string_view option_key(std::string_view setting) {
  return setting.substr(0, setting.find('='));
}

std::vector<std::string> options_that_differ(const std::string& store, const std::vector<std::string>& named,
                                             const std::vector<std::string_view>& anew,
                                             const std::vector<std::string>& reading) {
  std::vector<std::string> asked = persistent_defaults();
  std::erase_if(asked, [&](const std::string& setting) {
    const std::string_view key = option_key(setting);
    return std::find(anew.begin(), anew.end(), key) != anew.end() ||
           std::any_of(named.begin(), named.end(),
                       [key](const std::string& each) { return option_key(each) == key; });
  });
  std::vector<std::string> differing;
  if (refusal(store, reading, asked).empty()) return differing;
  for (const std::string& each : asked) {
    const std::string reason = refusal(store, reading, {each});
    if (!reason.empty()) differing.push_back(reason);
  }
  return differing;
}

}  // namespace ndc
