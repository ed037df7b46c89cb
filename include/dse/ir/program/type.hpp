#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/ir/program/element_type.hpp"

namespace dse::ir {

using TypeId = Id<struct TypeTag>;

/// A size that is only known at run time and has no bound.
inline constexpr std::int64_t unknown_size = -1;

/// XLA's memory space of a layout for buffers in the host's memory.
inline constexpr std::int32_t host_memory_space = 5;

/// The type of a value.
struct Type {
    enum class Kind : std::uint8_t {
        array,   ///< an element type and sizes
        tuple,   ///< of `members`
        token,   ///< orders side effects, holds nothing
        opaque,  ///< of unknown cost; also for types of foreign dialects
        untyped  ///< not stated (old FX dumps)
    };
    Kind kind{Kind::array};
    ElementType element{ElementType::unknown};
    /// A bounded dynamic dimension has its bound, an unbounded one unknown_size.
    std::vector<std::int64_t> sizes;
    bool dynamic{false};  ///< some dimension is only known at run time
    bool ranked{true};    ///< false: `tensor<*xf32>`
    std::int32_t memory_space{0};
    /// Dimension numbers, fastest first; empty: row-major or not stated.
    std::vector<std::int64_t> minor_to_major;
    std::vector<TypeId> members;

    friend bool operator==(const Type&, const Type&) = default;
};

/// The types of a program, each stored once.
class TypeTable {
  public:
    TypeId add(Type type);
    [[nodiscard]] std::size_t size() const { return types_.size(); }
    [[nodiscard]] const Type& operator[](TypeId id) const { return types_[id.index()]; }

    /// Elements of an array; for a tuple those of all members; 0 for other types and if a size is unknown.
    /// May exceed the range of integers.
    [[nodiscard]] double elements(TypeId id) const { return elements_[id.index()]; }
    /// Bytes of an array; elements below 8 bits but pred are packed (s4: two in a byte). For a tuple those of
    /// all members, without its table of pointers; 0 for other types and if a size is unknown.
    [[nodiscard]] double bytes(TypeId id) const { return bytes_[id.index()]; }

    /// Number of leaves: 1, or for a tuple those of its members, depth first.
    [[nodiscard]] std::uint32_t leaves(TypeId id) const;

    /// As in messages: "bf16[8,2048]", "(f32[], s32[4])".
    [[nodiscard]] std::string text(TypeId id) const;

  private:
    struct Hash {
        std::size_t operator()(const Type& type) const noexcept;
    };
    std::vector<Type> types_;
    std::vector<double> elements_;
    std::vector<double> bytes_;
    std::unordered_multimap<std::size_t, TypeId> numbers_;  ///< by hash
};

}  // namespace dse::ir
