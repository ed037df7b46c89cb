#pragma once

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir {

/// Reads what PyTorch's compiler prints of a module, one rank's program:
/// - FX graph modules as Python text (`GraphModule.print_readable`, Dynamo's, AOTAutograd's and Inductor's
/// dumps);
/// - logs of TORCH_TRACE, of which the graphs that AOTAutograd made are taken (Dynamo's where there are
/// none);
/// - Inductor's artifacts `inductor_collective_schedule` and `inductor_runtime_and_tensor_meta`: a list of
///   operators without operands.
///
/// How FX is said in the common program:
/// - An operator is called as PyTorch calls it, without its overload: "aten.mm",
/// "_c10d_functional.all_reduce". What
///   is no named operator (`x[0]`, `x + y`, a tensor's method) has an opcode and an empty name.
/// - Operands are the values among the arguments, in their order; products have their two factors first. An
///   operator that gives several tensors has one result, a tuple of those that the text asks for.
/// - Operators of higher order run computations: nested classes, or one of a single operator that they are
/// handed.
/// - A collective gathers and scatters along dimension 0. Its ranks are known where the text begins with
/// comments
///   `# mesh: {"axis": size, …}` and `# process_groups: {"name": {"axes": ["axis", …]}}`, as
///   workloads/capture/torch_capture.py writes; else only its group's name and, of some, its size.
/// - Several graphs in one text run one after another: the entry calls them, and an argument that is called
/// as a
///   result of an earlier one is that result (so are forward and backward graphs tied).
/// - A value without annotation is untyped: such texts can be counted, not costed.
///
/// \throws InputError "name:line:column: reason"
Program read_fx(const Source& source);

/// Whether a text looks like one of those.
bool is_fx(std::string_view text);

}  // namespace dse::ir
