#include "dse/netsim/astra/fabric.hpp"

#include <algorithm>
#include <utility>

#include "dse/netsim/astra/machine.hpp"

namespace dse::netsim {
namespace {

/// First tag of collectives' messages, beyond the tags that a workload uses.
constexpr std::int64_t collective_tags = 500'000'000;

}  // namespace

/// A collective on one rank.
struct AstraFabric::Job {
    AstraPlan plan;
    std::size_t group;
    std::size_t rank;
    std::int64_t position;  ///< of the rank in its group
    std::int64_t priority;
    AstraEvents::Action done;
    std::vector<Stream> streams;
    std::int64_t left;  ///< chunks that have not finished
};

/// A chunk on one rank.
struct AstraFabric::Stream {
    Job* job;
    std::int64_t id;
    AstraTurns turns;
    std::ptrdiff_t phase{-1};
    bool begun{false};
    bool ended{false};
    std::unique_ptr<AstraProgram> program{};
};

/// A program's interface to the fabric.
class AstraFabric::Host final : public AstraProgram::Host {
  public:
    Host(AstraFabric& fabric, Stream& stream) : fabric_{fabric}, stream_{stream} {}

    void prepare(const AstraBundle& bundle) override {
        const AstraEvents::Action then = bundle.reduced ? reduced(bundle.bytes) : ready();
        // Collectives of proper subgroups bypass the bus.
        if (fabric_.buses_.empty() || fabric_.phase(stream_).of_group) {
            fabric_.events_.at(prepared(), stream_.job->rank, then);
        } else {
            fabric_.buses_[stream_.job->rank].send(bundle, then);
        }
    }
    void send(std::int64_t to, std::int64_t bytes) override {
        fabric_.post_.send({tag(), rank(), fabric_.peer(stream_, to), bytes}, {});
    }
    void receive(std::int64_t from, std::int64_t bytes) override {
        fabric_.post_.receive(
            {tag(), fabric_.peer(stream_, from), rank(), bytes},
            [&fabric = fabric_, &stream = stream_] { fabric.run(stream, &AstraProgram::received); });
    }
    void begin(const ScheduleStep& step, std::uint32_t number) override {
        const auto ended = [&fabric = fabric_, &stream = stream_, number] {
            fabric.end_step(stream, number);
        };
        // Messages of schedules use the workload's range of tags.
        const std::int64_t tag = step.tag % collective_tags;
        switch (step.kind) {
            case ScheduleStep::Kind::send:
                fabric_.post_.send({tag, rank(), fabric_.peer(stream_, step.peer), step.bytes}, ended);
                return;
            case ScheduleStep::Kind::receive:
                fabric_.post_.receive({tag, fabric_.peer(stream_, step.peer), rank(), step.bytes}, ended);
                return;
            case ScheduleStep::Kind::compute:
                fabric_.events_.at(fabric_.events_.now() + AstraCompute::recorded(step.micros),
                                   stream_.job->rank, ended);
                return;
        }
    }
    void finish() override { stream_.ended = true; }

  private:
    [[nodiscard]] Ticks prepared() const {
        return fabric_.events_.now() + fabric_.phase(stream_).endpoint_delay;
    }
    [[nodiscard]] AstraEvents::Action reduced(std::int64_t bytes) {
        return [&fabric = fabric_, rank = stream_.job->rank, ready = ready(), bytes] {
            fabric.events_.at(fabric.events_.now() + fabric.system_.reduction(bytes), rank, ready);
        };
    }
    [[nodiscard]] AstraEvents::Action ready() {
        return [&fabric = fabric_, &stream = stream_] { fabric.run(stream, &AstraProgram::ready); };
    }
    [[nodiscard]] std::int64_t tag() const { return stream_.id % collective_tags + collective_tags; }
    [[nodiscard]] std::int64_t rank() const { return static_cast<std::int64_t>(stream_.job->rank); }

