#include "sim/replay/job_replay.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::sim::replay {

using netsim::Ticks;
using trace::chakra::Communication;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::RankTrace;
using trace::chakra::Trace;
using trace::chakra::TraceStep;

namespace {

bool counts(const TraceStep& step) {
    return !step.is_cpu_op && step.type != NodeType::metadata && step.type != NodeType::invalid;
}

}  // namespace

RankProgram::RankProgram(const RankTrace& rank, Dependencies dependencies)
    : lanes{*rank.trace},
      table{rank, lanes.before(), dependencies},
      has_times{std::ranges::any_of(rank.trace->steps(), [](const TraceStep& step) {
          return step.duration_micros > 0 || step.num_ops > 0 || step.tensor_size > 0;
      })} {}

JobPrograms::JobPrograms(std::span<const RankTrace> ranks, Dependencies dependencies) {
    for (const RankTrace& rank : ranks) {
        auto& program = programs_[rank.trace.get()];
        if (!program) program = std::make_unique<RankProgram>(rank, dependencies);
    }
}

int& JobReplay::Usage::count(Ticks now, bool kernel) {
    const Ticks passed = now - last_;
    last_ = now;
    if (kernels_ > 0) {
        compute_ += passed;
    } else if (others_ > 0) {
        exposed_ += passed;
    }
    return kernel ? kernels_ : others_;
}

JobReplay::JobReplay(const MachineJob& job, const JobPrograms& programs, NodeTimes& times,
                     MachineWires& wires, netsim::AstraEvents& events, SpanObserver observe)
    : traces_{job.ranks},
      groups_{*job.groups},
      times_{times},
      wires_{wires},
      events_{events},
      observe_{std::move(observe)},
      ranks_left_{job.ranks.size()} {
    ranks_.reserve(traces_.size());
    for (const RankTrace& rank : traces_) {
        const RankProgram& program = programs.of(rank);
        ranks_.push_back({&program, IssueQueue{program.table, program.lanes.lanes()}, {}, {}, 0, {}, false});
    }
}

void JobReplay::begin() {
    begun_ = events_.now();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) pass(rank);
}

Seconds JobReplay::time() const {
    DSE_EXPECT(has_ended());
    Ticks last = begun_;
    for (const Rank& rank : ranks_) last = std::max(last, rank.finish);
    return seconds_of(last - begun_);
}

std::vector<MachineRank> JobReplay::results() const {
    std::vector<MachineRank> results;
    for (const Rank& rank : ranks_) {
        results.push_back({seconds_of(rank.finish - begun_), seconds_of(rank.usage.compute()),
                           seconds_of(rank.usage.exposed())});
    }
    return results;
}

const TraceStep& JobReplay::step_of(std::size_t rank, std::uint32_t node) const {
    return traces_[rank].trace->step(NodeIndex{node});
}

Lane JobReplay::lane(std::size_t rank, std::uint32_t node) const {
    return ranks_[rank].program->lanes.of(node);
}

void JobReplay::pass(std::size_t rank) {
    Rank& own = ranks_[rank];
    own.queue.begin_pass([&](std::uint32_t node) { return lane(rank, node); });
    while (const auto node = own.queue.next()) issue(rank, *node);
    if (own.queue.left() > 0 || own.ended) return;
    own.ended = true;
    own.finish = events_.now();
    --ranks_left_;
}

void JobReplay::issue(std::size_t rank, std::uint32_t node) {
    const TraceStep& step = step_of(rank, node);
    if (counts(step)) ranks_[rank].usage.begin(events_.now(), step.type == NodeType::comp);
    ranks_[rank].at_work.push_back({node, events_.now(), events_.now()});
    try {
        begin(rank, node, step);
    } catch (const ModelError& error) {
        throw InputError(fmt::format("{}: {}", place(rank, node), error.what()));
    }
}

void JobReplay::begin(std::size_t rank, std::uint32_t node, const TraceStep& step) {
    switch (step.type) {
        case NodeType::comm_coll:
            meet(rank, node);
            return;
        case NodeType::comm_send:
            send(rank, node);
            return;
        case NodeType::comm_recv:
            receive(rank, node);
            return;
        case NodeType::mem_load:
        case NodeType::mem_store:
            end_after(rank, node, times_.copy(step));
            return;
        default:
            if (step.type == NodeType::comp && !ranks_[rank].program->has_times)
                throw ModelError("no node of its trace has a duration, or operations and bytes");
            end_after(rank, node, times_.compute(step));
    }
}

void JobReplay::end_after(std::size_t rank, std::uint32_t node, Seconds time) {
    ++under_way_;
    events_.at(events_.now() + quanta(time), [this, rank, node] {
        --under_way_;
        end(rank, node);
    });
}

void JobReplay::has_met(std::size_t rank, std::uint32_t node) {
    std::ranges::find(ranks_[rank].at_work, node, &NodeAtWork::node)->met = events_.now();
}

void JobReplay::end(std::size_t rank, std::uint32_t node) {
    Rank& own = ranks_[rank];
    const TraceStep& step = step_of(rank, node);
    if (counts(step)) own.usage.end(events_.now(), step.type == NodeType::comp);
    const auto work = std::ranges::find(own.at_work, node, &NodeAtWork::node);
    if (observe_) tell(rank, *work);
    own.at_work.erase(work);
    own.queue.end(node, lane(rank, node));
    pass(rank);
}

void JobReplay::tell(std::size_t rank, const NodeAtWork& work) const {
    const auto since = [this](Ticks tick) { return seconds_of(tick - begun_); };
    observe_({static_cast<std::int64_t>(rank), NodeIndex{work.node}, since(work.start), since(work.met),
              since(events_.now())});
}

