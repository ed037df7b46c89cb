#include "dse/sim/fold/operator_index.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "dse/base/hash.hpp"
#include "dse/sim/parts.hpp"

namespace dse::sim::fold {
namespace {

using graph::Item;
using graph::ValueRef;

std::uint64_t packed(ValueRef value) {
    return static_cast<std::uint64_t>(value.source) << 32U | std::uint64_t{value.index} << 16U | value.output;
}

/// \param times  number of times that follow
std::uint64_t packed(const Item& item, std::size_t what, std::size_t times) {
    return static_cast<std::uint64_t>(item.kind) << 63U | std::uint64_t{what} << 31U | times << 24U |
           item.inputs.size();
}

/// What Parts::charge_run charges. The causes come after the classes of kernels.
std::size_t charged_to(const graph::Work& work) {
    if (const auto* kernel = std::get_if<graph::Compute>(&work))
        return static_cast<std::size_t>(kernel->op_class);
    return graph::op_class_count + Cause::of(work).index();
}

std::uint64_t hash_of(const OperatorKey& key) {
    return checksum(std::as_bytes(key.numbers()));
}

}  // namespace

void OperatorKey::start(const graph::Region& region, std::size_t streams) {
    numbers_.assign({streams, region.ports, region.items.size(), region.outputs.size()});
    add(region.outputs);
}

void OperatorKey::add(std::span<const ValueRef> values) {
    for (const ValueRef value : values) numbers_.push_back(packed(value));
}

void OperatorKey::add_node(const Item& item, const graph::Work& work, std::span<const double> times) {
    numbers_.push_back(packed(item, charged_to(work) << 8U | item.stream.index(), times.size()));
    add(item.inputs);
    std::transform(times.begin(), times.end(), std::back_inserter(numbers_),
                   [](double time) { return std::bit_cast<std::uint64_t>(time); });
}

void OperatorKey::add_repeat(const Item& item, std::int64_t count, std::uint32_t body) {
    numbers_.push_back(packed(item, body, 1));
    add(item.inputs);
    numbers_.push_back(static_cast<std::uint64_t>(count));
}

std::optional<std::uint32_t> OperatorIndex::find(const OperatorKey& key) const {
    const auto found = places_.find(hash_of(key));
    if (found == places_.end()) return std::nullopt;
    const Place& place = found->second;
    const std::span<const std::uint64_t> known{keys_.data() + place.offset, place.size};
    if (!std::ranges::equal(known, key.numbers())) return std::nullopt;
    return place.number;
}

void OperatorIndex::add(const OperatorKey& key, std::uint32_t number) {
    const std::span<const std::uint64_t> numbers = key.numbers();
    places_[hash_of(key)] = {keys_.size(), numbers.size(), number};
    keys_.insert(keys_.end(), numbers.begin(), numbers.end());
}

void OperatorIndex::clear() {
    places_.clear();
    keys_.clear();
}

}  // namespace dse::sim::fold
