#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// The groups of ranks that traces name in pg_name, with their members in the group's own order.
///
/// An empty name and "0" mean all ranks, unless a trace declares "0" itself.
class Groups {
  public:
    /// \param ranks  number of ranks, >= 1
    explicit Groups(std::int64_t ranks);

    /// \param members  distinct, each below ranks(); empty: all ranks
    /// \throws InputError naming the group if its members are invalid or it exists with other members
    void add(const std::string& name, std::vector<std::int64_t> members);

    /// \return nullptr if no group has this name
    [[nodiscard]] const std::vector<std::int64_t>* find(std::string_view name) const;
    /// \throws InputError if no group has this name, listing the groups that exist
    [[nodiscard]] const std::vector<std::int64_t>& members(std::string_view name) const;

    [[nodiscard]] std::int64_t ranks() const { return static_cast<std::int64_t>(all_.size()); }
    /// The groups that were added, by name.
    [[nodiscard]] const std::map<std::string, std::vector<std::int64_t>, std::less<>>& added() const {
        return groups_;
    }

  private:
    std::vector<std::int64_t> all_;
    std::map<std::string, std::vector<std::int64_t>, std::less<>> groups_;
};

/// Adds the groups of a file {"1": [0, 1, …], "2": …}, the format of ASTRA-sim and STAGE.
/// \throws InputError naming the file, and the group if one is invalid
void read_groups(const std::string& path, Groups& groups);

/// Adds the groups that the traces themselves declare. Several ranks may declare the same group; they must
/// agree.
/// \throws InputError naming the trace
void add_declared(std::span<const RankTrace> traces, Groups& groups);

}  // namespace dse::trace::chakra
