#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

namespace dse::metrics {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Results of the simulation of a point. SI units; NaN if there is no result.
struct Metrics {
    double iteration_time{not_a_number};
    // 80 % intervals of the measured time and, below, of the measured memory peak.
    double iteration_time_low{not_a_number};
    double iteration_time_high{not_a_number};
    // Parts of iteration_time along the critical path. They sum to it exactly; NaN if not requested.
    double compute_time{not_a_number};
    double exposed_tp{not_a_number};
    double exposed_cp{not_a_number};
    double exposed_ep{not_a_number};
    double exposed_dp{not_a_number};
    double exposed_pp{not_a_number};
    double idle{not_a_number};
    double bubble{not_a_number};
    // Parts of the bubble: what the critical path does in other stages. They sum to the bubble exactly.
    double bubble_compute{not_a_number};
    double bubble_tp{not_a_number};
    double bubble_cp{not_a_number};
    double bubble_ep{not_a_number};
    double bubble_dp{not_a_number};
    double bubble_pp{not_a_number};
    double bubble_idle{not_a_number};
    double mfu{not_a_number};
    double tokens_per_second{not_a_number};  ///< NaN where samples are no sequences
    double samples_per_second{not_a_number};
    double tokens_per_second_per_device{not_a_number};
    double model_flop{not_a_number};
    double executed_flop{not_a_number};
    // Memory of the device with the highest peak, by kind.
    double memory_peak{not_a_number};
    double memory_peak_low{not_a_number};
    double memory_peak_high{not_a_number};
    double probability_fits{not_a_number};  ///< probability that a run needs no more than the capacity
    double memory_parameters{not_a_number};
    double memory_gradients{not_a_number};
    double memory_optimizer{not_a_number};
    double memory_activations{not_a_number};
    double memory_communication{not_a_number};
    double memory_workspace{not_a_number};
    double memory_kv_cache{not_a_number};
    double memory_capacity{not_a_number};
    double host_memory{not_a_number};
    double energy{not_a_number};
    double cost{not_a_number};
    double power{not_a_number};
    double carbon{not_a_number};
    double embodied_share{not_a_number};
    double joules_per_token{not_a_number};
    double usd_per_mtoken{not_a_number};
    double gco2e_per_mtoken{not_a_number};
    double tokens_per_second_per_megawatt{not_a_number};
    // Inference only.
    double time_to_first_token{not_a_number};
    double time_per_output_token{not_a_number};
    double requests_per_second{not_a_number};
    double batch_limit{not_a_number};
    // Mode serving only.
    double ttft_mean{not_a_number};
    // 80 % intervals of measured means and medians; percentiles above the median were not compared.
    double ttft_mean_low{not_a_number};
    double ttft_mean_high{not_a_number};
    double ttft_p50{not_a_number};
    double ttft_p50_low{not_a_number};
    double ttft_p50_high{not_a_number};
    double ttft_p90{not_a_number};
    double ttft_p95{not_a_number};
    double ttft_p99{not_a_number};
    double tpot_mean{not_a_number};
    double tpot_mean_low{not_a_number};
    double tpot_mean_high{not_a_number};
    double tpot_p50{not_a_number};
    double tpot_p50_low{not_a_number};
    double tpot_p50_high{not_a_number};
    double tpot_p90{not_a_number};
    double tpot_p95{not_a_number};
    double tpot_p99{not_a_number};
    double itl_mean{not_a_number};
    double itl_p50{not_a_number};
    double itl_p90{not_a_number};
    double itl_p95{not_a_number};
    double itl_p99{not_a_number};
    double e2e_mean{not_a_number};
    double e2e_p50{not_a_number};
    double e2e_p90{not_a_number};
    double e2e_p95{not_a_number};
    double e2e_p99{not_a_number};
    double output_tokens_per_second{not_a_number};
    double output_tokens_per_second_per_device{not_a_number};
    double goodput{not_a_number};
    double slo_attainment{not_a_number};
    double slo_worst{not_a_number};
    double max_request_rate{not_a_number};
    double max_request_rate_high{not_a_number};
    double usd_per_mtoken_at_max_rate{not_a_number};
    double cache_hit_rate{not_a_number};
    double host_hit_rate{not_a_number};
    double preemptions{not_a_number};
    double requests_refused{not_a_number};
    double requests_retried{not_a_number};
    double requests_lost{not_a_number};
    double availability{not_a_number};
    double queue_mean{not_a_number};
    double queue_max{not_a_number};
    double running_mean{not_a_number};
    double cache_use_mean{not_a_number};
    double cache_use_max{not_a_number};
    double serving_time{not_a_number};
    double serving_steps{not_a_number};
    // Separate pools only.
    double prefill_utilization{not_a_number};
    double prefill_queue_mean{not_a_number};
    double prefill_queue_max{not_a_number};
    double prefill_cache_use_mean{not_a_number};
    double prefill_cache_use_max{not_a_number};
    double decode_utilization{not_a_number};
    double decode_queue_mean{not_a_number};
    double decode_queue_max{not_a_number};
    double decode_cache_use_mean{not_a_number};
    double decode_cache_use_max{not_a_number};
};

/// One metric: its name in files and on the command line, its unit, its meaning, and its member.
struct MetricField {
    std::string_view name;
    std::string_view
        unit;  ///< "s", "B", "FLOP", "J", "W", "USD", "g", "1", "tokens/s", "samples/s", "1/s", "sequences"
    std::string_view description;
    double Metrics::*member;
    /// Whether it is a part of iteration_time, which is NaN in rows for which parts were not requested.
    bool is_part{false};
    /// Whether it exists in mode serving only: other sweeps have no column of it, unless it is an objective.
    bool of_requests{false};
};

/// Every metric, in the order of the columns of a results file.
std::span<const MetricField> metric_fields();

/// \throws InputError naming the nearest metric
const MetricField& metric_field(std::string_view name);

}  // namespace dse::metrics