    AstraFabric& fabric_;
    Stream& stream_;
};

AstraFabric::AstraFabric(const AstraSystem& system, Rules rules, std::span<const AstraMembers> groups)
    : system_{system},
      rules_{rules},
      groups_{groups},
      events_{static_cast<std::size_t>(system.npus())},
      post_{system, rules.network, rules.protocol, events_},
      ranks_(static_cast<std::size_t>(system.npus())) {
    for (Rank& rank : ranks_) rank.streams.resize(groups.size());
    for (std::size_t rank = 0; rules.bus && rank < ranks_.size(); ++rank)
        buses_.emplace_back(*rules.bus, events_, rank);
}

AstraFabric::~AstraFabric() = default;

void AstraFabric::set_turns(const AstraTurns& turns) {
    for (Rank& rank : ranks_) rank.turns = turns;
}

void AstraFabric::begin(std::int64_t rank, const AstraPlan& plan, std::size_t group, std::int64_t priority,
                        AstraEvents::Action done) {
    DSE_EXPECT(plan.phase_count > 0 && group < groups_.size());
    Rank& own = ranks_[static_cast<std::size_t>(rank)];
    const AstraMembers& members = groups_[group];
    const auto place = std::ranges::find(members.ranks, rank);
    DSE_EXPECT(members.ranks.empty() || place != members.ranks.end());
    own.jobs.push_back(std::make_unique<Job>(Job{.plan = plan,
                                                 .group = group,
                                                 .rank = static_cast<std::size_t>(rank),
                                                 .position = place - members.ranks.begin(),
                                                 .priority = this->priority(own, priority),
                                                 .done = std::move(done),
                                                 .streams = {},
                                                 .left = plan.chunks}));
    Job& job = *own.jobs.back();
    job.streams.reserve(static_cast<std::size_t>(plan.chunks));
    for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) {
        job.streams.push_back({&job, members.first_stream + own.streams[group]++, own.turns});
        for (const AstraPhase& phase : plan.phases()) {
            if (phase.algorithm.algorithm == hardware::Algorithm::double_binary_tree) ++own.turns[phase.tree];
        }
        go_on(job.streams.back());
    }
}

std::int64_t AstraFabric::priority(Rank& rank, std::int64_t given) const {
    if (rules_.policy == AstraPolicy::by_number) return given;
    const std::int64_t count = rank.collectives++;
    return rules_.policy == AstraPolicy::lifo ? count : -count;
}

/// Moves a chunk to its next phase.
void AstraFabric::go_on(Stream& stream) {
    Job& job = *stream.job;
    Rank& rank = ranks_[job.rank];
    const bool last = stream.phase + 1 == static_cast<std::ptrdiff_t>(job.plan.phase_count);
    std::unique_ptr<Job> ended;
    // Whatever follows a collective starts before its last chunk has left its queue.
    if (last && --job.left == 0) {
        const auto own =
            std::ranges::find_if(rank.jobs, [&](const auto& each) { return each.get() == &job; });
        ended = std::move(*own);
        rank.jobs.erase(own);
        job.done();
    }
    Queue* left = nullptr;
    if (stream.phase >= 0) {
        left = &rank.queues[phase(stream).dimension];
        std::erase(left->streams, &stream);
        --left->working;
    }
    ++stream.phase;
    Queue* joined = nullptr;
    if (!last) {
        joined = &rank.queues[phase(stream).dimension];
        join(stream);
    }
    if (left != nullptr) work(*left);
    if (joined != nullptr) work(*joined);
}

/// Queues the chunk behind all running ones and all of the same or higher priority.
void AstraFabric::join(Stream& stream) {
    stream.begun = false;
    std::vector<Stream*>& streams = ranks_[stream.job->rank].queues[phase(stream).dimension].streams;
    const auto before = std::ranges::find_if(streams, [&](const Stream* other) {
        return !other->begun && other->job->priority < stream.job->priority;
    });
    streams.insert(before, &stream);
}

void AstraFabric::work(Queue& queue) {
    const auto most = static_cast<std::size_t>(system_.active_chunks);
    while (queue.working < std::min(most, queue.streams.size())) {
        Stream& stream = *queue.streams[queue.working];
        const AstraPhase& now = phase(stream);
        stream.begun = true;
        stream.program = make_program(now, index(stream), stream.turns[now.tree] + now.tree_uses);
        run(stream, &AstraProgram::start);
        ++queue.working;
    }
}

void AstraFabric::run(Stream& stream, void (AstraProgram::*step)(AstraProgram::Host&)) {
    Host host{*this, stream};
    (stream.program.get()->*step)(host);
    end_phase_if_done(stream);
}

void AstraFabric::end_step(Stream& stream, std::uint32_t number) {
    Host host{*this, stream};
    stream.program->ended(host, number);
    end_phase_if_done(stream);
}

void AstraFabric::end_phase_if_done(Stream& stream) {
    if (!std::exchange(stream.ended, false)) return;
    stream.program.reset();
    go_on(stream);
}

const AstraPhase& AstraFabric::phase(const Stream& stream) const {
    return stream.job->plan.all_phases[static_cast<std::size_t>(stream.phase)];
}

std::int64_t AstraFabric::index(const Stream& stream) const {
    const AstraPhase& now = phase(stream);
    if (now.of_group) return stream.job->position;
    return static_cast<std::int64_t>(stream.job->rank) / now.stride % now.nodes;
}

std::int64_t AstraFabric::peer(const Stream& stream, std::int64_t index) const {
    const AstraPhase& now = phase(stream);
    if (now.of_group) return groups_[stream.job->group].ranks[static_cast<std::size_t>(index)];
    return static_cast<std::int64_t>(stream.job->rank) + (index - this->index(stream)) * now.stride;
}

}  // namespace dse::netsim
