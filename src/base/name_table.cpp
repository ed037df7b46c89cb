#include "dse/base/name_table.hpp"

#include <functional>
#include <limits>
#include <utility>

#include "dse/base/error.hpp"

namespace dse {
namespace {

constexpr std::size_t first_slots = 256;

std::uint32_t hash_of(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

NameTable::NameTable() : slots_(first_slots, free) {}

std::uint32_t NameTable::add(std::string_view text) {
    const std::uint32_t hash = hash_of(text);
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != free) {
        const std::uint32_t number = slots_[slot];
        if (hashes_[number] == hash && (*this)[number] == text) return number;
        slot = (slot + 1) & (slots_.size() - 1);
    }
    if (texts_.size() + text.size() >= std::numeric_limits<std::uint32_t>::max())
        throw InputError("names take more than 4 GiB in all");
    const auto number = static_cast<std::uint32_t>(size());
    texts_ += text;
    begins_.push_back(static_cast<std::uint32_t>(texts_.size()));
    hashes_.push_back(hash);
    slots_[slot] = number;
    if (2 * size() > slots_.size()) grow();
    return number;
}

void NameTable::grow() {
    slots_.assign(2 * slots_.size(), free);
    for (std::uint32_t number = 0; number < size(); ++number) {
        std::size_t slot = hashes_[number] & (slots_.size() - 1);
        while (slots_[slot] != free) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = number;
    }
}

std::pair<std::string, std::vector<std::uint32_t>> NameTable::take() {
    std::pair<std::string, std::vector<std::uint32_t>> result{std::move(texts_), std::move(begins_)};
    *this = NameTable{};
    return result;
}

}  // namespace dse
