#include "eval/serve/cache_transfer.hpp"

#include <algorithm>

namespace dse::eval {

CacheTransfer::CacheTransfer(const model::NetworkModel& network, const hardware::PoolsSpec& pools,
                             double bytes_a_token, double state_bytes, std::int64_t layers)
    : network_{network},
      form_{pools.transfer},
      mesh_{graph::Mesh::dense(1, 1, pools.prefill.devices, 2)},
      bytes_a_token_{bytes_a_token},
      state_bytes_{state_bytes},
      layers_{layers} {}

serving::Ticks CacheTransfer::operator()(std::int64_t tokens, serving::Ticks reading) const {
    const auto time = [&](double bytes) {
        return serving::to_ticks(network_.transfer(Bytes{bytes}, mesh_, 0, 1).value());
    };
    const double bytes = bytes_a_token_ * static_cast<double>(tokens) + state_bytes_;
    const serving::Ticks whole = time(bytes);
    if (form_ == hardware::CacheTransfer::whole) return whole;
    // If the network is slower than the prefill, it is busy from the first layer on.
    return std::max(time(bytes / static_cast<double>(layers_)), whole - reading);
}

}  // namespace dse::eval
