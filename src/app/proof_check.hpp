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

/// How thoroughly a proof is tested.
struct ProofAttack {
    /// Largest number of corners to evaluate per box; drawn at random if the box has more.
    std::uint64_t corners{64};
    std::uint64_t points{4};  ///< points to draw anywhere in a box
    /// Points that are also simulated by the engine `event`, in all boxes together.
    std::uint64_t events{4};
    std::uint64_t boxes{0};  ///< number of boxes to test, drawn at random; 0: all
    std::uint64_t seed{1};
};

/// Findings of a check.
struct ProofFindings {
    std::uint64_t boxes{0};
    std::map<results::Proof::Verdict, std::uint64_t> points;  ///< points of the grid, by verdict
    std::uint64_t evaluated{0};                               ///< points evaluated for the check
    std::uint64_t played{0};                                  ///< points simulated by the engine `event`
    std::uint64_t wrong{0};                                   ///< boxes with a fault
    std::vector<std::string> faults;                          ///< the first few, and those of the whole proof
};

/// Progress of a check.
struct ProofCheckProgress {
    std::uint64_t boxes{0};
    std::uint64_t all_boxes{0};
    std::uint64_t evaluated{0};  ///< points
};

/// A row of a results file: its answer, and whether it meets the conditions of the sweep.
struct ProofRow {
    std::vector<double> values;
    bool feasible{false};
    std::vector<double> costs;  ///< by the proof's objectives
};
using ProofRows = std::map<std::uint64_t, ProofRow>;  ///< by point id

/// \throws InputError if the file cannot be read
ProofRows read_proof_rows(const std::string& file, const results::Proof& proof);

/// Checks every box of a proof with code that is independent of the code that made it: it evaluates real
/// points, while the search computed bounds for idealized machines. The minimum time of a box is assumed to
/// be at one of its corners; the bounds must exceed neither the minimum over the corners nor any point tried.
/// \param event  the same sweep with `engine: event`
/// \param watch  called after each box
ProofFindings check_proof(const study::Sweep& sweep, const study::Sweep& event, const results::Proof& proof,
                          const ProofRows& rows, const ProofAttack& attack,
                          const std::function<void(const ProofCheckProgress&)>& watch);

}  // namespace dse::app
