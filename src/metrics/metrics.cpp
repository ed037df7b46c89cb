#include "dse/metrics/metrics.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::metrics {
namespace {

constexpr MetricField part(std::string_view name, std::string_view description, double Metrics::*member) {
    return {name, "s", description, member, true};
}

constexpr std::array fields{
    MetricField{"iteration_time", "s",
                "period of the steady loop of training or decode, or time of a prefill",
                &Metrics::iteration_time},
    MetricField{"iteration_time_low", "s",
                "lower end of the interval that holds the measured iteration time in 80 % of the cases",
                &Metrics::iteration_time_low},
    MetricField{"iteration_time_high", "s", "upper end of that interval", &Metrics::iteration_time_high},
    part("compute_time", "critical path: kernels", &Metrics::compute_time),
    part("exposed_tp", "critical path: tensor-parallel communication", &Metrics::exposed_tp),
    part("exposed_cp", "critical path: context-parallel communication", &Metrics::exposed_cp),
    part("exposed_ep", "critical path: expert-parallel communication", &Metrics::exposed_ep),
    part("exposed_dp", "critical path: data-parallel communication", &Metrics::exposed_dp),
    part("exposed_pp", "critical path: messages between pipeline stages", &Metrics::exposed_pp),
    part("idle", "critical path: copies and launches", &Metrics::idle),
    part("bubble", "critical path through other stages while the busiest one waits", &Metrics::bubble),
    part("bubble_compute", "of the bubble: kernels", &Metrics::bubble_compute),
    part("bubble_tp", "of the bubble: tensor-parallel communication", &Metrics::bubble_tp),
    part("bubble_cp", "of the bubble: context-parallel communication", &Metrics::bubble_cp),
    part("bubble_ep", "of the bubble: expert-parallel communication", &Metrics::bubble_ep),
    part("bubble_dp", "of the bubble: data-parallel communication", &Metrics::bubble_dp),
    part("bubble_pp", "of the bubble: messages between pipeline stages", &Metrics::bubble_pp),
    part("bubble_idle", "of the bubble: copies and launches", &Metrics::bubble_idle),
    MetricField{"mfu", "1", "model FLOP of an iteration over peak FLOP of all devices in that time",
                &Metrics::mfu},
    MetricField{"tokens_per_second", "tokens/s", "tokens of all devices a second",
                &Metrics::tokens_per_second},
    MetricField{"samples_per_second", "samples/s",
                "sequences, images or other samples of all devices a second", &Metrics::samples_per_second},
    MetricField{"tokens_per_second_per_device", "tokens/s", "the same a device",
                &Metrics::tokens_per_second_per_device},
    MetricField{"model_flop", "FLOP", "FLOP that the model needs, all devices", &Metrics::model_flop},
    MetricField{"executed_flop", "FLOP", "FLOP that are executed, recomputation included, all devices",
                &Metrics::executed_flop},
    MetricField{"memory_peak", "B", "fullest device at its peak", &Metrics::memory_peak},
    MetricField{"memory_peak_low", "B",
                "lower end of the interval that holds the measured peak in 80 % of the cases",
                &Metrics::memory_peak_low},
    MetricField{"memory_peak_high", "B", "upper end of that interval", &Metrics::memory_peak_high},
    MetricField{"probability_fits", "1", "probability that the measured peak is within the capacity",
                &Metrics::probability_fits},
    MetricField{"memory_parameters", "B", "parameters at that peak", &Metrics::memory_parameters},
    MetricField{"memory_gradients", "B", "gradients at that peak", &Metrics::memory_gradients},
    MetricField{"memory_optimizer", "B", "optimizer states at that peak", &Metrics::memory_optimizer},
    MetricField{"memory_activations", "B", "activations at that peak", &Metrics::memory_activations},
    MetricField{"memory_communication", "B", "communication buffers at that peak",
                &Metrics::memory_communication},
    MetricField{"memory_workspace", "B", "workspaces and the runtime's own memory at that peak",
                &Metrics::memory_workspace},
    MetricField{"memory_kv_cache", "B", "cached keys and values at that peak", &Metrics::memory_kv_cache},
    MetricField{"memory_capacity", "B", "memory of that device", &Metrics::memory_capacity},
    MetricField{"host_memory", "B", "host memory that a device uses at most, for what is offloaded",
                &Metrics::host_memory},
    MetricField{"energy", "J", "energy of an iteration, all devices", &Metrics::energy},
    MetricField{"cost", "USD", "price of an iteration", &Metrics::cost},
    MetricField{"power", "W", "mean power of the job: devices, hosts, fabric, cooling", &Metrics::power},
    MetricField{"carbon", "g",
                "CO2 equivalents of an iteration: of its electricity, and its share of making the machine",
                &Metrics::carbon},
    MetricField{"embodied_share", "1", "share of the making in them", &Metrics::embodied_share},
    MetricField{"joules_per_token", "J", "energy of a token (of output, where tokens are generated)",
                &Metrics::joules_per_token},
    MetricField{"usd_per_mtoken", "USD", "price of a million tokens (of output, where tokens are generated)",
                &Metrics::usd_per_mtoken},
    MetricField{"gco2e_per_mtoken", "g", "CO2 equivalents of a million tokens", &Metrics::gco2e_per_mtoken},
    MetricField{"tokens_per_second_per_megawatt", "tokens/s", "tokens a second for each megawatt drawn",
                &Metrics::tokens_per_second_per_megawatt},
    MetricField{"time_to_first_token", "s", "reading the prompts of a batch, up to their first token",
                &Metrics::time_to_first_token},
    MetricField{"time_per_output_token", "s", "one decode step of all sequences served",
                &Metrics::time_per_output_token},
    MetricField{"requests_per_second", "1/s", "requests of all replicas, which read prompts between steps",
                &Metrics::requests_per_second},
    MetricField{"batch_limit", "sequences", "most sequences that fit, all replicas", &Metrics::batch_limit},
    MetricField{"ttft_mean", "s", "mean of the time from a request's arrival to its first token",
                &Metrics::ttft_mean},
    MetricField{"ttft_mean_low", "s",
                "lower end of the interval that holds the measured mean in 80 % of the cases",
                &Metrics::ttft_mean_low},
    MetricField{"ttft_mean_high", "s", "upper end of that interval", &Metrics::ttft_mean_high},
    MetricField{"ttft_p50", "s", "median of the time from a request's arrival to its first token",
                &Metrics::ttft_p50},
    MetricField{"ttft_p50_low", "s",
                "lower end of the interval that holds the measured median in 80 % of the cases",
                &Metrics::ttft_p50_low},
    MetricField{"ttft_p50_high", "s", "upper end of that interval", &Metrics::ttft_p50_high},
    MetricField{"ttft_p90", "s", "90th percentile of the time from a request's arrival to its first token",
                &Metrics::ttft_p90},
    MetricField{"ttft_p95", "s", "95th percentile of the time from a request's arrival to its first token",
                &Metrics::ttft_p95},
    MetricField{"ttft_p99", "s", "99th percentile of the time from a request's arrival to its first token",
                &Metrics::ttft_p99},
    MetricField{"tpot_mean", "s",
                "mean of the time between a request's first and last token, a token after the first",
                &Metrics::tpot_mean},
    MetricField{"tpot_mean_low", "s",
                "lower end of the interval that holds the measured mean in 80 % of the cases",
                &Metrics::tpot_mean_low},
    MetricField{"tpot_mean_high", "s", "upper end of that interval", &Metrics::tpot_mean_high},
    MetricField{"tpot_p50", "s",
                "median of the time between a request's first and last token, a token after the first",
                &Metrics::tpot_p50},
    MetricField{"tpot_p50_low", "s",
                "lower end of the interval that holds the measured median in 80 % of the cases",
                &Metrics::tpot_p50_low},
    MetricField{"tpot_p50_high", "s", "upper end of that interval", &Metrics::tpot_p50_high},
    MetricField{
        "tpot_p90", "s",
        "90th percentile of the time between a request's first and last token, a token after the first",
        &Metrics::tpot_p90},
    MetricField{
        "tpot_p95", "s",
        "95th percentile of the time between a request's first and last token, a token after the first",
        &Metrics::tpot_p95},
    MetricField{
        "tpot_p99", "s",
        "99th percentile of the time between a request's first and last token, a token after the first",
        &Metrics::tpot_p99},
    MetricField{"itl_mean", "s", "mean of the time between two tokens of one request", &Metrics::itl_mean},
    MetricField{"itl_p50", "s", "median of the time between two tokens of one request", &Metrics::itl_p50},
    MetricField{"itl_p90", "s", "90th percentile of the time between two tokens of one request",
                &Metrics::itl_p90},
    MetricField{"itl_p95", "s", "95th percentile of the time between two tokens of one request",
                &Metrics::itl_p95},
    MetricField{"itl_p99", "s", "99th percentile of the time between two tokens of one request",
                &Metrics::itl_p99},
    MetricField{"e2e_mean", "s", "mean of the time from a request's arrival to its last token",
                &Metrics::e2e_mean},
    MetricField{"e2e_p50", "s", "median of the time from a request's arrival to its last token",
                &Metrics::e2e_p50},
    MetricField{"e2e_p90", "s", "90th percentile of the time from a request's arrival to its last token",
                &Metrics::e2e_p90},
    MetricField{"e2e_p95", "s", "95th percentile of the time from a request's arrival to its last token",
                &Metrics::e2e_p95},
    MetricField{"e2e_p99", "s", "99th percentile of the time from a request's arrival to its last token",
                &Metrics::e2e_p99},
    MetricField{"output_tokens_per_second", "tokens/s",
                "output tokens of all replicas a second of the whole run",
                &Metrics::output_tokens_per_second},
    MetricField{"output_tokens_per_second_per_device", "tokens/s", "the same a device",
                &Metrics::output_tokens_per_second_per_device},
    MetricField{"goodput", "1/s", "requests a second that keep every stated level", &Metrics::goodput},
    MetricField{"slo_attainment", "1", "share of the requests that keep every stated level",
                &Metrics::slo_attainment},
    MetricField{"slo_worst", "1", "largest of the stated latencies over its level; at most 1 where all hold",
                &Metrics::slo_worst},
    MetricField{"max_request_rate", "1/s", "highest rate seen to keep the levels, where it is asked for",
                &Metrics::max_request_rate},
    MetricField{"max_request_rate_high", "1/s", "lowest rate seen to break them",
                &Metrics::max_request_rate_high},
    MetricField{"usd_per_mtoken_at_max_rate", "USD",
                "price of a million output tokens at the highest rate that keeps the levels",
                &Metrics::usd_per_mtoken_at_max_rate},
    MetricField{"cache_hit_rate", "1", "share of the prompts' tokens that were found in the prefix cache",
                &Metrics::cache_hit_rate},
    MetricField{"preemptions", "1", "evictions of a running request, which begins again",
                &Metrics::preemptions},
    MetricField{"requests_refused", "1", "requests that cannot fit alone", &Metrics::requests_refused},
    MetricField{"queue_mean", "1", "requests that wait, mean over time, all replicas", &Metrics::queue_mean},
    MetricField{"queue_max", "1", "most requests that wait at once at one replica", &Metrics::queue_max},
    MetricField{"running_mean", "sequences", "requests under way, mean over time, all replicas",
                &Metrics::running_mean},
    MetricField{"cache_use_mean", "1", "share of the cache's pages in use, mean over time",
                &Metrics::cache_use_mean},
    MetricField{"cache_use_max", "1", "the same at most", &Metrics::cache_use_max},
    MetricField{"serving_time", "s", "from the first arrival to the last token", &Metrics::serving_time},
    MetricField{"serving_steps", "1", "forward passes of all replicas", &Metrics::serving_steps},
    MetricField{"prefill_utilization", "1",
                "fraction of the time in which a worker of the prefill pool steps, mean over its workers",
                &Metrics::prefill_utilization},
    MetricField{"prefill_queue_mean", "1", "requests waiting for a place in a prefill step, mean over time",
                &Metrics::prefill_queue_mean},
    MetricField{"prefill_queue_max", "1", "the same at most, at one worker", &Metrics::prefill_queue_max},
    MetricField{"prefill_cache_use_mean", "1",
                "share of the prefill pool's pages that the prompts of its steps occupy, mean over time",
                &Metrics::prefill_cache_use_mean},
    MetricField{"prefill_cache_use_max", "1", "the same at most, at one worker",
                &Metrics::prefill_cache_use_max},
    MetricField{"decode_utilization", "1",
                "fraction of the time in which a worker of the decode pool steps, mean over its workers",
                &Metrics::decode_utilization},
    MetricField{"decode_queue_mean", "1", "requests waiting for a place in the decode pool, mean over time",
                &Metrics::decode_queue_mean},
    MetricField{"decode_queue_max", "1", "the same at most, at one worker", &Metrics::decode_queue_max},
    MetricField{"decode_cache_use_mean", "1", "share of the decode pool's pages in use, mean over time",
                &Metrics::decode_cache_use_mean},
    MetricField{"decode_cache_use_max", "1", "the same at most, at one worker",
                &Metrics::decode_cache_use_max},
};

}  // namespace

std::span<const MetricField> metric_fields() {
    return fields;
}

std::span<const MetricField> request_fields() {
    const auto first = std::find_if(fields.begin(), fields.end(), [](const MetricField& field) {
        return field.member == &Metrics::ttft_mean;
    });
    return {first, fields.end()};
}

const MetricField& metric_field(std::string_view name) {
    for (const MetricField& field : fields) {
        if (field.name == name) return field;
    }
    std::vector<std::string> known;
    for (const MetricField& field : fields) known.emplace_back(field.name);
    throw InputError(fmt::format("unknown metric '{}'{}", name, suggestion(name, known)));
}

}  // namespace dse::metrics
