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

/// The size of a dimension that only a run decides, and that no bound limits.
inline constexpr std::int64_t unknown_size = -1;

/// Where XLA puts a buffer that stands in the host's memory: memory space 5 of a layout.
inline constexpr std::int32_t host_memory_space = 5;

/// The type of a value.
struct Type {
    enum class Kind : std::uint8_t {
        array,   ///< an element type and sizes
        tuple,   ///< of `members`
        token,   ///< orders side effects, holds nothing
        opaque,  ///< something that no cost is known of; also types of foreign dialects
        untyped  ///< the text does not say (old FX dumps)
    };
    Kind kind{Kind::array};
    ElementType element{ElementType::unknown};
    /// A bounded dynamic dimension has its bound, an unbounded one unknown_size.
    std::vector<std::int64_t> sizes;
    bool dynamic{false};  ///< some dimension is decided by a run
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

    /// Elements of an array; of a tuple those of all members together; 0 for other types and where a size
    /// is unknown. Sizes too large for an integer saturate.
    [[nodiscard]] double elements(TypeId id) const { return elements_[id.index()]; }
    /// Bytes of an array, each element as ir::stored_bytes; of a tuple those of all members together, without
    /// its table of pointers; 0 for other types and where a size is unknown.
    [[nodiscard]] double bytes(TypeId id) const { return bytes_[id.index()]; }

    /// Values that are no tuples: 1, or those of a tuple's members, depth first.
    [[nodiscard]] std::uint32_t leaves(TypeId id) const;

    /// As messages write it: "bf16[8,2048]", "(f32[], s32[4])".
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
