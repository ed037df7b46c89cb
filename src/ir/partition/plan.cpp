#include "ir/partition/plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "dse/ir/program/opcode_traits.hpp"
#include "ir/partition/choice.hpp"
#include "ir/partition/common_mesh.hpp"
#include "ir/partition/reshard.hpp"
#include "ir/partition/spmd_way.hpp"

namespace dse::ir::partition {
namespace {

// Passes over the program. Two or three are enough, and each one improves the plan.
constexpr int most_sweeps = 4;

// A value as read by operations of one computation.
using Reading = std::pair<ComputationId, ValueId>;

// Layouts to which readers need values moved, with the number of readers of each.
class Demands {
  public:
    [[nodiscard]] std::vector<Layout> of(const Reading& reading) const {
        const auto found = demands_.find(reading);
        return found == demands_.end() ? std::vector<Layout>{} : found->second;
    }
    void add(const Reading& reading, Layout layout) { demands_[reading].push_back(std::move(layout)); }
    void remove(const Reading& reading, const Layout& layout) {
        std::vector<Layout>& all = demands_[reading];
        const auto found = std::find(all.begin(), all.end(), layout);
        if (found != all.end()) all.erase(found);
    }

  private:
    std::map<Reading, std::vector<Layout>> demands_;
};

// The layouts that result from gathering axes at the ends of dimensions.
std::vector<Layout> gathered(const Layout& layout) {
    std::vector<Layout> result{layout};
    for (std::size_t d = 0; d < layout.size(); ++d) {
        for (std::size_t i = 0, count = result.size(); i < count; ++i) {
            Layout less = result[i];
            while (!less[d].empty()) {
                less[d].pop_back();
                result.push_back(less);
            }
        }
    }
    result.erase(result.begin());
    return result;
}

class Planner {
  public:
    using Entry = Plan::Entry;
    using Entries = std::vector<std::optional<Entry>>;

    Planner(const Program& program, const Slots& slots, const std::vector<SlotLayout>& layouts,
            const std::vector<Relation>& relations, Entries& entries)
        : program_{program},
          slots_{slots},
          layouts_{layouts},
          entries_{entries},
          made_by_(program.values.size()),
          ways_{program, slots, axes_of(program.meshes[mesh_of(program).index()])} {
        for (const Relation& relation : relations)
            if (relation.made) made_by_[relation.made->index()] = &relation;
    }

    void run() {
        for (std::size_t c = 0; c < program_.computations.size(); ++c)
            for (const Operation& operation : program_.computations[c].operations)
                add(ComputationId{c}, operation);
        bool changed = true;
        for (int sweep = 1; changed && sweep < most_sweeps; ++sweep) {
            changed = false;
            for (const auto& [id, operation] : contested_) changed = choose_again(id, *operation) || changed;
            for (const auto& [reading, readers] : readers_)
                if (readers.size() > 1) changed = choose_together(reading, readers) || changed;
        }
    }

  private:
    using Readers = std::vector<const Operation*>;

    [[nodiscard]] const Layout& layout(SlotId slot) const { return layouts_[slot.index()].dimensions; }
    [[nodiscard]] const Layout& layout(ValueId value) const { return layout(slots_.of(value)); }
    [[nodiscard]] Entry& entry_of(const Operation& operation) {
        return *entries_[Program::result(operation).index()];
    }

    void add(ComputationId id, const Operation& operation) {
        if (moves(operation)) {
            const ValueId operand = program_.operands(operation)[0];
            const Layout& wanted = layout(Program::result(operation));
            if (wanted != layout(operand)) demands_.add({id, operand}, wanted);
            return;
        }
        if (operation.results.count == 0) return;
        const Relation* relation = made_by_[Program::result(operation).index()];
        if (relation == nullptr) return;
        std::optional<Entry>& entry = entries_[Program::result(operation).index()];
        entry = known(operation, *relation);
        if (entry) return demand(id, operation);
        entry = Entry{relation, choice(operation, *relation, placed(id, operation, *relation))};
        if (lies_as_needed(operation)) return;
        demand(id, operation);
        contested_.emplace_back(id, &operation);
        for (const ValueId operand : program_.operands(operation)) {
            Readers& readers = readers_[{id, operand}];
            if (readers.empty() || readers.back() != &operation) readers.push_back(&operation);
        }
    }

    // XLA's way, if it is known.
    [[nodiscard]] std::optional<Entry> known(const Operation& operation, const Relation& relation) {
        placed_.clear();
        for (const SlotId slot : relation.tensors) placed_.push_back(&layout(slot));
        auto way = ways_.of(operation, relation, placed_);
        if (!way) return std::nullopt;
        return Entry{&relation, std::move(way->axes), way->summing, std::move(way->stops),
                     std::move(way->group)};
    }

    [[nodiscard]] bool moves(const Operation& operation) const {
        const bool constrains =
            operation.opcode == Opcode::sharding_constraint || operation.opcode == Opcode::reshard;
        return (constrains || is_sharding_call(program_, operation)) && operation.operands.count == 1 &&
               operation.results.count == 1 && slots_.count(Program::result(operation)) == 1;
    }

    bool choose_again(ComputationId id, const Operation& operation) {
        withdraw(id, operation);
        Entry& entry = entry_of(operation);
        std::vector<Axes> axes = choice(operation, *entry.relation, placed(id, operation, *entry.relation));
        const bool changed = axes != entry.axes;
        entry.axes = std::move(axes);
        demand(id, operation);
        return changed;
    }

