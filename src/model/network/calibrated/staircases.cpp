#include "model/network/calibrated/staircases.hpp"

#include <array>

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::GpuGeneration;

constexpr Seconds us(double value) {
    return Seconds{value * 1e-6};
}

/// All-reduce, all-gather, reduce-scatter, all-to-all, fitted by analysis/dse_analysis/fit_collectives.py to
/// the NCCL tables of ai-dynamo/aiconfigurator 095f58a51c4c (Apache-2.0): replays of CUDA graphs, NCCL 2.27.3
/// on A100 (ampere), 2.29.2 on H100 and H200 (hopper), B200 and GB200 (blackwell). All-reduces of Hopper
/// without those in int8, which its switches do not add.
const std::array<Staircase, 4>* fitted(GpuGeneration generation) {
    static constexpr std::array<Staircase, 4> ampere{
        {{us(8.702), us(2.149), 0.155, us(37.78), us(0), 0.687, 0.083},
         {us(9.203), us(0.939), 0.173, us(30.25), us(6.382), 0.72, 0.255},
         {us(10.22), us(0.689), 0.297, us(46.53), us(3.066), 0.695, 0.149},
         {us(11.23), us(0.416), 0.182, us(32.74), us(0.285), 0.652, 0.124}}};
    static constexpr std::array<Staircase, 4> hopper{
        {{us(4.908), us(1.75), 0.306, us(24.83), us(1.646), 0.988, 0.279},
         {us(4.831), us(0.942), 0.26, us(24.32), us(1.614), 0.775, 0.207},
         {us(5.053), us(0.839), 0.31, us(24.83), us(0), 0.735, 0.262},
         {us(6.4), us(0.274), 0.024, us(12.79), us(0), 0.625, 0.062}}};
    static constexpr std::array<Staircase, 4> blackwell{
        {{us(8.398), us(2.53), 0.271, us(20.77), us(12.5), 0.848, 0.253},
         {us(8.364), us(1.258), 0.219, us(17.95), us(8.302), 0.919, 0.419},
         {us(8.692), us(1.143), 0.273, us(10.22), us(9.744), 0.938, 0.612},
         {us(9.495), us(0.274), 0.009, us(16.12), us(0.199), 0.598, 0.32}}};
    switch (generation) {
        case GpuGeneration::ampere:
            return &ampere;
        case GpuGeneration::hopper:
            return &hopper;
        case GpuGeneration::blackwell:
            return &blackwell;
        case GpuGeneration::automatic:
        case GpuGeneration::volta:
            break;
    }
    return nullptr;
}

/// Fitted to all of these rows at once. Latencies and steps, written as microseconds, are in units of the
/// short all-gather between two devices: 9.1 us on Ampere, 5.3 us on Hopper, 9.2 us on Blackwell.
constexpr std::array<Staircase, 4> of_any_generation{
    {{us(0.913), us(0.2866), 0.2541, us(3.989), us(0.2118), 0.7572, 0.1379},
     {us(0.9159), us(0.1506), 0.2309, us(3.704), us(0.4932), 0.7752, 0.2479},
     {us(0.9555), us(0.1327), 0.2955, us(4.503), us(0.1461), 0.7378, 0.2676},
     {us(1.126), us(0.04975), 0.0215, us(2.092), us(0.01352), 0.5973, 0.1424}}};

/// Nothing for collectives that were not measured.
std::optional<std::size_t> index_of(CollectiveKind kind) {
    static_assert(static_cast<std::size_t>(CollectiveKind::all_to_all) == 3);
    const auto index = static_cast<std::size_t>(kind);
    return index < of_any_generation.size() ? std::optional{index} : std::nullopt;
}

}  // namespace

std::optional<Staircase> staircase(CollectiveKind kind, GpuGeneration generation) {
    const std::array<Staircase, 4>* of_generation = fitted(generation);
    const auto index = index_of(kind);
    if (of_generation == nullptr || !index) return std::nullopt;
    return (*of_generation)[*index];
}

std::optional<Staircase> staircase(CollectiveKind kind, Seconds short_all_gather) {
    const auto index = index_of(kind);
    if (!index) return std::nullopt;
    Staircase way = of_any_generation[*index];
    const double unit = short_all_gather / us(1.0);
    for (Seconds* latency : {&way.short_latency, &way.short_step, &way.long_latency, &way.long_step})
        *latency = *latency * unit;
    return way;
}

}  // namespace dse::model
