#include "serving/rank_group.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"
#include "serving/host_copies.hpp"
#include "serving/pipeline.hpp"

namespace dse::serving {
namespace {

constexpr std::int64_t looks_between_checks = 4096;

}  // namespace

RankGroup::RankGroup(std::size_t ranks, const graph::ServingEngine& engine, StepTime& step_time,
                     Pipeline* pipeline)
    : host_{engine},
      first_chunk_time_{to_ticks(engine.first_chunk_time.value())},
      host_load_{engine.host_load},
      step_time_{&step_time},
      pipeline_{pipeline},
      batches_(ranks) {
    ranks_.reserve(ranks);
}

bool RankGroup::work(Ticks until) {
    bool idle = true;
    for (Replica* rank : ranks_) {
        rank->look();
        idle = idle && rank->is_idle();
    }
    if (idle) {
        const Ticks first = ready();
        if (first >= until) return false;
        now_ = first;
        for (Replica* rank : ranks_) rank->rest(now_);
        return true;
    }
    if (now_ >= until) return false;
    if (checkpoint_ && ++looks_ % looks_between_checks == 0) checkpoint_();
    for (Replica* rank : ranks_) rank->begin();
    // Steps that pass a pipeline meet those of others.
    if (pipeline_ == nullptr && only_decodes()) {
        jump(until);
    } else {
        step();
    }
    return true;
}

Ticks RankGroup::ready() const {
    Ticks first = never;
    for (const Replica* rank : ranks_) first = std::min(first, rank->ready());
    return first;
}

Ticks RankGroup::next_time() const {
    return is_idle() ? std::max(now_, ready()) : now_;
}

bool RankGroup::is_idle() const {
    return std::ranges::all_of(ranks_, [](const Replica* rank) { return rank->is_idle(); });
}

bool RankGroup::only_decodes() const {
    return std::ranges::all_of(ranks_,
                               [](const Replica* rank) { return rank->is_idle() || rank->only_decodes(); });
}

Ticks RankGroup::with_host(Ticks device_time, std::int64_t decodes) {
    const HostWork& host = decodes > 0 ? host_ : host_of_prompts_;
    const Ticks preparation = host.preparation(decodes);
    if (pipeline_ != nullptr)
        device_time = pipeline_->pass(now_ + host.before_devices(preparation), device_time);
    return host.step(preparation, device_time, *step_time_, batches_);
}

void RankGroup::step() {
    bool any = false;
    std::int64_t decodes = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        any = ranks_[i]->plan() || any;
        batches_[i] = ranks_[i]->batch();
        decodes = std::max(decodes, batches_[i].decodes.sequences);
    }
    if (!any) return;  // all requests were preempted
    Ticks adapters = 0;
    for (const Batch& batch : batches_) {
        if (batch.adapters > 0) adapters = std::max(adapters, step_time_->adapters(batch));
    }
    Ticks duration = with_host(with_copies(device_time(), host_load_, batches_) + adapters, decodes);
    if (first_chunk_time_ > 0 &&
        std::ranges::any_of(ranks_, [](const Replica* rank) { return rank->leaves_prompt(); }))
        duration += std::exchange(first_chunk_time_, 0);
    const Ticks end = end_of(now_, duration);
    for (Replica* rank : ranks_) rank->pass(duration);
    now_ = end;
}

Ticks RankGroup::device_time() {
    return batches_.size() == 1 ? step_time_->alone(batches_.front()) : step_time_->together(batches_);
}

Pace RankGroup::pace_of(const Replica& rank) {
    const Decodes& decodes = rank.decodes();
    const DecodeLine line = step_time_->decode(decodes);
    DSE_ENSURE(line.last_context >= decodes.context);
    return {line.at(decodes.context), line.per_token * decodes.sequences,
            (line.last_context - decodes.context) / decodes.sequences + 1};
}

/// Of the rank that takes longest; captured graphs are those of the largest batch on all ranks.
Pace RankGroup::pace() {
    Pace pace{0, 0, never};
    std::int64_t decodes = 0;
    Ticks adapters = 0;
    for (const Replica* rank : ranks_) {
        if (rank->is_idle()) continue;
        pace = slower(pace, pace_of(*rank));
        decodes = std::max(decodes, rank->decodes().sequences);
        if (const std::int64_t distinct = rank->adapters(); distinct > 0)
            adapters = std::max(adapters, step_time_->adapters({{}, rank->decodes(), distinct}));
    }
    const Ticks preparation = host_.preparation(decodes);
    pace.first += adapters + host_.before_devices(preparation);
    // The host is the limit until the devices take longer.
    return host_.works_ahead() ? slower(pace, {preparation, 0, pace.most}) : pace;
}

void RankGroup::jump(Ticks until) {
    const Pace common = pace();
    std::int64_t steps = common.most;
    for (Replica* rank : ranks_) steps = rank->is_idle() ? steps : rank->steps_until_end(steps);
    steps = common.steps_within(longest_run - to_seconds(now_), steps);
    for (const Replica* rank : ranks_) steps = rank->steps_until_request(common, steps);
    if (until != never) steps = common.steps_until(until - now_, steps);
    const Ticks end = end_of(now_, common.duration(steps));
    for (Replica* rank : ranks_) rank->jump(common, steps);
    now_ = end;
}

}  // namespace dse::serving
