#include "dse/sim/fold/abreast_beginnings.hpp"

#include <algorithm>
#include <cstring>

namespace dse::sim::fold {
namespace {

/// By bits: quicker than by value. An empty vector may have no address, which memcmp must not be given.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

const AbreastBeginnings::Numbers* AbreastBeginnings::find(const Numbers& key) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&key](const Entry& entry) { return are_same(entry.key, key); });
    if (found == entries_.end() || found->last_use == 0) return nullptr;
    found->last_use = ++uses_;
    return &found->state;
}

AbreastBeginnings::Numbers& AbreastBeginnings::add(const Numbers& key) {
    auto place = std::find_if(entries_.begin(), entries_.end(),
                              [&key](const Entry& entry) { return are_same(entry.key, key); });
    if (place == entries_.end())
        place = std::min_element(entries_.begin(), entries_.end(),
                                 [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
    place->key = key;
    place->state.clear();
    place->last_use = ++uses_;
    return place->state;
}

}  // namespace dse::sim::fold
