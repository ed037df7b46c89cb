#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dse/results/proof.hpp"
#include "dse/results/table.hpp"
#include "dse/study/sweep.hpp"

namespace dse::app {

/// How hard a proof is attacked.
struct ProofAttack {
    /// Corners of a box that are evaluated at most: with fewer than it has, drawn ones.
    std::uint64_t corners{64};
    std::uint64_t points{4};  ///< drawn anywhere in a box
    /// Points that the engine `event` plays besides, of all boxes together.
    std::uint64_t events{4};
    std::uint64_t seed{1};
};

/// What came of it.
struct ProofFindings {
    std::uint64_t boxes{0};
    std::map<results::Proof::Verdict, std::uint64_t> points;  ///< of the grid, by verdict
    std::uint64_t evaluated{0};                               ///< points, to attack
    std::uint64_t played{0};                                  ///< of these by the engine `event`
    std::uint64_t wrong{0};                                   ///< boxes with a fault
    std::vector<std::string> faults;                          ///< the first few, and those of the whole
};

/// How far a check is.
struct ProofCheckProgress {
    std::uint64_t boxes{0};
    std::uint64_t all_boxes{0};
    std::uint64_t evaluated{0};  ///< points
};

/// Rows of a results file by their ids: what was answered, and whether it fulfils the sweep's conditions.
struct ProofRow {
    std::vector<double> values;
    bool feasible{false};
    std::vector<double> costs;  ///< by the proof's objectives
};
using ProofRows = std::map<std::uint64_t, ProofRow>;

/// \throws InputError when the file cannot be read
ProofRows read_proof_rows(const std::string& file, const results::Proof& proof);

/// Looks at every box of a proof with other code than that which made it: real points are evaluated where the
/// search bounded what no machine is. Times are taken to be least at a corner of a box, whichever; the bounds
/// must not be above the least that the corners say, nor above any point that is tried. \param event  the
/// same sweep under `engine: event` \param watch  called after each box
ProofFindings check_proof(const study::Sweep& sweep, const study::Sweep& event, const results::Proof& proof,
                          const ProofRows& rows, const ProofAttack& attack,
                          const std::function<void(const ProofCheckProgress&)>& watch);

}  // namespace dse::app
