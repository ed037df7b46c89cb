#include "eval/serve/service_metrics.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "dse/graph/serving_conflicts.hpp"
#include "eval/expenses.hpp"

namespace dse::eval {
namespace {

using metrics::Metrics;

/// Indexed like graph::latency_names and graph::statistic_names.
constexpr std::array<std::array<double Metrics::*, 5>, 4> latency_fields{{
    {&Metrics::ttft_mean, &Metrics::ttft_p50, &Metrics::ttft_p90, &Metrics::ttft_p95, &Metrics::ttft_p99},
    {&Metrics::tpot_mean, &Metrics::tpot_p50, &Metrics::tpot_p90, &Metrics::tpot_p95, &Metrics::tpot_p99},
    {&Metrics::itl_mean, &Metrics::itl_p50, &Metrics::itl_p90, &Metrics::itl_p95, &Metrics::itl_p99},
    {&Metrics::e2e_mean, &Metrics::e2e_p50, &Metrics::e2e_p90, &Metrics::e2e_p95, &Metrics::e2e_p99},
}};

void add_rates(const study::Scenario& scenario, const serving::Outcome& outcome, Metrics& metrics) {
    const auto devices = static_cast<double>(scenario.system.devices);
    const auto answered = static_cast<double>(outcome.answered);
    metrics.requests_per_second = answered / outcome.duration;
    metrics.output_tokens_per_second = static_cast<double>(outcome.output_tokens) / outcome.duration;
    metrics.output_tokens_per_second_per_device = metrics.output_tokens_per_second / devices;
    metrics.tokens_per_second = metrics.output_tokens_per_second;
    metrics.tokens_per_second_per_device = metrics.output_tokens_per_second_per_device;
    metrics.samples_per_second = metrics.requests_per_second;
    if (!graph::states_levels(scenario.workload.levels, scenario.workload.traffic)) return;
    metrics.goodput = static_cast<double>(outcome.good) / outcome.duration;
    metrics.slo_attainment =
        static_cast<double>(outcome.good) /
        (answered + static_cast<double>(outcome.refused) + static_cast<double>(outcome.lost));
    metrics.slo_worst = outcome.worst_level;
}

/// Devices are paid for while they wait, but not those of replicas that are off; what they draw is that of
/// the mean decode step throughout.
void add_price(const study::Scenario& scenario, const serving::Outcome& outcome, Metrics& metrics) {
    const double power = metrics.energy / metrics.iteration_time;
    const double paid = outcome.duration * outcome.paid_share;
    const Expenses expenses = expenses_of(scenario.system, Seconds{paid}, Joules{power * paid});
    add_per_token(expenses, static_cast<double>(outcome.output_tokens), metrics);
}

struct PoolFields {
    double Metrics::*utilization;
    double Metrics::*queue_mean;
    double Metrics::*queue_max;
    double Metrics::*cache_use_mean;
    double Metrics::*cache_use_max;
};

constexpr PoolFields prefill_fields{&Metrics::prefill_utilization, &Metrics::prefill_queue_mean,
                                    &Metrics::prefill_queue_max, &Metrics::prefill_cache_use_mean,
                                    &Metrics::prefill_cache_use_max};
constexpr PoolFields decode_fields{&Metrics::decode_utilization, &Metrics::decode_queue_mean,
                                   &Metrics::decode_queue_max, &Metrics::decode_cache_use_mean,
                                   &Metrics::decode_cache_use_max};

void add_pool(const std::optional<serving::PoolUse>& use, const PoolFields& fields, Metrics& metrics) {
    if (!use) return;
    metrics.*fields.utilization = use->utilization;
    metrics.*fields.queue_mean = use->waiting;
    metrics.*fields.queue_max = static_cast<double>(use->most_waiting);
    metrics.*fields.cache_use_mean = use->cache_use;
    metrics.*fields.cache_use_max = use->most_cache_use;
}

}  // namespace

void add_price_at_max_rate(const study::Scenario& scenario, const serving::Outcome& outcome,
                           Metrics& metrics) {
    constexpr double million = 1e6;
    const double tokens_a_request =
        static_cast<double>(outcome.output_tokens) / static_cast<double>(outcome.answered);
    const double power = metrics.energy / metrics.iteration_time;
    const Expenses a_second =
        expenses_of(scenario.system, Seconds{outcome.paid_share}, Joules{power * outcome.paid_share});
    metrics.usd_per_mtoken_at_max_rate =
        a_second.cost.value() / (metrics.max_request_rate * tokens_a_request) * million;
}

void add_service(const study::Scenario& scenario, const serving::Outcome& outcome, Metrics& metrics) {
    for (std::size_t latency = 0; latency < latency_fields.size(); ++latency) {
        for (std::size_t i = 0; i < latency_fields[latency].size(); ++i)
            metrics.*latency_fields[latency][i] = outcome.latency[latency][i];
    }
    metrics.time_to_first_token = metrics.ttft_mean;
    metrics.time_per_output_token = metrics.tpot_mean;
    add_rates(scenario, outcome, metrics);
    add_price(scenario, outcome, metrics);
    metrics.preemptions = static_cast<double>(outcome.preemptions);
    metrics.requests_refused = static_cast<double>(outcome.refused);
    metrics.requests_retried = static_cast<double>(outcome.retried);
    metrics.requests_lost = static_cast<double>(outcome.lost);
    metrics.availability = outcome.availability;
    metrics.queue_mean = outcome.waiting;
    metrics.queue_max = static_cast<double>(outcome.most_waiting);
    metrics.running_mean = outcome.running;
    metrics.cache_use_mean = outcome.cache_use;
    metrics.cache_use_max = outcome.most_cache_use;
    const auto admitted = static_cast<double>(std::max<std::int64_t>(1, outcome.admitted_tokens));
    metrics.cache_hit_rate = static_cast<double>(outcome.cached_tokens) / admitted;
    metrics.host_hit_rate = static_cast<double>(outcome.copied_tokens) / admitted;
    metrics.serving_time = outcome.duration;
    metrics.serving_steps = static_cast<double>(outcome.steps);
    add_pool(outcome.prefill, prefill_fields, metrics);
    add_pool(outcome.decode, decode_fields, metrics);
}

}  // namespace dse::eval
