#include "dse/netsim/astra/schedule.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace dse::netsim {
namespace {

using Ids = std::unordered_set<std::uint64_t>;

}  // namespace

AstraScheduleOrder::AstraScheduleOrder(const ScheduleProgram& program)
    : children(program.size()), waits(program.size()) {
    // The same containers, filled in the same order, as in ASTRA-sim, because their iteration order
    // determines which steps are issued first.
    std::unordered_map<std::uint64_t, Ids> parents_of;
    std::unordered_map<std::uint64_t, Ids> children_of;
    for (std::uint32_t i = 0; i < program.size(); ++i) {
        const std::uint64_t id = program.step(i).id;
        step_of[id] = i;
        Ids parents;
        for (const std::uint32_t parent : program.parents(i)) parents.insert(program.step(parent).id);
        parents_of.try_emplace(id);
        children_of.try_emplace(id);
        for (const std::uint64_t parent : parents) {
            parents_of.try_emplace(parent);
            children_of.try_emplace(parent);
            parents_of[id].insert(parent);
            children_of[parent].insert(id);
        }
    }
    for (const auto& [id, parents] : parents_of) {
        waits[step_of.at(id)] = static_cast<std::uint32_t>(parents.size());
        if (parents.empty()) roots.insert(id);
    }
    for (const auto& [id, ids] : children_of) {
        std::vector<std::uint32_t>& own = children[step_of.at(id)];
        for (const std::uint64_t child : ids) own.push_back(step_of.at(child));
    }
}

AstraSchedule::AstraSchedule(Schedule read) : schedule{std::move(read)} {
    for (const ScheduleProgram& member : schedule.members) orders.emplace_back(member);
}

bool AstraSchedules::empty() const {
    return of_node.empty() && std::ranges::all_of(of_kind, [](const One& one) { return one == nullptr; });
}

const AstraSchedule* AstraSchedules::find(graph::CollectiveKind kind, std::uint64_t node) const {
    // ASTRA-sim's own table has 32-bit node numbers.
    const auto own = of_node.find(static_cast<std::int32_t>(static_cast<std::uint32_t>(node)));
    return own != of_node.end() ? own->second.get() : of_kind[static_cast<std::size_t>(kind)].get();
}

}  // namespace dse::netsim
