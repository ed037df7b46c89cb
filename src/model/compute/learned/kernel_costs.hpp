#pragma once

#include <array>
#include <cstddef>

#include "dse/hardware/device/cost_sums.hpp"
#include "dse/model/compute/learned/kernel.hpp"

namespace dse::model {

/// The device properties that kernels need.
struct KernelMachine {
    double rate{0.0};    ///< of the matrix units, in the kernel's format [FLOP/s]
    double memory{0.0};  ///< that long kernels attain [B/s]
    double multiprocessors{0.0};
    double cache{0.0};  ///< [B]
    double cycle{0.0};  ///< [s]
    bool before_hopper{false};
    bool warp_products{false};  ///< LearnedSpec::warp_products
    double wide_rate{0.0};      ///< of the matrix units, in 16 bits [FLOP/s]
    double capability{9.0};     ///< NVIDIA's compute capability
};

/// Time of bytes at the rate of the cache [s].
double from_cache(double bytes, const KernelMachine& on);

/// Times of the bytes that a loop moves [s]: those that the cache holds between its repetitions, and the
/// others.
struct LoopTraffic {
    double cached;
    double rest;
};

/// \param working  working set of the loop: all bytes that come between two uses of one
LoopTraffic loop_traffic(double bytes, double working, const KernelMachine& on);

/// Bytes that a loop finds in the cache, if it reads so many, up to half of the cache.
double kept_by_cache(double bytes, const KernelMachine& on);

/// Number of tiles that cover a size.
double blocks(double size, double tile);

/// What a kernel would take for each part of its work [s], in the order of
/// analysis/dse_analysis/kernel_features.py, which names them.
class CostList {
  public:
    template <class... Values>
    void add(Values... costs) {
        (push(costs), ...);
    }

    std::array<double, hardware::CostSums::most_costs> values{};
    std::size_t count{0};

  private:
    void push(double value);
};

/// \param operands  and the result
CostList product_costs(const Kernel& work, const KernelMachine& on, const LoopTraffic& operands,
                       double activation_bytes);

/// Work of attention and of experts, as their features count it.
struct AttentionWork {
    double flop;
    double cached;  ///< bytes of keys and values
    double own;     ///< bytes of queries and results
    double pairs;   ///< of queries and keys, all heads
    double seen;    ///< keys visible to a query
};
CostList attention_costs(const Kernel& work, const KernelMachine& on, const AttentionWork& size);

/// Time of a layer's experts on a GPU of compute capability 12 whose grouped products have tiles of one size,
/// however few the rows of an expert are; 0: other kernels [s].
/// \param active  experts of this rank that receive a token
/// \param per_expert  their rows
/// \param moved  time of the bytes of both products [s]
double fixed_tiles(const Kernel& work, const KernelMachine& on, double active, double per_expert,
                   double moved);

struct ExpertWork {
    double own;         ///< experts of this rank
    double active;      ///< those that receive a token
    double rows;        ///< tokens, once for each of their experts on this rank
    double per_expert;  ///< rows of an active expert
    double busiest;     ///< rows of the busiest expert
    double compute;     ///< [s]
    LoopTraffic memory;
    double weights;  ///< share of the active experts' weights in all bytes
    double fixed;    ///< time of products whose tiles have one size [s]; 0: of others
};
CostList expert_costs(const Kernel& work, const KernelMachine& on, const ExpertWork& size);

struct LatentWork {
    double flop;         ///< without projections
    double cached;       ///< bytes of the latent cache
    double own;          ///< bytes of queries and results
    double projections;  ///< their weights; 0: none
    double weight_bytes;
    double serial;  ///< time of serial thread blocks [s]
};
CostList latent_costs(const Kernel& work, const KernelMachine& on, const LatentWork& size);

}  // namespace dse::model
