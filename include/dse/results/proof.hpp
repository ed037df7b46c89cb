#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dse/space/box.hpp"

namespace dse::results {

/// The proof of a front: for each box of the grid, why none of its unevaluated points is better than the
/// rows.
struct Proof {
    enum class Verdict : std::uint8_t {
        outside = 1,     ///< no point of the box is in the space
        infeasible = 2,  ///< none of them has a result
        evaluated = 3,   ///< the box is one point, which has a row
        dominated = 4,   ///< a row is as good as the bounds of the box, up to the tolerance
        open = 5,        ///< none of these was shown before the search ended
    };
    struct Part {
        space::Box box;
        Verdict verdict{Verdict::open};
        std::uint64_t row{0};        ///< point id of the evaluated or dominating row; else 0
        std::vector<double> bounds;  ///< for each objective, in its own unit; NaN: none
    };
    /// Progress of the search. No feasible point is better in every objective than the front found so far by
    /// more than the share `epsilon`, which is infinite at first.
    struct Mark {
        std::uint64_t points{0};  ///< number of points told
        std::uint64_t bounds{0};  ///< number of boxes bounded
        double epsilon{0.0};
    };

    std::string tolerance;                ///< as a share, such as "0.01"
    std::vector<std::string> objectives;  ///< "iteration_time: minimize"
    std::vector<std::string> axes;        ///< names, in the order of the boxes' runs
    std::vector<Part> parts;              ///< disjoint; together they cover the grid
    std::vector<Mark> course;
    std::optional<std::uint64_t> spent_at;  ///< points after which a budget of time was spent
};

/// Writes a proof to a finished file, replacing an existing one: group /proof (docs/results-schema.md).
/// \throws InputError if the file cannot be read or written
void write_proof(const std::filesystem::path& file, const Proof& proof);

/// \return nothing if the finished file has no proof
/// \throws InputError if the file is damaged
std::optional<Proof> read_proof(const std::filesystem::path& file);

}  // namespace dse::results
