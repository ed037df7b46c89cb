#include "dse/metrics/metrics.hpp"

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
    MetricField{"time_to_first_token", "s", "reading the prompts of a batch, up to their first token",
                &Metrics::time_to_first_token},
    MetricField{"time_per_output_token", "s", "one decode step of all sequences served",
                &Metrics::time_per_output_token},
    MetricField{"requests_per_second", "1/s", "requests of all replicas, which read prompts between steps",
                &Metrics::requests_per_second},
    MetricField{"batch_limit", "sequences", "most sequences that fit, all replicas", &Metrics::batch_limit},
};

}  // namespace

std::span<const MetricField> metric_fields() {
    return fields;
}

const MetricField& metric_field(std::string_view name) {
    std::vector<std::string> known;
    for (const MetricField& field : fields) {
        if (field.name == name) return field;
        known.emplace_back(field.name);
    }
    throw InputError(fmt::format("unknown metric '{}'{}", name, suggestion(name, known)));
}

}  // namespace dse::metrics
