#pragma once

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads the output of PyTorch's compiler for a module, the program of one rank:
/// - FX graph modules as Python text (`GraphModule.print_readable`; dumps of Dynamo, AOTAutograd and
///   Inductor);
/// - TORCH_TRACE logs, from which AOTAutograd's graphs are taken (Dynamo's if there are none);
/// - Inductor's artifacts `inductor_collective_schedule` and `inductor_runtime_and_tensor_meta`: a list of
///   operators without operands.
///
/// Representation of FX in the common program:
/// - An operator has PyTorch's name without its overload: "aten.mm", "_c10d_functional.all_reduce".
///   Operations that are not named operators (`x[0]`, `x + y`, methods of a tensor) have an opcode and an
///   empty name.
/// - Operands are the values among the arguments, in order; products have their two factors first. An
///   operator with several tensors as results has one result, a tuple of those that the text uses.
/// - Higher-order operators call computations: nested classes, or one with the single operator passed to
///   them.
/// - A collective gathers and scatters along dimension 0. Its ranks are known if the text starts with
///   comments `# mesh: {"axis": size, …}` and `# process_groups: {"name": {"axes": ["axis", …]}}`, as written
///   by workloads/capture/torch_capture.py; otherwise only the name of its group and, for some, its size.
/// - Several graphs in one text run one after another: the entry calls them, and an argument with the name of
///   an earlier graph's result is that result (which connects forward and backward graphs).
/// - A value without annotation is untyped: operations of such texts can be counted, but have no cost.
///
/// \throws InputError "name:line:column: reason"
Program read_fx(const Source& source);

/// Whether a text looks like one of these.
bool is_fx(std::string_view text);

}  // namespace dse::ir
