#include "dse/sim/replay/groups.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
namespace {

using trace::chakra::Groups;
using trace::chakra::ProcessGroup;
using trace::chakra::RankTrace;

/// The chunks of group n are numbered from n times this.
constexpr std::int64_t streams_of_a_group = 1'000'000;

std::int64_t number_of(const RankTrace& rank, const std::string& name) {
    std::int64_t number = -1;
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data(), end, number);
    if (error != std::errc{} || rest != end || number < 0) {
        throw InputError(
            fmt::format("'{}': group '{}': ASTRA-sim's groups have numbers for names", rank.path, name));
    }
    return number;
}

}  // namespace

AstraGroups::AstraGroups(std::span<const RankTrace> ranks, const Groups& listed)
    : ranks_{static_cast<std::int64_t>(ranks.size())}, groups_(1) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        std::vector<std::size_t>& slots = of_rank_.emplace_back();
        for (const std::string& name : ranks[r].groups) {
            const std::size_t group = find(ranks[r], name, listed);
            const auto& members = groups_[group].ranks;
            if (!members.empty() && !std::ranges::count(members, static_cast<std::int64_t>(r))) {
                throw InputError(fmt::format("'{}': rank {} is not a member of group '{}', which it uses",
                                             ranks[r].path, r, name));
            }
            slots.push_back(group);
        }
    }
}

std::size_t AstraGroups::of(std::int64_t rank, std::uint32_t slot) const {
    if (slot == trace::chakra::TraceStep::none) return all;
    return of_rank_[static_cast<std::size_t>(rank)][slot];
}

std::size_t AstraGroups::find(const RankTrace& rank, const std::string& name, const Groups& listed) {
    if (name.empty() || name == "0") return all;
    const std::int64_t number = number_of(rank, name);
    // Groups that a trace declares itself come after those of the file, so their numbers are one higher.
    const auto declared = std::ranges::find(rank.declared, name, &ProcessGroup::name);
    if (declared != rank.declared.end()) {
        return add((number + 1) * streams_of_a_group, declared->ranks);
    }
    const auto* members = listed.find(name);
    if (members == nullptr) {
        throw InputError(fmt::format("'{}': group '{}' stands in no file of groups{}", rank.path, name,
                                     listed.added().empty() ? " (--comm-groups names one)" : ""));
    }
    return add(number * streams_of_a_group, *members);
}

std::size_t AstraGroups::add(std::int64_t first_stream, const std::vector<std::int64_t>& members) {
    const auto [entry, is_new] = index_.try_emplace({first_stream, members}, groups_.size());
    if (!is_new) return entry->second;
    // A group with all ranks is the group of all ranks, in any order, but its chunks keep their own numbers.
    const bool everybody = static_cast<std::int64_t>(members.size()) == ranks_;
    groups_.push_back({.ranks = everybody ? std::vector<std::int64_t>{} : members,
                       .first_stream = first_stream,
                       .ascending = std::ranges::is_sorted(members)});
    return entry->second;
}

}  // namespace dse::sim::replay
