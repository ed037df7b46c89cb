#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/graph/precision.hpp"

namespace dse::eval {

/// Names as sources.yaml spells them (values are of no interest here).
using KnownNames = std::map<std::string, std::string>;

/// The known chip that a table calls `name`. "H100-SXM5-80GB" and "NVIDIA H100 80GB HBM3" are H100-SXM-80;
/// "H100" is that, too, if it is the only H100 that is known.
std::optional<std::string> chip_named(const std::string& name, const KnownNames& known);

/// The known model that a table calls `name`: "meta-llama/Llama-3-70B-Instruct" is llama3-70b.
std::optional<std::string> model_named(const std::string& name, const KnownNames& known);

/// The row with its chip and its model as its source calls them; with unknown names as they are.
TruthRow with_known_names(TruthRow row, const TruthSource& source);

/// Precision of products: "bfloat16", "MXFP8", "fp8-hybrid". Text in parentheses concerns other tensors:
/// "bf16 (fp32 master)". bf16 if the text is empty.
std::optional<graph::Precision> precision_named(std::string_view text);

/// How model and optimizer states are sharded: up to `full`, in the order of ZeRO's stages 0 to 3.
enum class StateSharding : std::uint8_t { none, optimizer, gradients, full, hybrid, of_stack };

/// ZeRO's stages ("1", "ZeRO-3"), and what frameworks call them ("FSDP2", "full_shard", "distributed
/// optimizer"), without what `shards_in_node` reads. Of the stack if the text is empty, or if it only
/// qualifies FSDP ("fsdp(zero-1/2)").
std::optional<StateSharding> sharding_named(std::string_view text);

/// Whether states are sharded within a node and replicated over nodes ("1 in a node"; "HSDP" says so itself).
bool shards_in_node(std::string_view text);

/// The seconds that a value and its unit ("ms/iter", "s") state; nothing for other units.
std::optional<double> seconds_of(double value, std::string_view unit);

}  // namespace dse::eval
