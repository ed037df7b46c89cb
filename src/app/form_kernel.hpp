#pragma once

#include <optional>
#include <string>

#include "app/kernel_file.hpp"
#include "dse/base/units.hpp"
#include "dse/model/compute/roofline.hpp"

namespace dse::app {

/// Times of single kernels by the forms of a device's own constants (model::Roofline), for devices of whose
/// kernels nothing was learned.
class FormKernels {
  public:
    explicit FormKernels(const hardware::DeviceSpec& device)
        : roofline_{device, Seconds{}}, device_{device} {}

    /// \returns nothing for a kernel that has no form
    [[nodiscard]] std::optional<Seconds> time(const model::Kernel& kernel) const;
    /// Why a kernel has no form: experts, latent attention, windows, weights in fewer bits than activations,
    /// formats that the device lacks.
    /// \returns "" if it has one
    [[nodiscard]] std::string missing(const model::Kernel& kernel) const;
    [[nodiscard]] Seconds time(const VectorKernel& kernel) const;

  private:
    model::Roofline roofline_;
    const hardware::DeviceSpec& device_;
};

}  // namespace dse::app
