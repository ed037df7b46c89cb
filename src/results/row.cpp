#include "results/row.hpp"

#include <cstring>

namespace dse::results {

bool same_answer(const Row& a, const Row& b) {
    return a.point_id == b.point_id && a.status == b.status && a.reason == b.reason &&
           a.values.size() == b.values.size() &&
           (a.values.empty() || std::memcmp(a.values.data(), b.values.data(), a.values.size_bytes()) == 0);
}

}  // namespace dse::results
