#include "dse/serving/deployment.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "serving/failure_clock.hpp"
#include "serving/lanes.hpp"
#include "serving/pipeline.hpp"
#include "serving/rank_group.hpp"
#include "serving/router.hpp"
#include "serving/running_replicas.hpp"
#include "serving/unfit.hpp"

namespace dse::serving {
namespace {

/// Clients stay with one scheduler; with fewer clients than schedulers some are idle.
void serve_by_turns(const Deployment& deployment, StepTime& step_time, Requests& requests, Recorder& recorder,
                    const std::function<void()>& checkpoint) {
    const std::int64_t all = deployment.schedulers();
    const std::int64_t busy = deployment.clients > 0 ? std::min(all, deployment.clients) : all;
    const std::int64_t groups = deployment.replicas * deployment.stages;
    const ReplicaLimits limits = lane_limits(deployment.limits, deployment.stages);
    for (std::int64_t number = 0; number < std::min(busy, deployment.replicas); ++number) {
        Pipeline pipeline{static_cast<std::size_t>(deployment.stages)};
        std::vector<std::unique_ptr<Replica>> ranks;
        std::vector<RankGroup> lanes;
        for (std::int64_t lane = number; lane < std::min(busy, groups); lane += deployment.replicas) {
            lanes.emplace_back(static_cast<std::size_t>(deployment.ranks), limits.engine, step_time,
                               deployment.stages > 1 ? &pipeline : nullptr);
            lanes.back().set_tokens_a_step(deployment.tokens_a_step);
            lanes.back().set_checkpoint(checkpoint);
            for (std::int64_t i = lane; i < busy; i += groups) {
                const std::int64_t clients =
                    deployment.clients / busy + (i < deployment.clients % busy ? 1 : 0);
                const Share share{
                    requests, static_cast<std::size_t>(i),       static_cast<std::size_t>(busy), clients,
                    nullptr,  static_cast<std::uint32_t>(number)};
                ranks.push_back(std::make_unique<Replica>(limits, share, recorder));
                ranks.back()->open();
                lanes.back().add(*ranks.back());
            }
        }
        advance_together(lanes, 0, 1, never);
        for (const auto& rank : ranks) rank->close();
    }
}

/// Replicas that run concurrently, each simulated up to the latest arrival.
class RoutedReplicas {
  public:
    /// \param requests  provides the pieces to the router and the replicas
    RoutedReplicas(const Deployment& deployment, StepTime& step_time, Requests& requests, Recorder& recorder,
                   const std::function<void()>& checkpoint)
        : deployment_{deployment},
          step_time_{step_time},
          requests_{requests},
          recorder_{recorder},
          checkpoint_{checkpoint},
          rule_{deployment.limits.engine.router},
          router_{rule_, requests, static_cast<std::size_t>(deployment.schedulers())},
          running_{deployment.limits.engine, static_cast<std::size_t>(deployment.replicas)},
          pipelines_(static_cast<std::size_t>(deployment.replicas),
                     Pipeline{static_cast<std::size_t>(deployment.stages)}),
          failures_{deployment.next_failure, to_ticks(deployment.limits.engine.repair_time.value()),
                    static_cast<std::size_t>(deployment.replicas)},
          limits_{lane_limits(deployment.limits, deployment.stages)},
          queues_(static_cast<std::size_t>(deployment.schedulers())),
          loads_(queues_.size()),
          idle_since_(queues_.size()) {
        for (std::size_t i = 0; i < queues_.size(); ++i) ranks_.push_back(new_rank(i));
        const std::size_t groups = pipelines_.size() * static_cast<std::size_t>(deployment.stages);
        for (std::size_t i = 0; i < groups; ++i) groups_.push_back(new_group(i, groups));
    }

    /// \param place  index of the request
    void send(const Request& request, std::size_t place) {
        while (failures_.next().time <= request.arrival) fail();
        deliver(request, place, request.arrival);
    }

    void finish() {
        while (failures_.next().time != never && anybody_waits(failures_.next().time)) fail();
        for (std::size_t i = 0; i < pipelines_.size(); ++i) advance(i, never);
        for (const auto& rank : ranks_) rank->close();
    }

    /// How long the replicas were paid for, and how long they had not failed.
    void add_shares(Outcome& outcome) const {
        outcome.paid_share = running_.paid_share(to_ticks(outcome.duration));
        outcome.availability = failures_.availability(to_ticks(outcome.duration));
    }

