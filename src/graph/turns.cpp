#include "dse/graph/turns.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"

namespace dse::graph {
namespace {

/// One of the two regions that are merged into a new one.
class Side {
  public:
    /// \param first_port  port of the new region that corresponds to this region's port 0
    Side(Region region, std::size_t first_port, Region& merged)
        : region_{std::move(region)}, first_port_{first_port}, merged_{merged} {}

    [[nodiscard]] const Region& region() const { return region_; }
    [[nodiscard]] bool is_done() const { return next_ == region_.items.size(); }
    [[nodiscard]] const Item& next() const { return region_.items[next_]; }
    /// Issues the next item unchanged.
    void issue() {
        Item item = next();
        item.inputs = mapped(item.inputs);
        merged_.items.push_back(std::move(item));
        end_item({merged_.items.size() - 1, 0});
    }

    /// The corresponding value in the new region.
    [[nodiscard]] ValueRef mapped(ValueRef value) const {
        if (value.source == ValueRef::Source::port) return ValueRef::port(first_port_ + value.index);
        if (value.source == ValueRef::Source::none) return value;
        const Place& place = places_[value.index];
        return ValueRef::item(place.item, place.first_output + value.output);
    }
    [[nodiscard]] std::vector<ValueRef> mapped(const std::vector<ValueRef>& values) const {
        std::vector<ValueRef> result;
        for (const ValueRef value : values) result.push_back(mapped(value));
        return result;
    }

    /// Issues the items before the next repeat.
    void issue_to_row(const StageProgram& program) {
        while (!is_done() && rounds_left_ == 0) {
            if (next().kind == Item::Kind::repeat) rounds_left_ = program.counts[next().count.index()];
            if (rounds_left_ == 0) {
                issue();
            } else {
                row_inputs_ = mapped(next().inputs);
            }
        }
    }
    [[nodiscard]] std::int64_t rounds_left() const { return rounds_left_; }
    /// Inputs of the next round of the repeat.
    [[nodiscard]] const std::vector<ValueRef>& row_inputs() const { return row_inputs_; }
    /// The last item of the new region holds `rounds` rounds of the repeat; its outputs from `first_output`
    /// on are theirs.
    void rounds_issued(std::int64_t rounds, std::size_t first_output) {
        const Place place{merged_.items.size() - 1, first_output};
        for (std::size_t k = 0; k < row_inputs_.size(); ++k)
            row_inputs_[k] = ValueRef::item(place.item, first_output + k);
        rounds_left_ -= rounds;
        if (rounds_left_ == 0) end_item(place);
    }

    /// Whether the next item is a node that a later item depends on.
    [[nodiscard]] bool is_waited_for() const {
        if (next().kind == Item::Kind::repeat) return false;
        const auto reads = [this](const Item& item) {
            return std::find(item.inputs.begin(), item.inputs.end(), ValueRef::item(next_)) !=
                   item.inputs.end();
        };
        return std::any_of(region_.items.begin() + static_cast<std::ptrdiff_t>(next_) + 1,
                           region_.items.end(), reads);
    }

  private:
    /// Position of an item's values in the new region.
    struct Place {
        std::size_t item{0};
        std::size_t first_output{0};
    };
    void end_item(Place place) {
        places_.push_back(place);
        ++next_;
    }

    Region region_;
    std::size_t first_port_;
    Region& merged_;
    std::size_t next_{0};
    std::vector<Place> places_;  ///< of the items issued so far
    std::int64_t rounds_left_{0};
    std::vector<ValueRef> row_inputs_;
};

/// Issues rounds of a body of one or both sides.
void issue_rounds(RegionId body, std::int64_t rounds, std::vector<ValueRef> inputs, Region& merged,
                  StageProgram& program) {
    Item repeat;
    repeat.kind = Item::Kind::repeat;
    repeat.body = body;
    repeat.count = CountId(program.counts.size());
    repeat.inputs = std::move(inputs);
    program.counts.push_back(rounds);
    merged.items.push_back(std::move(repeat));
}

void append(const std::vector<ValueRef>& values, std::vector<ValueRef>& to) {
    to.insert(to.end(), values.begin(), values.end());
}

}  // namespace

RegionId Turns::of_bodies(RegionId first, RegionId second) {
    const std::pair key{first.index(), second.index()};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Region merged;
    std::array<Side, 2> sides{Side{regions_[first.index()], 0, merged},
                              Side{regions_[second.index()], regions_[first.index()].ports, merged}};
    merged.name = sides[0].region().name + " beside " + sides[1].region().name;
    merged.ports = static_cast<std::uint16_t>(sides[0].region().ports + sides[1].region().ports);
    for (std::size_t turn = 1; !sides[0].is_done() || !sides[1].is_done(); turn = 1 - turn) {
        Side& side = sides[turn];
        for (bool goes_on = true; goes_on && !side.is_done();) {
            goes_on = !side.is_waited_for() || !communicates_(side.next());
            side.issue();
        }
    }
    for (const Side& side : sides) append(side.mapped(side.region().outputs), merged.outputs);
    regions_.push_back(std::move(merged));
    return known_[key] = RegionId(regions_.size() - 1);
}

RegionId Turns::of_tasks(RegionId forward, RegionId backward, StageProgram& program) {
    DSE_REQUIRE(regions_[forward.index()].ports == 1 && regions_[backward.index()].outputs.size() == 1);
    Region merged;
    merged.name = "overlapped";
    Side ahead{regions_[forward.index()], 0, merged};
    Side back{regions_[backward.index()], 1, merged};
    merged.ports = static_cast<std::uint16_t>(1 + back.region().ports);

    while (!ahead.is_done() || !back.is_done()) {
        back.issue_to_row(program);
        ahead.issue_to_row(program);
        if (ahead.rounds_left() > 0 && back.rounds_left() > 0) {
            const std::int64_t rounds = std::min(ahead.rounds_left(), back.rounds_left());
            std::vector<ValueRef> inputs = ahead.row_inputs();
            append(back.row_inputs(), inputs);
            const std::size_t outputs_ahead = ahead.row_inputs().size();
            issue_rounds(of_bodies(ahead.next().body, back.next().body), rounds, std::move(inputs), merged,
                         program);
            ahead.rounds_issued(rounds, 0);
            back.rounds_issued(rounds, outputs_ahead);
            continue;
        }
        for (Side* side : {&ahead, &back}) {
            const std::int64_t rounds = side->rounds_left();
            if (rounds == 0) continue;
            issue_rounds(side->next().body, rounds, side->row_inputs(), merged, program);
            side->rounds_issued(rounds, 0);
        }
    }
    merged.outputs = ahead.mapped(ahead.region().outputs);
    merged.outputs.insert(merged.outputs.begin() + 1, back.mapped(back.region().outputs.front()));
    regions_.push_back(std::move(merged));
    return RegionId(regions_.size() - 1);
}

}  // namespace dse::graph