const Communication& JobReplay::said(std::size_t rank, std::uint32_t node) const {
    const Trace& trace = *traces_[rank].trace;
    if (!trace.communicates(NodeIndex{node})) throw ModelError("it says nothing of its communication");
    return trace.communication(NodeIndex{node});
}

const std::vector<std::int64_t>& JobReplay::members(std::size_t rank,
                                                    const Communication& communication) const {
    const auto& members = groups_.members(traces_[rank].group(communication));
    if (std::ranges::count(members, static_cast<std::int64_t>(rank)) == 0)
        throw ModelError(fmt::format("rank {} is not a member of its group", rank));
    return members;
}

void JobReplay::meet(std::size_t rank, std::uint32_t node) {
    const Communication& own = said(rank, node);
    const std::vector<std::int64_t>& group = members(rank, own);
    if (group.size() == 1) {
        // The traces of the other members may not be available.
        const auto micros = static_cast<double>(step_of(rank, node).duration_micros);
        end_after(rank, node, Seconds{micros * 1e-6});
        return;
    }
    const auto key = std::pair{&group, ranks_[rank].met[&group]++};
    Meeting& meeting = meetings_[key];
    if (meeting.came.empty()) meeting.first = own;
    if (own.type != meeting.first.type || own.size != meeting.first.size) {
        const auto& [other, its] = meeting.came.front();
        throw ModelError(fmt::format("it is a {} of {} bytes, but its group meets in {}, a {} of {} bytes",
                                     name(own.type), own.size, place(other, its), name(meeting.first.type),
                                     meeting.first.size));
    }
    meeting.came.emplace_back(rank, node);
    if (meeting.came.size() < group.size()) return;
    for (const auto& [member, its] : meeting.came) has_met(member, its);
    ++under_way_;
    wires_.collective(own.type, own.size, group, [this, came = std::move(meeting.came)] {
        --under_way_;
        for (const auto& [member, its] : came) end(member, its);
    });
    meetings_.erase(key);
}

JobReplay::ChannelKey JobReplay::channel(std::size_t rank, std::uint32_t node) const {
    const RankTrace& trace = traces_[rank];
    const Communication& own = said(rank, node);
    const auto self = static_cast<std::int64_t>(rank);
    const bool sends = step_of(rank, node).type == NodeType::comm_send;
    const auto from = sends ? self : trace.source(own).value_or(-1);
    const auto to = sends ? trace.destination(own).value_or(-1) : self;
    const std::int64_t other = sends ? to : from;
    if (other < 0 || other >= std::ssize(traces_) || other == self)
        throw ModelError(fmt::format("there is no other rank {} at its end", other));
    return {from, to, trace.tag(own).value_or(0), own.size};
}

void JobReplay::send(std::size_t rank, std::uint32_t node) {
    const ChannelKey key = channel(rank, node);
    const auto& [from, to, tag, bytes] = key;
    ++under_way_;
    wires_.message(from, to, bytes, [this, rank, node, key] {
        --under_way_;
        end(rank, node);
        Channel& channel = channels_[key];
        if (channel.awaiting.empty()) {
            ++channel.arrived;
            return;
        }
        const Action received = std::move(channel.awaiting.front());
        channel.awaiting.pop_front();
        received();
    });
}

void JobReplay::receive(std::size_t rank, std::uint32_t node) {
    Channel& channel = channels_[this->channel(rank, node)];
    if (channel.arrived == 0) {
        channel.awaiting.emplace_back([this, rank, node] {
            has_met(rank, node);
            end(rank, node);
        });
        return;
    }
    --channel.arrived;
    end_after(rank, node, Seconds{});
}

std::string JobReplay::place(std::size_t rank, std::uint32_t node) const {
    return fmt::format("rank {}: {}", rank, traces_[rank].place(NodeIndex{node}));
}

void JobReplay::check_ended() const {
    std::string text;
    std::size_t stuck = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        if (ranks_[rank].queue.left() == 0) continue;
        constexpr std::size_t most = 8;
        if (++stuck <= most) text += "\n  " + waiting(rank);
    }
    if (stuck == 0) return;
    throw InputError(
        fmt::format("after {:.6f} s nothing happens any more, and {} of {} ranks have nodes left:{}",
                    seconds_of(events_.now()).value(), stuck, ranks_.size(), text));
}

std::string JobReplay::waiting(std::size_t rank) const {
    DSE_REQUIRE(!ranks_[rank].at_work.empty());
    const std::uint32_t node = ranks_[rank].at_work.front().node;
    const TraceStep& step = step_of(rank, node);
    if (step.type == NodeType::comm_recv) {
        const auto [from, to, tag, bytes] = channel(rank, node);
        return fmt::format("{} waits for {} bytes from rank {} under tag {}", place(rank, node), bytes, from,
                           tag);
    }
    std::string missing;
    const auto& group = members(rank, said(rank, node));
    for (const std::int64_t member : group) {
        const auto other = static_cast<std::size_t>(member);
        const auto met = [&](std::size_t who) {
            if (who >= ranks_.size())
                return decltype(ranks_[who].met.begin()->second){0};  // has no trace here
            const auto found = ranks_[who].met.find(&group);
            return found == ranks_[who].met.end() ? 0 : found->second;
        };
        if (met(other) < met(rank)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", member);
    }
    return fmt::format("{} waits for these members to come: rank {}", place(rank, node), missing);
}

}  // namespace dse::sim::replay
