#include "dse/netsim/schedule/schedule.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::netsim {
namespace {

using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::TraceField;
using trace::chakra::TraceStep;

/// One node of a trace file.
class Record {
  public:
    Record(const RankTrace& trace, NodeIndex node)
        : trace_{trace}, node_{node}, said_{trace.trace->step(node)} {}

    [[nodiscard]] ScheduleStep step() const {
        ScheduleStep step;
        step.id = said_.id;
        step.micros = said_.duration_micros;
        switch (said_.type) {
            case NodeType::comp:
                return step;
            case NodeType::comm_send:
            case NodeType::comm_recv:
                add_message(step);
                return step;
            default:
                refuse("a schedule is made of sends, receives and computation");
        }
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("'{}': {}: {}", trace_.path, trace_.place(node_), why));
    }
    void need(TraceField field, const char* name) const {
        if (!said_.present.contains(field)) refuse(fmt::format("it has no {}", name));
    }

    void add_message(ScheduleStep& step) const {
        const bool sends = said_.type == NodeType::comm_send;
        need(TraceField::comm_size, "comm_size");
        need(TraceField::comm_tag, "comm_tag");
        need(sends ? TraceField::comm_dst : TraceField::comm_src, sends ? "comm_dst" : "comm_src");
        const Communication& message = trace_.trace->communication(node_);
        step.kind = sends ? ScheduleStep::Kind::send : ScheduleStep::Kind::receive;
        step.peer = *(sends ? trace_.destination(message) : trace_.source(message));
        step.tag = *trace_.tag(message);
        step.bytes = message.size;
        if (step.bytes < 1) refuse("a message of no bytes (comm_size)");
        if (step.peer < 0) refuse(fmt::format("there is no member {}", step.peer));
    }

    const RankTrace& trace_;
    NodeIndex node_;
    const TraceStep& said_;
};

/// Product rounded to a whole number. Files may hold any value, so the product is capped.
std::int64_t times(double number, double factor) {
    constexpr double most = 0x1p62;
    return std::llround(std::min(number * factor, most));
}

}  // namespace

ScheduleProgram::ScheduleProgram(const RankTrace& trace) : path_{trace.path}, first_parent_{0} {
    for (std::uint32_t i = 0; i < trace.trace->size(); ++i) {
        const NodeIndex node{i};
        steps_.push_back(Record{trace, node}.step());
        names_.emplace_back(trace.trace->name(node));
        for (const NodeIndex parent : trace.trace->data(node))
            parents_.push_back(static_cast<std::uint32_t>(parent.index()));
        for (const NodeIndex parent : trace.trace->control(node))
            parents_.push_back(static_cast<std::uint32_t>(parent.index()));
        first_parent_.push_back(static_cast<std::uint32_t>(parents_.size()));
    }
    children_.resize(steps_.size());
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
        for (const std::uint32_t parent : parents(i)) children_[parent].push_back(i);
    }
    if (steps_.empty())
        throw InputError(fmt::format("'{}': a member of a schedule has nothing to do", path_));
}

void ScheduleProgram::scale(double factor) {
    for (ScheduleStep& step : steps_) {
        if (step.kind == ScheduleStep::Kind::compute)
            step.micros = static_cast<std::uint64_t>(times(static_cast<double>(step.micros), factor));
        else
            step.bytes = std::max(std::int64_t{1}, times(static_cast<double>(step.bytes), factor));
    }
}

Schedule Schedule::scaled(double scale) const {
    Schedule result = *this;
    for (ScheduleProgram& member : result.members) member.scale(scale);
    return result;
}

std::string ScheduleProgram::place(std::uint32_t step) const {
    return fmt::format("'{}': {}", path_,
                       trace::chakra::place_of(NodeIndex{step}, steps_[step].id, names_[step]));
}

Schedule read_schedule(const std::string& prefix) {
    Schedule schedule{prefix, {}};
    for (const RankTrace& rank : trace::chakra::read_traces(trace::chakra::trace_files(prefix)).ranks)
        schedule.members.emplace_back(rank);
    return schedule;
}

}  // namespace dse::netsim
