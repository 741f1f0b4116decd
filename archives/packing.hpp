// What files may be packed by, and how the members of each begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "archives/member_inflater.hpp"

namespace ndc {

enum class Packing { kNone, kGzip, kZstd, kBzip2, kXz, kLz4 };

inline constexpr Packing kPackings[] = {Packing::kGzip, Packing::kZstd, Packing::kBzip2, Packing::kXz,
                                        Packing::kLz4};

// With which each member begins; empty for kNone.
std::string_view magic_of(Packing packing);

// "gzip member", "zstd frame" and the like.
std::string_view member_name_of(Packing packing);

// By the first bytes of a file.
Packing packing_of(std::string_view start);

// `dictionary`: of zstd frames. Throws std::bad_alloc.
std::unique_ptr<MemberInflater> new_inflater(Packing packing, std::string_view dictionary);

// Frames of zstd and lz4 that hold no data of the file.
bool has_extension_frames(Packing packing);
bool is_extension_frame(std::string_view bytes);
inline constexpr size_t kExtensionHeaderBytes = 8;
// The size of the data of an extension frame, by its header.
uint32_t extension_size(std::string_view header);

}  // namespace ndc
