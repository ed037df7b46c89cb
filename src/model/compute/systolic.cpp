#include "dse/model/compute/systolic.hpp"

#include <algorithm>

#include "dse/base/error.hpp"
#include "model/compute/shaped_product.hpp"

namespace dse::model {
namespace {

SystolicArray array_of(const hardware::DeviceSpec& device) {
    if (!device.systolic.exists())
        throw ModelError("the device has no systolic array (its file has no section 'systolic')");
    return {static_cast<double>(device.systolic.rows), static_cast<double>(device.systolic.columns),
            device.systolic.dataflow};
}

}  // namespace

Systolic::Systolic(const hardware::DeviceSpec& device, Seconds host_launch)
    : array_{array_of(device)},
      form_{device.systolic},
      roofline_{device, host_launch},
      rates_{device},
      flop_of_cycle_{2.0 * array_.rows * array_.columns},
      memory_{device.memory.sustained()},
      host_launch_{host_launch} {}

Seconds Systolic::time(const graph::Compute& work) const {
    if (!is_shaped_product(work)) return roofline_.time(work);
    return std::max(product(work), host_launch_ * work.kernels);
}

Account Systolic::account(const graph::Compute& work) const {
    Account account;
    account.time = time(work);
    if (is_shaped_product(work)) {
        account.cycles = cycles(work);
    } else {
        account.remark = "no product of a stated shape: as the roofline";
    }
    return account;
}

double Systolic::cycles(const graph::Compute& work) const {
    const graph::GemmShape& shape = work.gemm;
    const double stated = 2.0 * shape.batch * shape.m * shape.n * shape.k;
    // Work may compute only a part of the product, or recompute it.
    const double share = work.executed_flop.value() / stated;
    const graph::GemmShape whole{1.0, std::max(1.0, shape.m), std::max(1.0, shape.n), std::max(1.0, shape.k)};
    return folds_of(array_, whole).cycles() * shape.batch * share;
}

Seconds Systolic::product(const graph::Compute& work) const {
    const Seconds cycle = flop_of_cycle_ / (rates_[work.precision] * work.efficiency);
    const Bytes bytes = work.read + work.written;
    const Bytes staged = std::min(bytes, form_.staged);
    const Seconds staging = staged > Bytes{} ? staged / form_.staging_bandwidth : Seconds{};
    const Seconds latency = form_.latency * work.kernels;
    return latency + std::max(cycle * cycles(work) + staging, bytes / memory_);
}

}  // namespace dse::model
