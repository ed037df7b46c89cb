#include "dse/hardware/pools_spec.hpp"

#include <fmt/format.h>

namespace dse::hardware {
namespace {

void check_workers(const PoolSpec& pool, const char* devices, Problems& problems) {
    const std::int64_t worker = pool.tp * pool.pp * pool.attention_dp;
    if (pool.devices > 0 && pool.devices % worker == 0) return;
    problems.expect(false, devices,
                    fmt::format("{} devices are not a whole number of workers of {} (tp {} x pp {} x "
                                "attention_dp {})",
                                pool.devices, worker, pool.tp, pool.pp, pool.attention_dp)
                        .c_str());
}

}  // namespace

Problems problems_of(const PoolsSpec& pools) {
    Problems problems = out_of_range(pools);
    problems.nest("prefill", out_of_range(pools.prefill));
    problems.nest("decode", out_of_range(pools.decode));
    if (!pools.exist() || !problems.empty()) return problems;
    check_workers(pools.prefill, "prefill.devices", problems);
    check_workers(pools.decode, "decode.devices", problems);
    return problems;
}

}  // namespace dse::hardware
