#include "dse/hardware/pools_spec.hpp"

#include <array>

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

std::span<const std::string_view> choice_names(CacheTransfer) {
    static constexpr std::array<std::string_view, 2> names{"layers", "whole"};
    return names;
}

std::span<const std::string_view> choice_names(FirstToken) {
    static constexpr std::array<std::string_view, 2> names{"prefill", "decode"};
    return names;
}

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
