// Inflaters of bzip2 streams, xz streams and lz4 frames, by which whole files are packed rather than records.
// Memory: 4 MB for bzip2, the dictionary for xz, 128 MiB at most, and 9 MB for lz4.
#pragma once

#include <memory>

#include "archives/member_inflater.hpp"

namespace ndc {

// They throw std::bad_alloc.
std::unique_ptr<MemberInflater> new_bzip2_inflater();
std::unique_ptr<MemberInflater> new_xz_inflater();
std::unique_ptr<MemberInflater> new_lz4_inflater();

}  // namespace ndc
