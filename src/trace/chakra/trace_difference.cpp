#include "dse/trace/chakra/trace_difference.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/hash.hpp"
#include "dse/trace/chakra/trace_graph.hpp"

namespace dse::trace::chakra {
namespace {

using StepFields = std::vector<std::pair<std::string_view, std::string>>;

template <class Value>
void add(StepFields& fields, FieldSet present, TraceField field, std::string_view name, const Value& value) {
    if (present.contains(field)) fields.emplace_back(name, fmt::format("{}", value));
}

/// All fields of a node itself.
StepFields step_fields(const RankTrace& rank, NodeIndex node, Durations durations) {
    const Trace& trace = *rank.trace;
    const TraceStep& step = trace.step(node);
    StepFields fields{{"type", std::string{name(step.type)}}, {"host", step.is_cpu_op ? "yes" : "no"}};
    // In traces zero and absent are the same.
    if (durations == Durations::compared)
        fields.emplace_back("duration", std::to_string(step.duration_micros));
    const FieldSet has = step.present;
    add(fields, has, TraceField::num_ops, "num_ops", step.num_ops);
    add(fields, has, TraceField::tensor_size, "tensor_size", step.tensor_size);
    add(fields, has, TraceField::stream, "stream", step.stream);
    add(fields, has, TraceField::thread, "tid", step.thread);
    if (!trace.communicates(node)) return fields;
    const Communication& communication = trace.communication(node);
    add(fields, has, TraceField::comm_type, "comm_type", name(communication.type));
    add(fields, has, TraceField::comm_size, "comm_size", communication.size);
    add(fields, has, TraceField::pg_name, "pg_name", rank.group(communication));
    add(fields, has, TraceField::comm_src, "comm_src", rank.source(communication).value_or(0));
    add(fields, has, TraceField::comm_dst, "comm_dst", rank.destination(communication).value_or(0));
    add(fields, has, TraceField::comm_tag, "comm_tag", rank.tag(communication).value_or(0));
    add(fields, has, TraceField::comm_priority, "comm_priority", communication.priority);
    add(fields, has, TraceField::involved_dim, "involved_dim",
        fmt::format("{:b} of {}", communication.involved, communication.dimensions));
    return fields;
}

std::string text_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(&digest), sizeof digest};
}

/// The nodes of one side, and the digests that identify them.
class Side {
  public:
    Side(const RankTrace& rank, Durations durations) : rank_{rank}, durations_{durations} {
        const Trace& trace = *rank.trace;
        for (std::size_t n = 0; n < trace.size(); ++n) {
            std::string text{trace.name(NodeIndex{n})};
            for (const auto& [field, value] : step_fields(rank, NodeIndex{n}, durations))
                text += fmt::format("\n{}={}", field, value);
            own_.push_back(digest(text));
        }
        for (std::size_t n = 0; n < trace.size(); ++n) wired_.push_back(wired(NodeIndex{n}));
        trace_back();
    }

    [[nodiscard]] std::size_t size() const { return own_.size(); }
    /// Digest of the node itself; with the names of its dependencies; with everything before it.
    [[nodiscard]] const Digest& own(NodeIndex node) const { return own_[node.index()]; }
    [[nodiscard]] const Digest& wired_as(NodeIndex node) const { return wired_[node.index()]; }
    [[nodiscard]] const Digest& history(NodeIndex node) const { return history_[node.index()]; }
    [[nodiscard]] std::string_view name(NodeIndex node) const { return rank_.trace->name(node); }
    [[nodiscard]] std::string place(NodeIndex node) const { return rank_.place(node); }
    [[nodiscard]] StepFields fields(NodeIndex node) const { return step_fields(rank_, node, durations_); }
    [[nodiscard]] std::string waits_for(NodeIndex node) const {
        constexpr std::size_t most = 4;
        std::vector<std::string> names;
        const auto others = rank_.trace->dependencies(node);
        for (std::size_t d = 0; d < std::min(most, others.size()); ++d) names.emplace_back(name(others[d]));
        if (others.size() > most) names.push_back(fmt::format("{} more", others.size() - most));
        return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
    }

  private:
    /// Digest of a node's own digest and those of its dependencies in canonical order.
    template <class Of>
    [[nodiscard]] Digest with_dependencies(NodeIndex node, Of&& of) const {
        const Trace& trace = *rank_.trace;
        std::string text = text_of(own(node));
        for (const auto& others : {trace.control(node), trace.data(node)}) {
            std::vector<Digest> digests;
            for (const NodeIndex other : others) digests.push_back(of(other));
            std::sort(digests.begin(), digests.end());
            text += '|';
            for (const Digest& one : digests) text += text_of(one);
        }
        return digest(text);
    }
    [[nodiscard]] Digest wired(NodeIndex node) const {
        return with_dependencies(node, [this](NodeIndex other) { return digest(name(other)); });
    }
    void trace_back() {
        history_ = wired_;
        const auto order = dependency_order(*rank_.trace);
        if (!order) return;  // nodes on a cycle have no history
        for (const NodeIndex node : *order)
            history_[node.index()] =
                with_dependencies(node, [this](NodeIndex other) { return history(other); });
    }

