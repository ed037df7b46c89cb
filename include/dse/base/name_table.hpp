#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dse {

/// Texts, each stored once, one behind the other: hundreds of thousands of names a file, many of them equal.
class NameTable {
  public:
    NameTable();

    /// The number of a text: 0, 1, … in order of first appearance.
    /// \throws InputError where all texts together are above 4 GiB
    std::uint32_t add(std::string_view text);
    [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
    [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
        return std::string_view{texts_}.substr(begins_[number], begins_[number + 1] - begins_[number]);
    }

    /// All texts, and where each begins; one more for the end. Leaves the table empty.
    std::pair<std::string, std::vector<std::uint32_t>> take();

  private:
    void grow();

    static constexpr std::uint32_t free = ~std::uint32_t{0};
    std::string texts_;
    std::vector<std::uint32_t> begins_{0};
    std::vector<std::uint32_t> slots_;   ///< a power of two of them: numbers, or free
    std::vector<std::uint32_t> hashes_;  ///< by number
};

}  // namespace dse
