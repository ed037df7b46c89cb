#include "app/flags/server_flags.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "app/flags/flag_list.hpp"
#include "dse/base/check.hpp"
#include "dse/base/gibibyte.hpp"

namespace dse::app {
namespace {

using graph::CachePrecision;
using graph::Precision;
using graph::ServingEngine;
using graph::Speculation;

/// One server of a deployment: all replicas of an engine, or a worker of a pool.
struct Server {
    enum class Role : std::uint8_t { whole, prefill, decode };

    Role role{Role::whole};
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t ep{1};
    std::int64_t attention_dp{1};
    std::int64_t replicas{1};  ///< each of tp · pp · attention_dp devices
    std::int64_t max_sequences{1};
    std::int64_t token_budget{1};

    [[nodiscard]] bool in_pool() const { return role != Role::whole; }
    /// Devices over which a layer is distributed: what SGLang and TensorRT-LLM call tensor parallelism if
    /// attention is parallel over data.
    [[nodiscard]] std::int64_t width() const { return tp * attention_dp; }
};

Server whole_server(const study::Scenario& scenario) {
    const graph::ParallelLayout& layout = scenario.workload.layout;
    const ServingEngine& engine = scenario.workload.engine;
    Server server{Server::Role::whole,  layout.tp,          layout.pp, layout.ep, engine.attention_dp, 1,
                  engine.max_sequences, engine.token_budget};
    server.replicas = data_parallel(scenario) / engine.attention_dp;
    return server;
}

Server worker(Server::Role role, const hardware::PoolSpec& pool, const ServingEngine& engine) {
    const std::int64_t devices = pool.tp * pool.pp * pool.attention_dp;
    return {role,
            pool.tp,
            pool.pp,
            pool.ep,
            pool.attention_dp,
            pool.devices / devices,
            pool.max_sequences > 0 ? pool.max_sequences : engine.max_sequences,
            pool.token_budget > 0 ? pool.token_budget : engine.token_budget};
}

std::string_view role_name(Server::Role role) {
    switch (role) {
        case Server::Role::prefill:
            return "prefill";
        case Server::Role::decode:
            return "decode";
        case Server::Role::whole:
            break;
    }
    return "";
}

/// vLLM's and SGLang's name of the type of weights that are not quantized, and of activations.
const char* dtype(Precision precision) {
    if (precision == Precision::fp16) return "float16";
    return precision == Precision::fp32 ? "float32" : "bfloat16";
}

/// Notes what no engine has a flag for.
void lack_common(FlagList& flags, const study::Scenario& scenario, const Server& server,
                 graph::Scheduler scheduler) {
    const ServingEngine& engine = scenario.workload.engine;
    const graph::SoftwareStack& stack = scenario.workload.stack;
    flags.lack_if(engine.scheduler != scheduler, "the scheduler of another engine");
    flags.lack_if(engine.speculative == Speculation::draft, "speculative draft: name the draft model");
    flags.lack_if(stack.precision == Precision::fp4 || stack.weight_bits > 0.0,
                  "weights in few bits: serve a checkpoint that is quantized so");
    if (server.in_pool())
        flags.lack(fmt::format("workers like this one: {}, behind a router", server.replicas));
}

void lack_replicas(FlagList& flags, const Server& server) {
    if (server.replicas > 1 && !server.in_pool())
        flags.lack(fmt::format("replicas: {} servers like this one, behind a router", server.replicas));
}

FrameworkFlags vllm(const study::Scenario& scenario, const Server& server) {
    const ServingEngine& engine = scenario.workload.engine;
    const Precision precision = scenario.workload.stack.precision;
    FlagList flags;
    flags.add("--tensor-parallel-size {}", server.tp);
    if (server.pp > 1) flags.add("--pipeline-parallel-size {}", server.pp);
    const std::int64_t dp = server.attention_dp * (server.in_pool() ? 1 : server.replicas);
    if (dp > 1) flags.add("--data-parallel-size {}", dp);
    flags.add_if(server.ep > 1, "--enable-expert-parallel");
    flags.add_if(engine.two_batch, "--enable-dbo");
    flags.add_if(engine.scheduling_policy == graph::SchedulingPolicy::priority,
                 "--scheduling-policy priority");
    flags.add("--max-num-seqs {}", server.max_sequences);
    flags.add("--max-num-batched-tokens {}", server.token_budget);
    flags.add(engine.chunked_prefill ? "--enable-chunked-prefill" : "--no-enable-chunked-prefill");
    flags.add(engine.prefix_cache ? "--enable-prefix-caching" : "--no-enable-prefix-caching");
    if (engine.host_cache.value() > 0.0) {
        // Of all ranks of an engine together.
        const auto ranks = static_cast<double>(server.tp * server.pp);
        flags.add("--kv-offloading-backend native");
        flags.add("--kv-offloading-size {:.4g}", engine.host_cache.value() * ranks / gibibyte);
    }
    flags.add("--gpu-memory-utilization {}", engine.memory_share);
    flags.add("--dtype {}", dtype(precision));
    if (precision == Precision::fp8) flags.add("--quantization fp8");
    const CachePrecision cache = scenario.workload.serving.kv_cache_precision;
    flags.add_if(cache == CachePrecision::fp8, "--kv-cache-dtype fp8");
    if (engine.speculative == Speculation::mtp)
        flags.add(R"(--speculative-config '{{"method": "mtp", "num_speculative_tokens": {}}}')",
                  engine.speculative_tokens);
    if (scenario.workload.traffic.adapters > 0) {
        flags.add("--enable-lora");
        flags.add("--max-loras {}", engine.max_loras);
        flags.add("--max-lora-rank {}", engine.lora_rank);
    }
    if (server.in_pool())
        flags.add(R"(--kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_both"}')");
    lack_common(flags, scenario, server, graph::Scheduler::vllm);
    flags.lack_if(!scenario.workload.stack.cuda_graphs,
                  "without CUDA graphs: --enforce-eager, if that is meant");
    return flags.take();
}

FrameworkFlags sglang(const study::Scenario& scenario, const Server& server) {
    const ServingEngine& engine = scenario.workload.engine;
    const Precision precision = scenario.workload.stack.precision;
    FlagList flags;
    flags.add("--tp-size {}", server.width());
    if (server.pp > 1) flags.add("--pp-size {}", server.pp);
    if (server.ep > 1) flags.add("--ep-size {}", server.ep);
    if (server.attention_dp > 1) {
        flags.add("--dp-size {}", server.attention_dp);
        flags.add("--enable-dp-attention");
        lack_replicas(flags, server);
    } else if (server.replicas > 1 && !server.in_pool()) {
        flags.add("--dp-size {}", server.replicas);
    }
    flags.add_if(engine.two_batch, "--enable-two-batch-overlap");
    // Both limits are divided among the ranks of attention.
    flags.add("--max-running-requests {}", server.max_sequences * server.attention_dp);
    flags.add("--chunked-prefill-size {}",
              engine.chunked_prefill ? server.token_budget * server.attention_dp : -1);
    if (!engine.chunked_prefill) flags.add("--max-prefill-tokens {}", server.token_budget);
    flags.add_if(!engine.prefix_cache, "--disable-radix-cache");
    if (engine.host_cache.value() > 0.0) {
        // Of each rank, in whole units of 10^9 bytes.
        flags.add("--enable-hierarchical-cache");
        flags.add("--hicache-size {:.0f}", std::ceil(engine.host_cache.value() / 1e9));
    }
    flags.add("--dtype {}", dtype(precision));
    if (precision == Precision::fp8) flags.add("--quantization fp8");
    const CachePrecision cache = scenario.workload.serving.kv_cache_precision;
    flags.add_if(cache == CachePrecision::fp8, "--kv-cache-dtype fp8_e4m3");
    if (engine.speculative == Speculation::mtp) {
        flags.add("--speculative-algorithm EAGLE");
        flags.add("--speculative-num-steps {}", engine.speculative_tokens);
        flags.add("--speculative-eagle-topk 1");
        flags.add("--speculative-num-draft-tokens {}", engine.speculative_tokens + 1);
    }
    if (scenario.workload.traffic.adapters > 0) {
        flags.add("--enable-lora");
        flags.add("--max-loras-per-batch {}", engine.max_loras);
        flags.add("--max-lora-rank {}", engine.lora_rank);
    }
    flags.add_if(!scenario.workload.stack.cuda_graphs, "--disable-cuda-graph");
    if (server.in_pool()) flags.add("--disaggregation-mode {}", role_name(server.role));
    flags.lack("memory_share: SGLang's --mem-fraction-static is a share for parameters and cache alone");
    lack_common(flags, scenario, server, graph::Scheduler::sglang);
    return flags.take();
}

/// Adds the section on the cache.
void configure_trtllm_cache(FlagList& flags, const study::Scenario& scenario) {
    const ServingEngine& engine = scenario.workload.engine;
    flags.configure("kv_cache_config:");
    flags.configure("  enable_block_reuse: {}", engine.prefix_cache);
    if (engine.cache_share > 0.0) flags.configure("  free_gpu_memory_fraction: {}", engine.cache_share);
    flags.lack_if(engine.cache_share == 0.0,
                  "memory_share: TensorRT-LLM's free_gpu_memory_fraction is a share of what parameters leave "
                  "(cache_share)");
    if (engine.host_cache.value() > 0.0)
        flags.configure("  host_cache_size: {:.0f}", engine.host_cache.value());
    if (scenario.workload.serving.kv_cache_precision == CachePrecision::fp8) flags.configure("  dtype: fp8");
}

FrameworkFlags trtllm(const study::Scenario& scenario, const Server& server) {
    const ServingEngine& engine = scenario.workload.engine;
    FlagList flags;
    flags.add("--tp_size {}", server.width());
    if (server.pp > 1) flags.add("--pp_size {}", server.pp);
    if (server.ep > 1) flags.add("--ep_size {}", server.ep);
    flags.add("--max_batch_size {}", server.max_sequences);
    flags.add("--max_num_tokens {}", server.token_budget);
    flags.add_if(engine.chunked_prefill, "--enable_chunked_prefill");
    if (server.in_pool())
        flags.add("--server_role {}", server.role == Server::Role::prefill ? "CONTEXT" : "GENERATION");
    flags.add("--config config.yaml");
    if (server.attention_dp > 1) flags.configure("enable_attention_dp: true");
    if (engine.hold_steps > 0) {
        flags.configure("batch_wait_timeout_iters: {}", engine.hold_steps);
        flags.configure("batch_wait_max_tokens_ratio: {}", engine.hold_share);
    }
    configure_trtllm_cache(flags, scenario);
    if (engine.speculative == Speculation::mtp) {
        flags.configure("speculative_config:");
        flags.configure("  decoding_type: MTP");
        flags.configure("  num_nextn_predict_layers: {}", engine.speculative_tokens);
    }
    if (scenario.workload.traffic.adapters > 0) {
        flags.configure("lora_config:");
        flags.configure("  max_loras: {}", engine.max_loras);
        flags.configure("  max_lora_rank: {}", engine.lora_rank);
    }
    if (!scenario.workload.stack.cuda_graphs) flags.configure("cuda_graph_config: null");
    if (server.in_pool()) {
        flags.configure("cache_transceiver_config:");
        flags.configure("  backend: DEFAULT");
        // As TensorRT-LLM's examples of disaggregated servers have it.
        if (server.role == Server::Role::prefill) flags.configure("disable_overlap_scheduler: true");
    }
    lack_replicas(flags, server);
    flags.lack_if(engine.two_batch, "two_batch: no flag of TensorRT-LLM is known for it");
    flags.lack_if(scenario.workload.stack.precision == Precision::fp8,
                  "precision fp8: serve a checkpoint that is quantized so");
    lack_common(flags, scenario, server, graph::Scheduler::tensorrt);
    return flags.take();
}

FrameworkFlags flags_of(Framework framework, const study::Scenario& scenario, const Server& server) {
    const auto make = framework == Framework::vllm ? vllm : framework == Framework::sglang ? sglang : trtllm;
    FrameworkFlags flags = make(scenario, server);
    flags.role = role_name(server.role);
    return flags;
}

}  // namespace

std::vector<FrameworkFlags> server_flags(Framework framework, const study::Scenario& scenario) {
    DSE_EXPECT(serves(framework));
    const hardware::PoolsSpec& pools = scenario.system.pools;
    if (!pools.exist()) return {flags_of(framework, scenario, whole_server(scenario))};
    const ServingEngine& engine = scenario.workload.engine;
    return {flags_of(framework, scenario, worker(Server::Role::prefill, pools.prefill, engine)),
            flags_of(framework, scenario, worker(Server::Role::decode, pools.decode, engine))};
}

}  // namespace dse::app
