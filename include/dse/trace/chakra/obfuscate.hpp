#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/output_file.hpp"

namespace dse::trace::chakra {

/// What is hidden in traces, and to what degree.
struct Obfuscation {
    std::string salt;           ///< secret from which the new names are derived: needed to reproduce them
                                ///< from the old ones
    int steps_per_octave{1};    ///< sizes are rounded to powers of 2 ^ (1 / steps); >= 1
    bool keep_durations{true};  ///< rounded like sizes; else dropped
};

/// Changes made to a trace.
struct Obfuscated {
    std::uint64_t nodes{0};
    std::uint64_t attributes_dropped{0};
    std::uint64_t operators_renamed{0};  ///< op_type without a common name
    double operations_before{0};         ///< sum of num_ops
    double operations_after{0};
    double bytes_before{0};  ///< sum of tensor_size and comm_size
    double bytes_after{0};
};

/// Attributes that are kept: those that simulators read. All others are dropped.
std::span<const std::string_view> kept_attributes();

/// Copies a trace, hiding what a simulation does not need. Names of nodes and attributes that are not kept
/// are dropped. Operators without a common name (graph::OpClass) become "other". Sizes, operations and
/// durations are rounded to steps of an octave; 0 and 1 stay. Groups and tags are renamed with the salt,
/// consistently across all traces of a job. Times are relative to the first one. Ids, dependencies, types,
/// ranks and streams are kept.
/// \throws InputError naming the file that cannot be read or written
Obfuscated obfuscate_trace(const std::string& from, const std::string& to, const Obfuscation& how,
                           Existing existing = Existing::replace);

/// New name of a group: a number, as simulators require. The groups "" and "0", which stand for all ranks,
/// keep their names.
std::string renamed_group(std::string_view name, const Obfuscation& how);

/// The nearest power of 2 ^ (1 / steps), rounded to an integer; sizes below 2 are unchanged.
std::uint64_t quantised(std::uint64_t size, int steps_per_octave);

/// Copies the file of groups that accompanies traces, with new names.
/// \throws InputError naming the file if it is invalid, or if two groups would get the same name
void obfuscate_groups(const std::string& from, const std::string& to, const Obfuscation& how,
                      Existing existing = Existing::replace);

}  // namespace dse::trace::chakra
