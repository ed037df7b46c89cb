#include "sim/replay/check_schedules.hpp"

#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/netsim/schedule/check_schedule.hpp"
#include "sim/replay/astra_step.hpp"

namespace dse::sim::replay {
namespace {

using netsim::AstraSchedule;
using trace::chakra::NodeIndex;
using trace::chakra::NodeType;
using trace::chakra::Trace;

class Check {
  public:
    explicit Check(const AstraJob& job) : job_{job} {}

    void run() {
        for (std::size_t rank = 0; rank < job_.ranks.size(); ++rank) {
            const Trace& trace = *job_.ranks[rank].trace;
            for (std::size_t i = 0; i < trace.size(); ++i) {
                if (trace.step(NodeIndex{i}).type == NodeType::comm_coll)
                    check(static_cast<std::int64_t>(rank), NodeIndex{i});
            }
        }
    }

  private:
    void check(std::int64_t rank, NodeIndex node) {
        const AstraStep step = astra_step(job_, rank, node);
        if (step.what != AstraStep::What::collective) return;
        const netsim::AstraPhase& phase = step.plan.all_phases[0];
        // For collectives without a group, ASTRA-sim looks up the schedule each time.
        if (step.group != AstraGroups::all) {
            const auto [first, is_new] =
                first_.try_emplace({rank, step.group, phase.kind}, First{phase.schedule, node});
            if (!is_new && first->second.schedule != phase.schedule) {
                throw InputError(fmt::format(
                    "{} and {}: of one kind and group, with different implementations; ASTRA-sim keeps "
                    "the one of the first for both",
                    place_of(job_, rank, first->second.node), place_of(job_, rank, node)));
            }
        }
        if (phase.schedule == nullptr) return;
        if (!job_.groups.groups()[step.group].ascending) {
            throw InputError(
                fmt::format("{}: its group lists its ranks out of order, and has a collective from trace "
                            "files: ASTRA-sim "
                            "takes programs by sorted, peers by listed places, and fails",
                            place_of(job_, rank, node)));
        }
        if (!checked_.emplace(phase.schedule, phase.nodes).second) return;
        netsim::check_schedule(phase.schedule->schedule, static_cast<std::size_t>(phase.nodes));
    }

    struct First {
        const AstraSchedule* schedule;
        NodeIndex node;
    };

    const AstraJob& job_;
    std::map<std::tuple<std::int64_t, std::size_t, graph::CollectiveKind>, First> first_;
    std::set<std::pair<const AstraSchedule*, std::int64_t>> checked_;
};

}  // namespace

void check_schedules(const AstraJob& job) {
    Check{job}.run();
}

}  // namespace dse::sim::replay