    const RankTrace& rank_;
    Durations durations_;
    std::vector<Digest> own_;
    std::vector<Digest> wired_;
    std::vector<Digest> history_;
};

/// Matches nodes by one digest after another, the strictest first.
class Matching {
  public:
    Matching(const Side& first, const Side& second) : first_{first}, second_{second} {
        for (std::size_t n = 0; n < first.size(); ++n) left_first_.emplace_back(n);
        for (std::size_t n = 0; n < second.size(); ++n) left_second_.emplace_back(n);
    }

    TraceDifference run() {
        const auto nothing = [](NodeIndex, NodeIndex) {};
        const std::uint64_t same_history =
            match([](const Side& s, NodeIndex n) { return s.history(n); }, nothing);
        const std::uint64_t same_wiring =
            match([](const Side& s, NodeIndex n) { return s.wired_as(n); }, nothing);
        difference_.rewired = match([](const Side& s, NodeIndex n) { return s.own(n); },
                                    [this](NodeIndex a, NodeIndex b) { tell_rewired(a, b); });
        difference_.changed = match([](const Side& s, NodeIndex n) { return digest(s.name(n)); },
                                    [this](NodeIndex a, NodeIndex b) { tell_changed(a, b); });
        difference_.equal = same_history + same_wiring;
        difference_.only_first = left_first_.size();
        difference_.only_second = left_second_.size();
        tell_left(first_, left_first_, "first");
        tell_left(second_, left_second_, "second");
        // Names of dependencies all agree but histories do not: some nodes wait for another node of the same
        // name.
        if (difference_.none() && same_wiring > 0) {
            difference_.equal = same_history;
            difference_.rewired = same_wiring;
            difference_.examples.emplace_back(
                "nodes wait for nodes of the same names, but for others of them");
        }
        return std::move(difference_);
    }

  private:
    template <class Name, class Tell>
    std::uint64_t match(Name&& name, Tell&& tell) {
        std::map<Digest, std::vector<NodeIndex>> there;
        for (auto node = left_second_.rbegin(); node != left_second_.rend(); ++node)
            there[name(second_, *node)].push_back(*node);
        std::vector<NodeIndex> left;
        std::uint64_t matched = 0;
        for (const NodeIndex node : left_first_) {
            const auto found = there.find(name(first_, node));
            if (found == there.end() || found->second.empty()) {
                left.push_back(node);
                continue;
            }
            tell(node, found->second.back());
            found->second.pop_back();
            ++matched;
        }
        left_first_ = std::move(left);
        left_second_.clear();
        for (const auto& [key, nodes] : there)
            left_second_.insert(left_second_.end(), nodes.begin(), nodes.end());
        std::sort(left_second_.begin(), left_second_.end());
        return matched;
    }

    void tell(std::size_t& told, std::string text) {
        if (++told <= TraceDifference::most_examples) difference_.examples.push_back(std::move(text));
    }
    void tell_rewired(NodeIndex a, NodeIndex b) {
        tell(rewired_told_, fmt::format("{} waits for {}; in the second for {}", first_.place(a),
                                        first_.waits_for(a), second_.waits_for(b)));
    }
    void tell_changed(NodeIndex a, NodeIndex b) {
        const StepFields before = first_.fields(a);
        const StepFields after = second_.fields(b);
        std::map<std::string_view, std::pair<std::string, std::string>> values;
        for (const auto& [field, value] : before) values[field].first = value;
        for (const auto& [field, value] : after) values[field].second = value;
        std::vector<std::string> texts;
        for (const auto& [field, value] : values) {
            const auto shown = [](const std::string& text) { return text.empty() ? "absent" : text; };
            if (value.first != value.second)
                texts.push_back(fmt::format("{} {} -> {}", field, shown(value.first), shown(value.second)));
        }
        tell(changed_told_, fmt::format("{}: {}", first_.place(a), fmt::join(texts, ", ")));
    }
    void tell_left(const Side& side, const std::vector<NodeIndex>& left, std::string_view which) {
        std::size_t told = 0;
        for (const NodeIndex node : left)
            tell(told, fmt::format("only in the {}: {}", which, side.place(node)));
    }

    const Side& first_;
    const Side& second_;
    std::vector<NodeIndex> left_first_;
    std::vector<NodeIndex> left_second_;
    TraceDifference difference_;
    std::size_t rewired_told_{0};
    std::size_t changed_told_{0};
};

}  // namespace

TraceDifference compare(const RankTrace& first, const RankTrace& second, Durations durations) {
    const Side a{first, durations};
    const Side b{second, durations};
    return Matching{a, b}.run();
}

}  // namespace dse::trace::chakra
