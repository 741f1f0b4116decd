// Prints the first places of damage in each input and counts the rest, so that a broken archive does not
// flood the terminal.
#include "damage_messages.hpp"

#include "archives/byte_source.hpp"
#include "archives/input_stream.hpp"
#include "terminal_text.hpp"

namespace ndc {

void DamageMessages::add(const ArchiveItem& item) {
  if (path_ != *item.path) {
    finish();
    path_ = *item.path;
  }
  if (++count_ > kMostDamageMessages) return;
  print_message(shown_name(path_) + ": " + to_text(item.damage.position) + ": " + item.damage.reason +
                "; skipped");
}

void DamageMessages::finish() {
  if (count_ > kMostDamageMessages)
    print_message(shown_name(path_) + ": " + counted(count_ - kMostDamageMessages, "more place") +
                  " like these; skipped");
  path_.clear();
  count_ = 0;
}

}  // namespace ndc
