#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/output_file.hpp"

namespace dse::trace::chakra {

/// What is hidden of traces, and how much.
struct Obfuscation {
    std::string salt;           ///< of new names: who has it can make them from the old ones, nobody else
    int steps_per_octave{1};    ///< sizes become powers of 2 ^ (1 / steps); 1 or more
    bool keep_durations{true};  ///< rounded likewise, or none
};

/// What was done to a trace.
struct Obfuscated {
    std::uint64_t nodes{0};
    std::uint64_t attributes_dropped{0};
    std::uint64_t operators_renamed{0};  ///< op_type of no common name
    double operations_before{0};         ///< sums of num_ops
    double operations_after{0};
    double bytes_before{0};  ///< sums of tensor_size and comm_size
    double bytes_after{0};
};

/// Attributes that are kept: what simulators read. Everything else is dropped.
std::span<const std::string_view> kept_attributes();

/// Copies a trace and hides what a simulation does not need: names of nodes and attributes that are not kept
/// are dropped; operators without a common name (graph::OpClass) are "other"; sizes, operations and durations
/// are rounded to steps of an octave, 0 and 1 as they are; groups and tags are renamed with the salt, alike
/// in all traces of a job; times begin at 0. Ids, dependencies, kinds, ranks and streams stay. \throws
/// InputError naming the file that cannot be read or written
Obfuscated obfuscate_trace(const std::string& from, const std::string& to, const Obfuscation& how,
                           Existing existing = Existing::replace);

/// The name that a group has afterwards: a number, as simulators want it. Groups without a name and "0",
/// which are all ranks, stay.
std::string renamed_group(std::string_view name, const Obfuscation& how);

/// The nearest power of 2 ^ (1 / steps), as a whole number; sizes below 2 stay.
std::uint64_t quantised(std::uint64_t size, int steps_per_octave);

/// Copies the file of groups that stands beside traces, renamed.
/// \throws InputError naming the file that is none, or where two groups would have one name
void obfuscate_groups(const std::string& from, const std::string& to, const Obfuscation& how,
                      Existing existing = Existing::replace);

}  // namespace dse::trace::chakra
