#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::mlir {

/// Which values the names stand for at a place of the text: regions see what stands around them, and forget
/// their own at their end. Names stay in the text.
class ValueScopes {
  public:
    struct Values {
        ValueId first;
        std::uint32_t count{1};  ///< `%r:2` names two
    };

    ValueScopes();

    enum class Surroundings : std::uint8_t {
        visible,
        hidden  ///< of functions and modules: nothing around them is seen
    };
    void open(Surroundings surroundings = Surroundings::visible);
    /// \pre one is open
    void close();
    /// \return false where the innermost scope has the name already
    bool define(std::string_view name, Values values);
    /// nullptr: the name is not defined here.
    [[nodiscard]] const Values* find(std::string_view name) const;
    /// A visible name like this one; empty: none is like it.
    [[nodiscard]] std::string nearest(std::string_view name) const;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Entry {
        std::string_view name;
        std::uint64_t hash;
        Values values;
        std::uint32_t next;  ///< of the same bucket, older
    };
    void grow();

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> buckets_;  ///< the youngest entry of each; a power of two of them
    struct Scope {
        std::size_t begin;    ///< in entries_
        std::size_t visible;  ///< entries from here on are
    };
    std::vector<Scope> scopes_;
};

}  // namespace dse::ir::mlir
