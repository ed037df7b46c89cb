#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// The groups of ranks that traces name in pg_name, and who their members are, in the group's own order.
///
/// No name and "0" mean all ranks, unless a trace declares "0" itself.
class Groups {
  public:
    /// \param ranks  how many there are, >= 1
    explicit Groups(std::int64_t ranks);

    /// \param members  distinct, each below ranks(); empty: all
    /// \throws InputError naming the group and what is wrong with its members, or that it has others already
    void add(const std::string& name, std::vector<std::int64_t> members);

    /// \return nullptr where no group has this name
    [[nodiscard]] const std::vector<std::int64_t>* find(std::string_view name) const;
    /// \throws InputError that no group has this name, and which there are
    [[nodiscard]] const std::vector<std::int64_t>& members(std::string_view name) const;

    [[nodiscard]] std::int64_t ranks() const { return static_cast<std::int64_t>(all_.size()); }
    /// Those that were added, by name.
    [[nodiscard]] const std::map<std::string, std::vector<std::int64_t>, std::less<>>& added() const {
        return groups_;
    }

  private:
    std::vector<std::int64_t> all_;
    std::map<std::string, std::vector<std::int64_t>, std::less<>> groups_;
};

/// Adds the groups of a file {"1": [0, 1, …], "2": …}, as ASTRA-sim and STAGE have it.
/// \throws InputError naming the file, and the group where one is wrong
void read_groups(const std::string& path, Groups& groups);

/// Adds the groups that traces declare themselves. Ranks may declare a group each; they have to agree.
/// \throws InputError naming the trace
void add_declared(std::span<const RankTrace> traces, Groups& groups);

}  // namespace dse::trace::chakra
