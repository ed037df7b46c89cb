#pragma once

#include "dse/base/units.hpp"
#include "dse/workload/work.hpp"

namespace dse::model {

/// Time of one operator on one device. Implementations are pure: same work, same time; no allocation.
class ComputeModel {
  public:
    ComputeModel() = default;
    ComputeModel(const ComputeModel&) = delete;
    ComputeModel& operator=(const ComputeModel&) = delete;
    virtual ~ComputeModel() = default;

    /// \throws ModelError when the device or the model cannot run this work
    [[nodiscard]] virtual Seconds time(const workload::Compute& work) const = 0;
};

}  // namespace dse::model
