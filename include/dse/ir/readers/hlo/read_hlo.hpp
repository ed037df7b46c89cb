#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads XLA's HLO text from any stage of its compiler: before or after partitioning, optimized, scheduled;
/// with or without the header `HloModule`. The entry is the marked computation, else the last one.
///
/// Representation of HLO in the common program:
/// - Every instruction is an operation with one result, which may be a tuple. The arguments of a computation
///   are the results of its `parameter` operations, by number.
/// - `called` of a while loop: condition, body; of a conditional on a predicate: true, false; of
///   select_and_scatter: select, scatter; of an asynchronous start: the wrapped computation. It is omitted
///   for async_update and async_done, since their start has it.
/// - `x-start`, for which XLA wraps x into a computation but does not print it, is an async_start whose
///   computation is created by the reader; `%t#1` is a get_tuple_element created by the reader. Both have no
///   name, as they are not in the text.
/// - A `custom-call` whose target only states a sharding is a sharding_constraint.
/// - The trip count of a loop is taken from its backend_config, else derived from its condition.
/// - Without a header the number of devices is taken from the device numbers in groups, and from shardings.
///
/// \throws InputError "name:line:column: reason" if the text is not HLO, is truncated, or contains several
///         modules
Program read_hlo(const Source& source);

/// Reads a file with several consecutive modules; each but the first starts with `HloModule`.
/// \throws InputError as read_hlo, and if there is no module
std::vector<Program> read_hlo_modules(const Source& source);

}  // namespace dse::ir