  private:
    /// Schedulers are numbered such that those of one replica are as far apart as there are replicas, and the
    /// ranks of one group as there are groups.
    [[nodiscard]] std::size_t replica_of(std::size_t number) const { return number % pipelines_.size(); }

    void advance(std::size_t replica, Ticks time) {
        advance_together(groups_, replica, pipelines_.size(), time);
    }

    std::unique_ptr<Replica> new_rank(std::size_t number) {
        const Share share{
            requests_, 0, 1, 0, &queues_[number], static_cast<std::uint32_t>(replica_of(number))};
        return std::make_unique<Replica>(limits_, share, recorder_);
    }

    /// \param groups  number of groups
    RankGroup new_group(std::size_t number, std::size_t groups) {
        RankGroup group{static_cast<std::size_t>(deployment_.ranks), limits_.engine, step_time_,
                        deployment_.stages > 1 ? &pipelines_[replica_of(number)] : nullptr};
        group.set_checkpoint(checkpoint_);
        group.set_tokens_a_step(deployment_.tokens_a_step);
        for (std::size_t i = number; i < ranks_.size(); i += groups) group.add(*ranks_[i]);
        return group;
    }

    /// \param now  not before any earlier event
    void deliver(Request request, std::size_t place, Ticks now) {
        const std::size_t chosen = choose(now, place);
        // While none runs, requests wait for the first one that will.
        const Ticks taken = std::max(now, failures_.up_from(replica_of(chosen)));
        request.delayed += taken - request.arrival;
        request.arrival = taken;
        queues_[chosen].push(request, place);
        ranks_[chosen]->take_up();
    }

    bool anybody_waits(Ticks time) {
        for (std::size_t i = 0; i < pipelines_.size(); ++i) advance(i, time);
        return std::ranges::any_of(ranks_, [&](const auto& each) { return each->load(time) > 0; });
    }

    /// The next failure. The step under way ends; then everything that the replica has is lost, and its
    /// requests start over elsewhere.
    void fail() {
        const auto [time, replica] = failures_.next();
        advance(replica, time);
        pipelines_[replica] = Pipeline{static_cast<std::size_t>(deployment_.stages)};
        std::vector<RequestQueue> lost;
        for (std::size_t i = replica; i < ranks_.size(); i += pipelines_.size()) {
            recorder_.ended(ranks_[i]->idle_since());
            lost.push_back(std::exchange(queues_[i], {}));
            ranks_[i] = new_rank(i);
        }
        for (std::size_t i = replica; i < groups_.size(); i += pipelines_.size())
            groups_[i] = new_group(i, groups_.size());
        failures_.pass();
        for (const RequestQueue& queue : lost) {
            queue.for_each_unanswered([&, now = time](const Request& request, std::size_t place) {
                recorder_.preempted();
                start_over(request, place, now);
            });
        }
    }

    void start_over(Request request, std::size_t place, Ticks now) {
        if (std::cmp_greater_equal(request.retries, deployment_.limits.engine.most_retries))
            return recorder_.lost(request);
        ++request.retries;
        recorder_.retried();
        deliver(request, place, now);
    }

    std::size_t choose(Ticks now, std::size_t place) {
        if (rule_ == graph::Router::round_robin) {
            const std::size_t next = place % ranks_.size();
            advance(replica_of(next), now);
            return next;
        }
        for (std::size_t i = 0; i < pipelines_.size(); ++i) advance(i, now);
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            loads_[i] = ranks_[i]->load(now);
            idle_since_[i] = ranks_[i]->idle_since();
        }
        if (running_.change()) leave_out_those_off(now);
        leave_out_those_failed(now);
        return router_.choose(place, loads_);
    }

    /// If none runs, all but the next to run are left out.
    void leave_out_those_failed(Ticks now) {
        Ticks first = never;
        for (std::size_t i = 0; i < pipelines_.size(); ++i) first = std::min(first, failures_.up_from(i));
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            if (failures_.up_from(replica_of(i)) > std::max(first, now))
                loads_[i] = std::numeric_limits<std::size_t>::max();
        }
    }

