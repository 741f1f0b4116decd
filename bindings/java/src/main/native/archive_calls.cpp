// Archives whose bytes Java reads.
#include "archives/ndc_archives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string_view>

#include "arrays.hpp"
#include "crossing.hpp"

using namespace ndc::jni;

namespace {

// What a handle in Java's Archive points to. Java sees to it that none is used after freeArchive(), and by
// one thread at a time. What belongs to a call of Java's is set for as long as that call lasts.
struct ArchiveHandle {
  nd_archive* archive = nullptr;
  JNIEnv* env = nullptr;
  jobject source = nullptr;
  jbyteArray piece = nullptr;
  jmethodID read = nullptr;

  ArchiveHandle() = default;
  ArchiveHandle(const ArchiveHandle&) = delete;
  ArchiveHandle& operator=(const ArchiveHandle&) = delete;
  ~ArchiveHandle() { nd_archive_close(archive); }

  // False with an exception pending.
  bool enter(JNIEnv* its_env, jobject its_source, jbyteArray its_piece) {
    env = its_env;
    source = its_source;
    piece = its_piece;
    const jclass type = env->GetObjectClass(source);
    read = env->GetMethodID(type, "read", "(JI)I");
    env->DeleteLocalRef(type);
    return read != nullptr;
  }
};

ArchiveHandle* archive_of(jlong handle) noexcept {
  return reinterpret_cast<ArchiveHandle*>(static_cast<intptr_t>(handle));
}

// Java's read() throws nothing but what the JVM itself does; then nothing more is asked of it in this call.
int64_t read_piece(uint64_t offset, void* out, size_t size, void* ctx) {
  auto* const handle = static_cast<ArchiveHandle*>(ctx);
  JNIEnv* const env = handle->env;
  const auto room = static_cast<size_t>(env->GetArrayLength(handle->piece));
  const jint count = env->CallIntMethod(handle->source, handle->read, static_cast<jlong>(offset),
                                        static_cast<jint>(std::min(size, room)));
  if (env->ExceptionCheck() || count < 0) return -1;
  env->GetByteArrayRegion(handle->piece, 0, count, static_cast<jbyte*>(out));
  return env->ExceptionCheck() ? -1 : count;
}

bool archive_succeeded(JNIEnv* env, nd_status status) {
  if (env->ExceptionCheck()) return false;
  if (status != ND_OK) throw_status(env, status, nd_archive_last_error());
  return status == ND_OK;
}

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_io_ndc_NativeCalls_openArchive(JNIEnv* env, jclass, jobject source,
                                                            jbyteArray piece, jbyteArray name, jlong begin,
                                                            jlong end, jlong page_bytes,
                                                            jboolean all_statuses) {
  return cross(env, jlong{0}, [&]() -> jlong {
    const Bytes its_name(env, name);
    auto handle = std::make_unique<ArchiveHandle>();
    if (!its_name.valid() || !handle->enter(env, source, piece)) return 0;
    nd_archive_input input = ND_ARCHIVE_INPUT_INIT;
    input.flags = all_statuses != JNI_FALSE ? ND_ARCHIVE_ALL_STATUSES : 0;
    input.name = its_name.data();
    input.begin = static_cast<uint64_t>(begin);
    input.end =
        end == std::numeric_limits<jlong>::max() ? ND_ARCHIVE_SIZE_UNKNOWN : static_cast<uint64_t>(end);
    input.read = read_piece;
    input.ctx = handle.get();
    input.max_page_bytes = static_cast<uint64_t>(page_bytes);
    if (!archive_succeeded(env, nd_archive_open(&input, &handle->archive))) return 0;
    return static_cast<jlong>(reinterpret_cast<intptr_t>(handle.release()));
  });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_freeArchive(JNIEnv*, jclass, jlong handle) {
  delete archive_of(handle);
}

JNIEXPORT jint JNICALL Java_io_ndc_NativeCalls_archiveFileCount(JNIEnv*, jclass, jlong handle) {
  return static_cast<jint>(nd_archive_file_count(archive_of(handle)->archive));
}

JNIEXPORT jbyteArray JNICALL Java_io_ndc_NativeCalls_archiveFileName(JNIEnv* env, jclass, jlong handle,
                                                                     jint file) {
  return cross(env, jbyteArray{}, [&] {
    const std::string_view name =
        nd_archive_file_name(archive_of(handle)->archive, static_cast<size_t>(file));
    return byte_array(env, name.data(), name.size());
  });
}

JNIEXPORT void JNICALL Java_io_ndc_NativeCalls_selectArchiveFile(JNIEnv* env, jclass, jlong handle,
                                                                 jint file) {
  cross(env, [&] {
    archive_succeeded(env, nd_archive_select(archive_of(handle)->archive, static_cast<size_t>(file)));
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_ndc_NativeCalls_nextArchiveItem(JNIEnv* env, jclass, jlong handle,
                                                                       jobject source, jbyteArray piece,
                                                                       jlongArray item_out) {
  return cross(env, jobjectArray{}, [&]() -> jobjectArray {
    ArchiveHandle* const archive = archive_of(handle);
    if (!archive->enter(env, source, piece)) return nullptr;
    nd_archive_item item = ND_ARCHIVE_ITEM_INIT;
    if (!archive_succeeded(env, nd_archive_next(archive->archive, &item))) return nullptr;
    const jlong numbers[] = {item.kind,
                             static_cast<jlong>(item.flags),
                             static_cast<jlong>(item.file_offset),
                             static_cast<jlong>(item.member_offset),
                             item.fetched_at_ms,
                             static_cast<jlong>(item.left_out)};
    env->SetLongArrayRegion(item_out, 0, std::size(numbers), numbers);
    if (env->ExceptionCheck() || item.kind == ND_ARCHIVE_END) return nullptr;
    const std::string_view texts[] = {item.file,
                                      {item.url, item.url_size},
                                      {item.content_type, item.content_type_size},
                                      {item.body, item.body_size},
                                      {item.reason, item.reason_size}};
    return byte_arrays(env, texts);
  });
}

}  // extern "C"
