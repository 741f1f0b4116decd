// Text that is safe on a terminal: pages may hold escape sequences, which must not reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ndc {

// Archives hold what strangers wrote: control characters, which could steer a terminal, become \xNN, and
// those that turn the direction of writing, with which it would show other words, \uNNNN.
std::string printable(std::string_view text);

// "1,234,567", independent of the locale.
std::string with_separators(uint64_t number);

// "1 page", "2,000 pages".
std::string counted(uint64_t number, std::string_view noun);

// With this many digits behind the point, independent of the locale.
std::string fixed(double number, int digits);

// Decimals of a resemblance or containment, wherever one is written.
inline constexpr int kScoreDigits = 4;

// Padded with spaces, counted in bytes.
std::string padded_right(std::string_view text, size_t width);
std::string padded_left(std::string_view text, size_t width);

// Why rows could not be written to a pipe whose reader has seen enough, as `head` does.
inline constexpr std::string_view kReaderHasLeft = "cannot write standard output: Broken pipe";

// "ndc: TEXT" and a line end to standard error, printable. Nothing of kReaderHasLeft: who has left expects no
// message, and the exit code tells scripts.
void print_message(std::string_view text);

bool is_terminal(int descriptor);

}  // namespace ndc
