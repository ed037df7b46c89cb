#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dse/netsim/astra/fabric.hpp"
#include "dse/trace/chakra/groups.hpp"

namespace dse::sim::replay {

/// Groups named in traces as interpreted by ASTRA-sim: names are numbers; no name and "0" mean all ranks.
class AstraGroups {
  public:
    /// Index in groups() of the group of all ranks.
    static constexpr std::size_t all = 0;

    /// \param listed  the groups of a file beside the traces
    /// \throws InputError for a name that is not a number, an unknown group, or a group used by a rank that
    ///         is not a member
    AstraGroups(std::span<const trace::chakra::RankTrace> ranks, const trace::chakra::Groups& listed);

    [[nodiscard]] std::span<const netsim::AstraMembers> groups() const { return groups_; }
    /// \param slot  Communication::group of one of the rank's nodes
    [[nodiscard]] std::size_t of(std::int64_t rank, std::uint32_t slot) const;

  private:
    std::size_t add(std::int64_t first_stream, const std::vector<std::int64_t>& members);
    std::size_t find(const trace::chakra::RankTrace& rank, const std::string& name,
                     const trace::chakra::Groups& listed);

    std::int64_t ranks_;
    std::vector<netsim::AstraMembers> groups_;
    std::map<std::pair<std::int64_t, std::vector<std::int64_t>>, std::size_t> index_;
    std::vector<std::vector<std::size_t>> of_rank_;  ///< by rank and slot
};

}  // namespace dse::sim::replay
