#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/trace/chakra/groups.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::trace::chakra {

/// Problems of traces. Errors make a simulator stop, hang or give wrong results; warnings make it answer a
/// different question than asked; notes are for information.
enum class FindingKind : std::uint8_t {
    bad_record,
    cycle,
    invalid_node,
    missing_attribute,
    unknown_group,
    not_a_member,
    members_disagree,
    bad_peer,
    unmatched_send,
    unmatched_receive,
    deadlock,
    zero_bytes,
    no_time,
    unordered_lane,
    nothing_waits,
    counted_in_elements,
    other_order,
    untimed,
    no_streams
};
enum class Severity : std::uint8_t { error, warning, note };
Severity severity(FindingKind kind);
/// "error".
std::string_view name(Severity severity);
/// "unmatched send".
std::string_view name(FindingKind kind);
/// Its consequence, in one sentence.
std::string_view meaning(FindingKind kind);

/// One kind of finding, over all ranks.
struct Finding {
    static constexpr std::size_t most_examples = 5;
    FindingKind kind{FindingKind::bad_record};
    std::uint64_t count{0};             ///< over all ranks
    std::vector<std::string> examples;  ///< the first few: position and description
};

/// Findings by kind, most severe first.
class Findings {
  public:
    void add(FindingKind kind, std::string example, std::uint64_t count = 1);
    [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }
    [[nodiscard]] const Finding* find(FindingKind kind) const;
    /// Whether there are no errors.
    [[nodiscard]] bool ok() const;

  private:
    std::vector<Finding> findings_;
};

enum class Coverage : std::uint8_t {
    all_ranks,  ///< of the job: every group and message can be checked from all sides
    some_ranks
};

/// Checks traces for problems that a simulator would run into.
/// \param faults  as returned by read_traces
/// \param groups  known groups; their members are checked if all ranks are present
Findings check_traces(const TraceSet& set, const std::vector<RankFaults>& faults, const Groups& groups,
                      Coverage coverage);

}  // namespace dse::trace::chakra
