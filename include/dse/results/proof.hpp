#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dse/space/box.hpp"

namespace dse::results {

/// Why no point of a box that has no row is better than those that have: what a search that proves leaves
/// behind.
struct Proof {
    enum class Verdict : std::uint8_t {
        outside = 1,     ///< no point of the box is in the space
        infeasible = 2,  ///< none of them has an answer
        evaluated = 3,   ///< the box is one point, which has a row
        dominated = 4,   ///< a row is as good as the bounds of the box, but for the tolerance
        open = 5,        ///< nothing of this was shown: the search ended before
    };
    struct Part {
        space::Box box;
        Verdict verdict{Verdict::open};
        std::uint64_t row{0};        ///< point id of the row that is meant; 0 where none is
        std::vector<double> bounds;  ///< of each objective, in its own unit; NaN: none
    };
    /// How far the search was. No feasible point is better than the best found so far in every objective by
    /// more than the share `epsilon`; infinite at first.
    struct Mark {
        std::uint64_t points{0};  ///< told
        std::uint64_t bounds{0};  ///< boxes bounded
        double epsilon{0.0};
    };

    std::string tolerance;                ///< as a share, such as "0.01"
    std::vector<std::string> objectives;  ///< "iteration_time: minimize"
    std::vector<std::string> axes;        ///< names, in the order of the boxes' runs
    std::vector<Part> parts;              ///< disjoint, and together all of the grid
    std::vector<Mark> course;
    std::optional<std::uint64_t> spent_at;  ///< points after which a budget of time was spent
};

/// Puts a proof into a finished file, in place of one that it has: group /proof (docs/results-schema.md).
/// \throws InputError when the file cannot be read or written
void write_proof(const std::filesystem::path& file, const Proof& proof);

/// \return nothing where a finished file holds none
/// \throws InputError for a file that is damaged
std::optional<Proof> read_proof(const std::filesystem::path& file);

}  // namespace dse::results
