// Runs libbz2, liblzma and liblz4 over what members they are given. Each of them unpacks a block before it
// gives its first byte, or may: what is left of one is given without more input.
#include "archives/file_inflaters.hpp"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

namespace ndc {
namespace {

// As of zstd's windows; xz -9 takes 65 MiB.
constexpr uint64_t kMostXzBytes = uint64_t{128} << 20;

class FileInflater : public MemberInflater {
 public:
  bool holds_output() const noexcept final { return holds_output_; }
  std::string_view reason() const noexcept final { return reason_; }

 protected:
  Progress progress(Outcome outcome, size_t taken, size_t given, size_t room) noexcept {
    holds_output_ = outcome == Outcome::kGoesOn && given == room;
    return {outcome, taken, given};
  }
  Progress damaged(std::string_view reason, size_t taken, size_t given, size_t room) noexcept {
    reason_ = reason;
    return progress(Outcome::kDamaged, taken, given, room);
  }

 private:
  bool holds_output_ = false;
  std::string_view reason_;
};

class Bzip2Inflater final : public FileInflater {
 public:
  ~Bzip2Inflater() override { BZ2_bzDecompressEnd(&stream_); }

  void start() noexcept override {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
  }

  Progress run(std::string_view input, char* out, size_t room) noexcept override {
    // libbz2 does not write to its input, but has no const for it.
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(room);
    const int result = BZ2_bzDecompress(&stream_);
    const size_t taken = input.size() - stream_.avail_in;
    const size_t given = room - stream_.avail_out;
    if (result == BZ_OK) return progress(Outcome::kGoesOn, taken, given, room);
    if (result == BZ_STREAM_END) return progress(Outcome::kEnded, taken, given, room);
    const bool is_data = result == BZ_DATA_ERROR || result == BZ_DATA_ERROR_MAGIC;
    return damaged(is_data ? "invalid block, or incorrect data check" : "out of memory", taken, given, room);
  }

 private:
  bz_stream stream_{};
};

class XzInflater final : public FileInflater {
 public:
  ~XzInflater() override { lzma_end(&stream_); }

  void start() noexcept override { started_ = lzma_stream_decoder(&stream_, kMostXzBytes, 0); }

  Progress run(std::string_view input, char* out, size_t room) noexcept override {
    stream_.next_in = reinterpret_cast<const uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(out);
    stream_.avail_out = room;
    const lzma_ret result = started_ == LZMA_OK ? lzma_code(&stream_, LZMA_RUN) : started_;
    const size_t taken = input.size() - stream_.avail_in;
    const size_t given = room - stream_.avail_out;
    switch (result) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:  // nothing to take, and nothing to give
        return progress(Outcome::kGoesOn, taken, given, room);
      case LZMA_STREAM_END:
        return progress(Outcome::kEnded, taken, given, room);
      case LZMA_MEM_ERROR:
        return damaged("out of memory", taken, given, room);
      case LZMA_MEMLIMIT_ERROR:
        return damaged("a dictionary of more than 128 MiB", taken, given, room);
      case LZMA_OPTIONS_ERROR:
        return damaged("unknown options", taken, given, room);
      default:
        return damaged("invalid data, or incorrect data check", taken, given, room);
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret started_ = LZMA_OK;
};

class Lz4Inflater final : public FileInflater {
 public:
  Lz4Inflater() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  }
  ~Lz4Inflater() override { LZ4F_freeDecompressionContext(context_); }

  void start() noexcept override {
    LZ4F_resetDecompressionContext(context_);
    wanted_ = LZ4F_HEADER_SIZE_MIN;
  }

  // A block at a time, since what comes with a fault is lost.
  Progress run(std::string_view input, char* out, size_t room) noexcept override {
    Progress sum = progress(Outcome::kGoesOn, 0, 0, room);
    size_t taken = 0;
    size_t given = 0;
    do {
      taken = std::min(input.size() - sum.taken, wanted_);
      given = room - sum.given;
      const size_t result =
          LZ4F_decompress(context_, out + sum.given, &given, input.data() + sum.taken, &taken, nullptr);
      if (LZ4F_isError(result) != 0) return damaged(LZ4F_getErrorName(result), sum.taken, sum.given, room);
      sum.taken += taken;
      sum.given += given;
      wanted_ = result;
    } while (wanted_ > 0 && sum.taken < input.size() && sum.given < room && taken + given > 0);
    return progress(wanted_ == 0 ? Outcome::kEnded : Outcome::kGoesOn, sum.taken, sum.given, room);
  }

 private:
  LZ4F_dctx* context_ = nullptr;
  size_t wanted_ = 0;
};

}  // namespace

std::unique_ptr<MemberInflater> new_bzip2_inflater() {
  return std::make_unique<Bzip2Inflater>();
}

std::unique_ptr<MemberInflater> new_xz_inflater() {
  return std::make_unique<XzInflater>();
}

std::unique_ptr<MemberInflater> new_lz4_inflater() {
  return std::make_unique<Lz4Inflater>();
}

}  // namespace ndc
