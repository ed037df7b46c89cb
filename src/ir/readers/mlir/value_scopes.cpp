#include "ir/readers/mlir/value_scopes.hpp"

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"

namespace dse::ir::mlir {
namespace {

std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash ^ (hash >> 32U);
}

}  // namespace

ValueScopes::ValueScopes() : buckets_(64, none), scopes_{{0, 0}} {}

void ValueScopes::open(Surroundings surroundings) {
    const std::size_t begin = entries_.size();
    scopes_.push_back({begin, surroundings == Surroundings::hidden ? begin : scopes_.back().visible});
}

void ValueScopes::close() {
    DSE_EXPECT(scopes_.size() > 1);
    while (entries_.size() > scopes_.back().begin) {
        const Entry& entry = entries_.back();
        buckets_[entry.hash & (buckets_.size() - 1)] = entry.next;
        entries_.pop_back();
    }
    scopes_.pop_back();
}

bool ValueScopes::define(std::string_view name, Values values) {
    const std::uint64_t hash = hash_of(name);
    if (2 * entries_.size() >= buckets_.size()) grow();
    std::uint32_t& head = buckets_[hash & (buckets_.size() - 1)];
    for (std::uint32_t i = head; i != none && i >= scopes_.back().begin; i = entries_[i].next)
        if (entries_[i].hash == hash && entries_[i].name == name) return false;
    entries_.push_back({name, hash, values, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
    return true;
}

const ValueScopes::Values* ValueScopes::find(std::string_view name) const {
    const std::uint64_t hash = hash_of(name);
    const std::size_t visible = scopes_.back().visible;
    for (std::uint32_t i = buckets_[hash & (buckets_.size() - 1)]; i != none && i >= visible;
         i = entries_[i].next)
        if (entries_[i].hash == hash && entries_[i].name == name) return &entries_[i].values;
    return nullptr;
}

std::string ValueScopes::nearest(std::string_view name) const {
    std::vector<std::string> known;
    for (std::size_t i = scopes_.back().visible; i < entries_.size(); ++i)
        known.emplace_back(entries_[i].name);
    return dse::nearest(name, known).value_or("");
}

// Entries are linked again in order, so that newer ones still come first.
void ValueScopes::grow() {
    buckets_.assign(buckets_.size() * 2, none);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        std::uint32_t& head = buckets_[entries_[i].hash & (buckets_.size() - 1)];
        entries_[i].next = head;
        head = static_cast<std::uint32_t>(i);
    }
}

}  // namespace dse::ir::mlir
