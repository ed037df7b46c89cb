#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse {

/// Interned strings, stored contiguously. Files can have hundreds of thousands of names, many of them equal.
class NameTable {
  public:
    NameTable();

    /// The index of a string: 0, 1, … in order of first appearance.
    /// \throws InputError if all strings together exceed 4 GiB
    std::uint32_t add(std::string_view text);
    [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
    [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
        return std::string_view{texts_}.substr(begins_[number], begins_[number + 1] - begins_[number]);
    }

    /// All strings concatenated, and the offset of each, followed by the end. Leaves the table empty.
    std::pair<std::string, std::vector<std::uint32_t>> take();

  private:
    void grow();

    static constexpr std::uint32_t free = ~std::uint32_t{0};
    std::string texts_;
    std::vector<std::uint32_t> begins_{0};
    std::vector<std::uint32_t> slots_;   ///< hash table of indices or free slots; its size is a power of two
    std::vector<std::uint32_t> hashes_;  ///< by index
};

}  // namespace dse
