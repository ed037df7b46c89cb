#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// The values that names refer to at a position of the text. Regions see the names around them and forget
/// their own at their end. Names are views of the text.
class ValueScopes {
  public:
    struct Values {
        ValueId first;
        std::uint32_t count{1};  ///< `%r:2` names two
    };

    ValueScopes();

    enum class Surroundings : std::uint8_t {
        visible,
        hidden  ///< for functions and modules: nothing around them is visible
    };
    void open(Surroundings surroundings = Surroundings::visible);
    /// \pre a scope is open
    void close();
    /// \return false if the innermost scope already has the name
    bool define(std::string_view name, Values values);
    /// nullptr if the name is not defined here.
    [[nodiscard]] const Values* find(std::string_view name) const;
    /// A visible name similar to this one; empty if there is none.
    [[nodiscard]] std::string nearest(std::string_view name) const;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Entry {
        std::string_view name;
        std::uint64_t hash;
        Values values;
        std::uint32_t next;  ///< next older entry of the same bucket
    };
    struct Bucket {
        std::uint32_t newest{none};
        /// One bit (mark_of) for each of its names, also of those that are forgotten: a new name is mostly
        /// none of them, and the older entries are not in the cache.
        std::uint32_t marks{0};
    };
    static std::uint32_t mark_of(std::uint64_t hash) { return std::uint32_t{1} << (hash >> 59U); }
    void grow();

    std::vector<Entry> entries_;
    std::vector<Bucket> buckets_;  ///< their number is a power of two
    struct Scope {
        std::size_t begin;    ///< in entries_
        std::size_t visible;  ///< first visible entry
    };
    std::vector<Scope> scopes_;
};

}  // namespace dse::ir::mlir