    // A move may pay off for all readers together but not for any of them alone: compares with gathering the
    // value.
    bool choose_together(const Reading& reading, const Readers& readers) {
        for (const Operation* reader : readers) withdraw(reading.first, *reader);
        std::vector<std::vector<Axes>> best;
        for (const Operation* reader : readers) best.push_back(entry_of(*reader).axes);
        double least = sent(reading, readers, best);
        bool changed = false;
        for (const Layout& shared : gathered(layout(reading.second))) {
            std::vector<std::vector<Axes>> ways;
            for (const Operation* reader : readers) {
                const Relation& relation = *entry_of(*reader).relation;
                auto arrays = placed(reading.first, *reader, relation);
                const auto operands = program_.operands(*reader);
                for (std::size_t i = 0; i < operands.size(); ++i)
                    if (operands[i] == reading.second) arrays[i].at_hand.push_back(shared);
                ways.push_back(choice(*reader, relation, arrays));
            }
            const double now = sent(reading, readers, ways);
            if (now >= least) continue;
            least = now;
            best = std::move(ways);
            changed = true;
        }
        for (std::size_t r = 0; r < readers.size(); ++r) {
            entry_of(*readers[r]).axes = std::move(best[r]);
            demand(reading.first, *readers[r]);
        }
        return changed;
    }

    // Bytes that all readers send together; each layout of the value they read is created once.
    [[nodiscard]] double sent(const Reading& reading, const Readers& readers,
                              const std::vector<std::vector<Axes>>& ways) {
        std::vector<Layout> made = demands_.of(reading);
        made.push_back(layout(reading.second));
        const double bytes = slots_.bytes(slots_.of(reading.second));
        double sum = 0;
        for (std::size_t r = 0; r < readers.size(); ++r) {
            const Relation& relation = *entry_of(*readers[r]).relation;
            auto arrays = placed(reading.first, *readers[r], relation);
            const auto operands = program_.operands(*readers[r]);
            for (std::size_t i = 0; i < operands.size(); ++i) {
                if (operands[i] != reading.second || arrays[i].anywhere) continue;
                arrays[i].anywhere = true;  // counted here
                Layout wanted = layout_of(relation.rule(), relation.rule().operands[i], ways[r]);
                if (std::find(made.begin(), made.end(), wanted) != made.end()) continue;
                sum +=
                    sent_bytes(reshard_steps(layout(reading.second), wanted), bytes, layout(reading.second));
                made.push_back(std::move(wanted));
            }
            sum += sent_bytes(relation, slots_, arrays, ways[r]);
        }
        return sum;
    }

    [[nodiscard]] std::vector<Placed> placed(ComputationId id, const Operation& operation,
                                             const Relation& relation) const {
        std::vector<Placed> result;
        for (const SlotId slot : relation.tensors) result.push_back({&layout(slot), {}, false});
        const auto operands = program_.operands(operation);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            result[i].at_hand = demands_.of({id, operands[i]});
            result[i].anywhere = made_anywhere(program_, operands[i]);
        }
        return result;
    }

    [[nodiscard]] std::vector<Axes> choice(const Operation& operation, const Relation& relation,
                                           const std::vector<Placed>& arrays) const {
        return chosen_axes(relation, slots_, arrays, aim_of(operation.opcode));
    }

    [[nodiscard]] bool lies_as_needed(const Operation& operation) {
        const Entry& entry = entry_of(operation);
        const Relation& relation = *entry.relation;
        for (std::size_t t = 0; t < relation.tensors.size(); ++t)
            if (!lies_as(layout(relation.tensors[t]), relation.rule(), relation.factors(t), entry.axes))
                return false;
        return true;
    }

    [[nodiscard]] static Layout needed(const Entry& entry, std::size_t tensor) {
        return layout_of(entry.relation->rule(), entry.relation->factors(tensor), entry.axes);
    }

    void demand(ComputationId id, const Operation& operation) {
        const Entry& entry = entry_of(operation);
        const auto operands = program_.operands(operation);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (!lies_as(layout(operands[i]), entry.relation->rule(), entry.relation->factors(i), entry.axes))
                demands_.add({id, operands[i]}, needed(entry, i));
        }
    }
    void withdraw(ComputationId id, const Operation& operation) {
        const Entry& entry = entry_of(operation);
        const auto operands = program_.operands(operation);
        for (std::size_t i = 0; i < operands.size(); ++i)
            demands_.remove({id, operands[i]}, needed(entry, i));
    }

    const Program& program_;
    const Slots& slots_;
    const std::vector<SlotLayout>& layouts_;
    Entries& entries_;
    std::vector<const Relation*> made_by_;  ///< by the first result of an operation
    SpmdWays ways_;
    Demands demands_;
    /// Operations for which some array does not have the needed layout; and these by the value that they
    /// read.
    std::vector<std::pair<ComputationId, const Operation*>> contested_;
    std::map<Reading, Readers> readers_;
    std::vector<const Layout*> placed_;  ///< of an operation's arrays, kept for its memory
};

}  // namespace

Plan::Plan(const Program& program, const Slots& slots, const std::vector<SlotLayout>& layouts,
           const std::vector<Relation>& relations)
    : entries_(program.values.size()) {
    Planner{program, slots, layouts, relations, entries_}.run();
}

bool made_anywhere(const Program& program, ValueId value) {
    const Operation* operation = program.definition(value);
    if (operation == nullptr || operation->results.count != 1) return false;
    if (traits(operation->opcode).made_of_nothing) return operation->operands.count == 0;
    if (operation->opcode != Opcode::broadcast || operation->operands.count != 1) return false;
    const Type& from = program.types[program.type_of(program.operands(*operation)[0])];
    return from.kind == Type::Kind::array && from.sizes.empty();
}

}  // namespace dse::ir::partition
