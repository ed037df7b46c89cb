#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/base/hash.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/column.hpp"

namespace dse::results {

/// Version of the file format, "major.minor"; specified in docs/results-schema.md.
inline constexpr std::string_view schema_version = "2.1";

/// Whether files of a version can be read: those of this and the previous major version can.
bool is_readable(std::string_view version);

/// Whether rows of a file of that version may be combined with rows of this dse: only within a major version.
bool is_current(std::string_view version);

/// "version 3.x and 2.x", for messages.
std::string readable_versions();

/// Identity of a sweep.
struct SweepIdentity {
    std::string name;
    std::string yaml;  ///< the sweep as given by the user
    /// What `--set` changed of it, as "key=value". Not part of the digest: the facts have the values.
    std::vector<std::string> settings;
    Digest digest;  ///< of everything that decides the rows; equal digests, equal rows
    std::uint64_t seed{0};
    std::uint64_t points{0};  ///< number of indices of the space, including those dropped by `require`
    /// Content of the digest as names and values, in the order of the sweep, to tell users what changed.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<metrics::Objective> objectives;  ///< not part of the digest, since they do not affect rows
};

/// The sweep's name and what `--set` changed of it: "layouts (--set devices=64)".
std::string title(const SweepIdentity& sweep);

/// A column of results, under /metrics in a results file.
struct MetricColumn {
    std::string name;
    std::string unit;

    friend bool operator==(const MetricColumn&, const MetricColumn&) = default;
};

/// The metrics that this dse computes, in the order of their columns.
std::vector<MetricColumn> metric_columns();

/// Schema of the results file of one sweep.
struct ResultSchema {
    SweepIdentity sweep;
    std::vector<Column> points;  ///< axes, then derived values, as in space::Point::values
    std::vector<MetricColumn> metrics{metric_columns()};
};

/// \throws InputError for an invalid column name (empty, with '/', or repeated) and for a label column
///         without labels or with equal ones
void validate(const ResultSchema& schema);

/// Differences between the sweep that wrote `found` and the one that is to resume it: one line each, in the
/// terms of the facts. Empty if rows of both may be combined in one file.
std::vector<std::string> differences(const ResultSchema& found, const ResultSchema& wanted);

}  // namespace dse::results
