#include "group_sizes.hpp"

#include <array>
#include <bit>

#include <nlohmann/json.hpp>

namespace dse::synth {
namespace {

std::int64_t octave_of(std::int64_t number) {
    return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// Draws a size of the family that divides the number of devices; 1 if there is none.
std::int64_t divisor(const Table& sizes, Context narrow, std::int64_t devices, Random& random) {
    const Histogram* found = sizes.find(std::array{narrow, context({})});
    if (found == nullptr) return 1;
    return found->draw_if(
        random, [&](std::int32_t size) { return devices % size == 0; }, 1);
}

void learn_both(Table& table, Context narrow, std::int64_t value) {
    table.add(narrow, static_cast<std::int32_t>(value));
    table.add(context({}), static_cast<std::int32_t>(value));
}

}  // namespace

void GroupSizes::learn(const Conditions& conditions) {
    const Context octave = context({octave_of(conditions.devices)});
    devices_.add(context({}), static_cast<std::int32_t>(conditions.devices));
    learn_both(near_, octave, conditions.near);
    learn_both(ring_, octave, conditions.ring);
    learn_both(batch_, octave, conditions.batch);
    learn_both(sequence_, context({octave_of(conditions.batch)}), conditions.sequence);
}

Conditions GroupSizes::draw(const Wish& wish, Random& random) const {
    Conditions drawn;
    const std::int64_t devices = devices_.draw(random, {context({})}, 1);
    drawn.devices = wish.devices > 0 ? wish.devices : devices;
    const Context octave = context({octave_of(drawn.devices)});
    drawn.near = divisor(near_, octave, drawn.devices, random);
    drawn.ring = divisor(ring_, octave, drawn.devices / drawn.near, random);
    const std::int64_t batch = batch_.draw(random, {octave, context({})}, 0);
    drawn.batch = wish.batch > 0 ? wish.batch : batch;
    const Context of_batch = context({octave_of(drawn.batch)});
    const std::int64_t sequence = sequence_.draw(random, {of_batch, context({})}, 0);
    drawn.sequence = wish.sequence > 0 ? wish.sequence : sequence;
    return drawn;
}

nlohmann::json GroupSizes::to_json() const {
    return {{"devices", devices_.to_json()},
            {"near", near_.to_json()},
            {"ring", ring_.to_json()},
            {"batch", batch_.to_json()},
            {"sequence", sequence_.to_json()}};
}

GroupSizes GroupSizes::from_json(const nlohmann::json& json) {
    GroupSizes sizes;
    sizes.devices_ = Table::from_json(json.at("devices"), 1);
    sizes.near_ = Table::from_json(json.at("near"), 1);
    sizes.ring_ = Table::from_json(json.at("ring"), 1);
    sizes.batch_ = Table::from_json(json.at("batch"), 0);
    sizes.sequence_ = Table::from_json(json.at("sequence"), 0);
    return sizes;
}

}  // namespace dse::synth
