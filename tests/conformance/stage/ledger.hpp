#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/trace/chakra/trace_reader.hpp"

namespace dse::conformance::stage {

using Ranks = std::vector<std::int64_t>;
using trace::chakra::NodeType;
using trace::chakra::TraceNode;

/// One kind of work: what it is, with whom, and how large.
struct Entry {
    std::string what;
    Ranks ranks;  ///< that meet, or the peer of a message; empty for a kernel
    /// Multiply-accumulates of a product or an attention kernel; elements that a rank puts into a collective
    /// or a message; 0 for other kernels, which are only counted.
    std::int64_t size{0};

    friend auto operator<=>(const Entry&, const Entry&) = default;
};

/// How often a rank does what.
using Ledger = std::map<Entry, std::int64_t>;

inline std::string to_text(const Ledger& ledger) {
    std::string text;
    for (const auto& [entry, count] : ledger) {
        text += fmt::format("    {:>3} x {} {} {}\n", count, entry.what, entry.ranks, entry.size);
    }
    return text;
}

/// The groups that stand beside a trace, by name.
inline std::map<std::string, Ranks> read_groups(const std::string& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file).get<std::map<std::string, Ranks>>();
}

/// A node of any trace that is no kernel.
/// \param element_bytes  of one element as the trace counts sizes
inline Entry communication(const TraceNode& node, const std::map<std::string, Ranks>& groups,
                           std::int64_t element_bytes) {
    const std::int64_t size = node.number("comm_size").value_or(-1) / element_bytes;
    if (node.type == NodeType::comm_send) return {"send", {node.number("comm_dst").value_or(-1)}, size};
    if (node.type == NodeType::comm_recv) return {"receive", {node.number("comm_src").value_or(-1)}, size};
    // The standard's numbers.
    static const std::map<std::int64_t, std::string> kinds{
        {0, "all_reduce"}, {2, "all_gather"}, {6, "all_to_all"}, {7, "reduce_scatter"}};
    return {kinds.at(node.number("comm_type").value_or(-1)), groups.at(std::string{node.text("pg_name")}),
            size};
}

/// A kernel that STAGE wrote, or an entry without a name for what is none: slices, copies of an axis and
/// reshapes are index arithmetic of the kernels around them, and the merging of microbatches is how a product
/// accumulates into the gradient. It says everything in MACs and elements (docs/theory/stage.md 2 and 6).
inline Entry stage_kernel(const TraceNode& node) {
    const std::string_view op = node.text("op_type");
    const std::string_view name = node.name;
    const std::int64_t ops = node.number("num_ops").value_or(-1);
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (op == "M") {
        // Where nothing is summed over, an einsum is an element-wise product.
        const bool sums = ops != node.number("tensor_size").value_or(-1);
        return sums ? Entry{"gemm", {}, ops} : Entry{"elementwise", {}, 0};
    }
    if (op == "CUSTOM") return has("attn_kernel") ? Entry{"attention", {}, ops} : Entry{};
    if (op == "E") return has("loss.") ? Entry{"loss", {}, 0} : Entry{"normalization", {}, 0};
    if (op == "A") return has("@1_COMP") ? Entry{"optimizer", {}, 0} : Entry{"elementwise", {}, 0};
    if (op == "E2") return {"elementwise", {}, 0};
    return {};
}

/// A kernel of ours.
inline Entry own_kernel(const TraceNode& node) {
    constexpr std::int64_t flops_of_mac = 2;
    const std::string what{node.text("op_type")};
    const bool counts = what == "gemm" || what == "attention";
    return {what, {}, counts ? node.number("num_ops").value_or(-1) / flops_of_mac : 0};
}

/// Reads the trace of one rank.
template <class Kernel>
Ledger read_ledger(const std::string& path, const std::map<std::string, Ranks>& groups,
                   std::int64_t element_bytes, const Kernel& kernel) {
    Ledger ledger;
    trace::chakra::TraceReader reader{path};
    TraceNode node;
    while (reader.next(node)) {
        const Entry entry =
            node.type == NodeType::comp ? kernel(node) : communication(node, groups, element_bytes);
        if (!entry.what.empty()) ++ledger[entry];
    }
    return ledger;
}

/// What STAGE has wrong, by the numbers of docs/theory/stage.md, and where it wrote the same work in another
/// form.
enum class Reason : std::uint8_t {
    linear_attention,         ///< 1: the kernel costs the sequence, not its square
    dense_embedding,          ///< 3: the lookup is a product over the vocabulary
    expert_share,             ///< 4: tokens of an expert divided by ep once too often; the router too narrow
    reduced_each_microbatch,  ///< 5
    replicated_over_ep,       ///< 8: experts are not folded into the data-parallel ranks
    missing_operators,        ///< 7: norm weights, final norm, rotary, activation, softmax of the loss
    missing_optimizer,        ///< 7: one addition a weight, no norm of the gradient
    whole_vocabulary,         ///< 7: embedding and head are not split over the vocabulary
    unsharded_ends,           ///< 9: FSDP leaves out embedding and head
    two_matrices,             ///< 10: experts without a gate
    /// No error: what attention gathered is gathered again in the backward pass, as Transformer Engine does.
    gathered_again,
    same_in_another_form,  ///< no error: one kernel or collective where STAGE has parts of it
};

inline std::string_view name(Reason reason) {
    switch (reason) {
        case Reason::linear_attention:
            return "attention linear in the sequence";
        case Reason::dense_embedding:
            return "embedding as a product";
        case Reason::expert_share:
            return "share of an expert";
        case Reason::reduced_each_microbatch:
            return "reduced each microbatch";
        case Reason::replicated_over_ep:
            return "replicated over ep";
        case Reason::missing_operators:
            return "operators missing";
        case Reason::missing_optimizer:
            return "optimizer missing";
        case Reason::whole_vocabulary:
            return "vocabulary not split";
        case Reason::unsharded_ends:
            return "ends not sharded";
        case Reason::two_matrices:
            return "experts without a gate";
        case Reason::gathered_again:
            return "gathered again";
        case Reason::same_in_another_form:
            return "same in another form";
    }
    return "";
}

/// Turns what STAGE wrote into what is right, a reason at a time.
class Correction {
  public:
    explicit Correction(Ledger ledger) : ledger_{std::move(ledger)} {}

    void remove(Reason reason, const Entry& entry, std::int64_t count = 1) {
        const auto found = ledger_.find(entry);
        if (found == ledger_.end() || found->second < count) {
            ADD_FAILURE() << "STAGE wrote no " << count << " x " << entry.what << ' ' << entry.size;
            return;
        }
        if ((found->second -= count) == 0) ledger_.erase(found);
        corrected_[reason] += count;
    }
    void add(Reason reason, const Entry& entry, std::int64_t count = 1) {
        if (count == 0) return;
        ledger_[entry] += count;
        corrected_[reason] += count;
    }

    [[nodiscard]] const Ledger& result() const { return ledger_; }
    /// Nodes taken away or added, by reason.
    [[nodiscard]] const std::map<Reason, std::int64_t>& corrected() const { return corrected_; }

  private:
    Ledger ledger_;
    std::map<Reason, std::int64_t> corrected_;
};

}  // namespace dse::conformance::stage
