#include "dse/trace/chakra/trace_check.hpp"

#include <fmt/format.h>

#include "trace/chakra/deadlock_check.hpp"
#include "trace/chakra/meeting_check.hpp"
#include "trace/chakra/program_check.hpp"

namespace dse::trace::chakra {

Findings check_traces(const TraceSet& set, const std::vector<RankFaults>& faults, const Groups& groups,
                      Coverage coverage) {
    Findings findings;
    for (const RankFaults& rank : faults) {
        std::uint64_t untold = rank.faults.count;
        for (const TraceFault& fault : rank.faults.all) {
            findings.add(FindingKind::bad_record,
                         fmt::format("{}: {}", set.ranks[rank.rank].path, fault.text));
            --untold;
        }
        if (untold > 0) findings.add(FindingKind::bad_record, {}, untold);
    }
    std::vector<std::uint64_t> times(set.programs, 0);
    for (const std::uint32_t program : set.program) ++times[program];
    std::vector<bool> checked(set.programs, false);
    for (std::size_t rank = 0; rank < set.ranks.size(); ++rank) {
        const std::uint32_t program = set.program[rank];
        if (!checked[program]) check_program(set.ranks[rank], times[program], findings);
        checked[program] = true;
    }
    check_meetings(set, groups, coverage, findings);
    if (coverage == Coverage::all_ranks) check_messages(set, findings);
    // Errors are reasons of their own to wait for ever.
    if (coverage == Coverage::all_ranks && findings.ok()) check_deadlock(set, groups, findings);
    return findings;
}

}  // namespace dse::trace::chakra
