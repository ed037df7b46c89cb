#include "results/row.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace dse::results {

bool same_answer(const Row& a, const Row& b) {
    return a.point_id == b.point_id && a.status == b.status && a.reason == b.reason &&
           a.values.size() == b.values.size() &&
           (a.values.empty() || std::memcmp(a.values.data(), b.values.data(), a.values.size_bytes()) == 0);
}

Knowledge compare(const Row& a, const Row& b) {
    if (same_answer(a, b)) return Knowledge::equal;
    if (a.point_id != b.point_id || a.status != b.status || a.reason != b.reason) return Knowledge::disagree;
    if (a.values.size() != b.values.size()) return Knowledge::disagree;
    Knowledge knowledge = Knowledge::equal;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        if (std::bit_cast<std::uint64_t>(a.values[i]) == std::bit_cast<std::uint64_t>(b.values[i])) continue;
        const bool first = std::isnan(b.values[i]);
        if (first == std::isnan(a.values[i])) return Knowledge::disagree;
        const Knowledge more = first ? Knowledge::first : Knowledge::second;
        if (knowledge != Knowledge::equal && knowledge != more) return Knowledge::disagree;
        knowledge = more;
    }
    return knowledge;
}

}  // namespace dse::results
