#include "ir/readers/mlir/value_scopes.hpp"

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"
#include "ir/readers/characters.hpp"

namespace dse::ir::mlir {
namespace {

// Names are mostly numbered, and mean the latest numbers: these lie next to each other in the table.
std::uint64_t hash_of(std::string_view name) {
    constexpr std::size_t most_digits = 18;
    std::size_t digits = 0;
    while (digits < name.size() && digits < most_digits && is_digit(name[name.size() - digits - 1])) ++digits;
    std::uint64_t hash = 0xCBF29CE484222325U + digits;
    const std::size_t before = name.size() - digits;
    for (const char c : name.substr(0, before))
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    std::uint64_t number = 0;
    for (const char c : name.substr(before)) number = number * 10 + static_cast<std::uint64_t>(c - '0');
    // The numbers of different names must not meet.
    hash = (hash ^ (hash >> 29U)) * 0x9E3779B97F4A7C15U;
    return (hash ^ (hash >> 32U)) + number;
}

}  // namespace

ValueScopes::ValueScopes() : buckets_(64), scopes_{{0, 0}} {}

void ValueScopes::open(Surroundings surroundings) {
    const std::size_t begin = entries_.size();
    scopes_.push_back({begin, surroundings == Surroundings::hidden ? begin : scopes_.back().visible});
}

void ValueScopes::close() {
    DSE_EXPECT(scopes_.size() > 1);
    while (entries_.size() > scopes_.back().begin) {
        const Entry& entry = entries_.back();
        buckets_[entry.hash & (buckets_.size() - 1)].newest = entry.next;
        entries_.pop_back();
    }
    scopes_.pop_back();
}

bool ValueScopes::define(std::string_view name, Values values) {
    const std::uint64_t hash = hash_of(name);
    if (2 * entries_.size() >= buckets_.size()) grow();
    Bucket& bucket = buckets_[hash & (buckets_.size() - 1)];
    if ((bucket.marks & mark_of(hash)) != 0) {
        for (std::uint32_t i = bucket.newest; i != none && i >= scopes_.back().begin; i = entries_[i].next)
            if (entries_[i].hash == hash && entries_[i].name == name) return false;
    }
    entries_.push_back({name, hash, values, bucket.newest});
    bucket.newest = static_cast<std::uint32_t>(entries_.size() - 1);
    bucket.marks |= mark_of(hash);
    return true;
}

const ValueScopes::Values* ValueScopes::find(std::string_view name) const {
    const std::uint64_t hash = hash_of(name);
    const std::size_t visible = scopes_.back().visible;
    for (std::uint32_t i = buckets_[hash & (buckets_.size() - 1)].newest; i != none && i >= visible;
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
    buckets_.assign(buckets_.size() * 2, {});
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        Bucket& bucket = buckets_[entries_[i].hash & (buckets_.size() - 1)];
        entries_[i].next = bucket.newest;
        bucket.newest = static_cast<std::uint32_t>(i);
        bucket.marks |= mark_of(entries_[i].hash);
    }
}

}  // namespace dse::ir::mlir
