#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads XLA's HLO text, of any stage of its compiler: before partitioning or after it, optimised, scheduled;
/// with the header `HloModule` or without; an entry that is marked or the last computation.
///
/// How HLO is said in the common program:
/// - Every instruction is an operation with one result, a tuple where HLO has one. A computation's arguments
///   are the results of its `parameter` operations, by their numbers.
/// - `called` of a while loop: condition, body; of a conditional on a predicate: true, false; of
///   select_and_scatter: select, scatter; of an asynchronous start: the wrapped computation. Those of
///   async_update and async_done are left out: their start has it.
/// - `x-start`, where XLA wraps x into a computation of its own and prints it as if it had not, is an
///   async_start whose computation is made here; `%t#1` is a get_tuple_element that is made here; both are
///   operations without a name, as they are not in the text.
/// - `custom-call` of the targets that only state a sharding is a sharding_constraint.
/// - A loop has the trip count that its backend_config states, else the one that its condition tells.
/// - Device numbers of the groups, and shardings, tell how many devices there are where no header does.
///
/// \throws InputError "name:line:column: reason" where the text is not HLO, is cut off, or holds several
/// modules
Program read_hlo(const Source& source);

/// A file that holds several modules, one behind the other; each but the first begins with `HloModule`.
/// \throws InputError as read_hlo, and where there is none
std::vector<Program> read_hlo_modules(const Source& source);

}  // namespace dse::ir
