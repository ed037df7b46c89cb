#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dse::sim::event {

template <class Object>
class Pool;

/// What objects of a Pool have as their base.
template <class Object>
struct Pooled {
    std::uint32_t references{0};
    Pool<Object>* pool{nullptr};
};

/// Shares an object of a Pool. The references to objects of one pool belong to one thread.
template <class Object>
class PoolPtr {
  public:
    PoolPtr() = default;
    PoolPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): like all pointers
    explicit PoolPtr(Object* object) : object_{object} {
        if (object_ != nullptr) ++object_->references;
    }
    PoolPtr(const PoolPtr& other) : PoolPtr{other.object_} {}
    PoolPtr(PoolPtr&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
    PoolPtr& operator=(PoolPtr other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~PoolPtr() {
        if (object_ != nullptr && --object_->references == 0) object_->pool->recycle(*object_);
    }

    [[nodiscard]] Object* get() const { return object_; }
    Object& operator*() const { return *object_; }
    Object* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }
    friend bool operator==(const PoolPtr& a, const PoolPtr& b) = default;

  private:
    Object* object_{nullptr};
};

/// Memory of objects of one type. It must outlive all references to them. What was freed last is used first,
/// because it is still in the caches.
/// \tparam Object  derived from Pooled. Its function reset() brings it back to its first state, apart from
///                 Pooled and from memory that it may keep
template <class Object>
class Pool {
  public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    PoolPtr<Object> make() {
        if (free_.empty()) add_block();
        Object* const object = free_.back();
        free_.pop_back();
        return PoolPtr<Object>{object};
    }
    /// Called when nothing refers to an object any more: not in line, because there are many such places.
    [[gnu::noinline]] void recycle(Object& object) {
        object.reset();
        free_.push_back(&object);
    }

  private:
    static constexpr std::size_t objects_of_block = 64;

    void add_block() {
        blocks_.push_back(std::make_unique<Object[]>(objects_of_block));
        for (std::size_t i = objects_of_block; i-- > 0;) {
            Object& object = blocks_.back()[i];
            object.pool = this;
            free_.push_back(&object);
        }
    }

    std::vector<std::unique_ptr<Object[]>> blocks_;
    std::vector<Object*> free_;
};

}  // namespace dse::sim::event