    /// Nobody chooses the replica with the largest load.
    void leave_out_those_off(Ticks now) {
        replica_loads_.assign(pipelines_.size(), 0);
        replica_idle_since_.assign(pipelines_.size(), 0);
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            replica_loads_[replica_of(i)] += loads_[i];
            Ticks& idle_since = replica_idle_since_[replica_of(i)];
            idle_since = std::max(idle_since, idle_since_[i]);
        }
        running_.adjust(now, replica_loads_, replica_idle_since_);
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            if (!running_.runs(replica_of(i), now)) loads_[i] = std::numeric_limits<std::size_t>::max();
        }
    }

    const Deployment& deployment_;
    StepTime& step_time_;
    Requests& requests_;
    Recorder& recorder_;
    const std::function<void()>& checkpoint_;
    graph::Router rule_;
    RequestRouter router_;
    RunningReplicas running_;
    std::vector<Pipeline> pipelines_;  ///< by replica
    FailureClock failures_;
    ReplicaLimits limits_;  ///< of each scheduler
    std::vector<RequestQueue> queues_;
    std::vector<std::size_t> loads_;  ///< by scheduler
    std::vector<Ticks> idle_since_;
    std::vector<std::size_t> replica_loads_;  ///< by replica, all of its schedulers together
    std::vector<Ticks> replica_idle_since_;
    std::vector<std::unique_ptr<Replica>> ranks_;  ///< by scheduler
    std::vector<RankGroup> groups_;
};

}  // namespace

bool fits_alone(const ReplicaLimits& limits, const Request& request) {
    // The last token is never cached.
    const std::int64_t tokens = std::int64_t{request.prompt} + request.output - 1;
    if (!limits.engine.chunked_prefill && tokens > limits.engine.token_budget) return false;
    return pages_of(limits, tokens) <= limits.pages;
}

Outcome serve(const Deployment& deployment, StepTime& step_time, Requests& requests,
              const std::function<void()>& checkpoint) {
    graph::require_none(graph::conflicts_of(deployment.limits.engine));
    if (deployment.clients > 0 && deployment.limits.engine.router != graph::Router::round_robin)
        throw ModelError("router: clients of a closed loop stay with their replica (round_robin)");
    if (deployment.clients > 0) {
        for (Request& request : requests.all) request.arrival = 0;
    }
    Recorder recorder{deployment.levels, requests.all.size(), deployment.tokens_a_step};
    recorder.set_classes(deployment.classes);
    if (deployment.keeps_course) recorder.keep_course();
    const ReplicaLimits limits = lane_limits(deployment.limits, deployment.stages);
    take_out_unfit(requests, [&](const Request& request) {
        const bool fits = fits_alone(limits, request);
        if (!fits) recorder.refused(request);
        return fits;
    });
    Outcome outcome;
    if (deployment.limits.engine.router == graph::Router::round_robin) {
        serve_by_turns(deployment, step_time, requests, recorder, checkpoint);
        outcome = recorder.outcome(deployment.schedulers());
    } else {
        RoutedReplicas replicas{deployment, step_time, requests, recorder, checkpoint};
        for (std::size_t i = 0; i < requests.all.size(); ++i) replicas.send(requests.all[i], i);
        replicas.finish();
        outcome = recorder.outcome(deployment.schedulers());
        replicas.add_shares(outcome);
    }
    outcome.sent_for = to_seconds(last_arrival(requests));
    return outcome;
}

Outcome serve_stream(const Deployment& deployment, StepTime& step_time, RequestSource& source,
                     const std::function<void()>& checkpoint) {
    graph::require_none(graph::conflicts_of(deployment.limits.engine));
    DSE_EXPECT(deployment.clients == 0);
    Recorder recorder{deployment.levels, 0, deployment.tokens_a_step};
    recorder.set_classes(deployment.classes);
    if (deployment.keeps_course) recorder.keep_course();
    const ReplicaLimits limits = lane_limits(deployment.limits, deployment.stages);
    Requests none;
    RoutedReplicas replicas{deployment, step_time, none, recorder, checkpoint};
    Request request;
    std::size_t place = 0;
    while (source.next(request)) {
        if (fits_alone(limits, request)) {
            replicas.send(request, place++);
        } else {
            recorder.refused(request);
        }
    }
    replicas.finish();
    Outcome outcome = recorder.outcome(deployment.schedulers());
    replicas.add_shares(outcome);
    outcome.sent_for = to_seconds(request.arrival);
    return outcome;
}

}  // namespace dse::serving
