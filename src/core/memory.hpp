// The containers of the library. All of them draw from one pair of process-wide functions, so that
// nd_set_allocator() reaches every byte that ndc itself holds (never the globals of libxml2, ICU).
//
// Threads: set_memory_functions() before any other use; the rest from any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace nd {

struct MemoryFunctions {
  void* (*allocate)(size_t size, void* context);
  void* (*reallocate)(void* memory, size_t size, void* context);
  void (*release)(void* memory, void* context);
  void* context;
};

// Replaces malloc, realloc and free for everything allocated from here on.
void set_memory_functions(const MemoryFunctions& functions) noexcept;

// Throws std::bad_alloc. Aligned for any fundamental type.
[[nodiscard]] void* allocate_bytes(size_t size);
// Null on failure: for buffers that cross the C boundary. `memory` may be null.
[[nodiscard]] void* reallocate_bytes(void* memory, size_t size) noexcept;
// Null is allowed.
void release_bytes(void* memory) noexcept;

template <typename T>
struct Allocator {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  using value_type = T;
  Allocator() noexcept = default;
  template <typename U>
  Allocator(const Allocator<U>&) noexcept {}
  [[nodiscard]] T* allocate(size_t count) {
    if (count > static_cast<size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_bytes(count * sizeof(T)));
  }
  void deallocate(T* memory, size_t) noexcept { release_bytes(memory); }
  template <typename U>
  bool operator==(const Allocator<U>&) const noexcept {
    return true;
  }
};

template <typename T>
using Vector = std::vector<T, Allocator<T>>;
using String = std::basic_string<char, std::char_traits<char>, Allocator<char>>;
template <typename K, typename V, typename H = std::hash<K>, typename E = std::equal_to<K>>
using UnorderedMap = std::unordered_map<K, V, H, E, Allocator<std::pair<const K, V>>>;

// std::make_unique and std::make_shared over the same functions.
template <typename T>
struct Release {
  Release() noexcept = default;
  template <typename Derived>
  requires std::is_convertible_v<Derived*, T*> Release(Release<Derived>)
  noexcept {}  // T is the first base of Derived and has a virtual destructor
  void operator()(T* object) const noexcept {
    object->~T();
    release_bytes(object);
  }
};
template <typename T>
using Owned = std::unique_ptr<T, Release<T>>;

template <typename T, typename... Arguments>
[[nodiscard]] Owned<T> make_owned(Arguments&&... arguments) {
  void* memory = allocate_bytes(sizeof(T));
  try {
    return Owned<T>(::new (memory) T{std::forward<Arguments>(arguments)...});
  } catch (...) {
    release_bytes(memory);
    throw;
  }
}

template <typename T, typename... Arguments>
[[nodiscard]] std::shared_ptr<T> make_shared(Arguments&&... arguments) {
  return std::allocate_shared<T>(Allocator<T>{}, std::forward<Arguments>(arguments)...);
}

}  // namespace nd
