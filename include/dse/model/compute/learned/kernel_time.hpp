#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/model/compute/learned/kernel.hpp"
#include "dse/model/compute/learned/kernel_features.hpp"

namespace dse::model {

/// Time and power of single kernels by the trees of hardware::LearnedSpec: a sum of costs (compute, memory,
/// launch, …), times a factor learned from measured kernels of the same kind. Validity: beyond the sizes
/// measured, the sum grows with the work, and the factor fades to one: to the e-th part of its logarithm
/// where the analytical estimate is four times that of the largest kernel measured.
class KernelTime {
  public:
    /// \throws InputError if the trees are of a kind that no kernel is, or weigh other costs than their kind
    /// has
    KernelTime(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned);

    /// Time of one call in a full queue. \returns nothing if no kernel of this kind and library was measured
    [[nodiscard]] std::optional<Seconds> time(const Kernel& kernel) const;
    /// The measured release that stands for the kernel's: its own, else the newest before it in which this
    /// kind was measured with these operands, else the oldest.
    /// \returns "" if the files do not say
    [[nodiscard]] std::string release(const Kernel& kernel) const;
    /// Whether enough kernels of its kind, library and format (in attention: of its cache and window, too)
    /// were measured for costs of their own. Others are predicted with those that all kernels of its kind
    /// share.
    [[nodiscard]] bool has_own_costs(const Kernel& kernel) const;
    /// The release that the file states for kernels without one, if nothing was measured of it: another one
    /// then stands for it. TensorRT-LLM's and vLLM's are those of the trees themselves.
    /// \returns "" otherwise
    [[nodiscard]] std::string unmeasured_release(KernelLibrary library) const;
    /// Part of `time` in which a product's activations are cast: products in fp8 and nvfp4 were measured as
    /// operators that cast them first, with one kernel, or two more for their scale (TensorRT-LLM in fp8). In
    /// the graph of a model, casts are operators of their own or parts of the ones before. 0 for others.
    [[nodiscard]] Seconds cast_time(const Kernel& product) const;
    /// Mean power of the device while the kernel runs repeatedly. \returns nothing if none was measured
    [[nodiscard]] std::optional<Watts> power(const Kernel& kernel) const;

  private:
    /// What is learned of a kind of kernel in one release.
    struct Edition {
        std::string release;
        const hardware::LearnedKind* learned{nullptr};
        int number{own};  ///< of hardware::MeasuredRelease
        static constexpr int own = -1;
    };

    /// \throws InputError if a file of trees looks at other features, or weighs other costs, than this kind
    /// has
    void expect_same_version(KernelKind kind, std::string_view name) const;
    [[nodiscard]] const std::string& usual_release(KernelLibrary library) const;
    /// Those of an edition. \param features  of `kernel`, without a release
    [[nodiscard]] KernelFeatures features_in(const Edition& edition, const Kernel& kernel,
                                             const KernelFeatures& features) const;
    /// \param features  as above
    [[nodiscard]] Edition edition(const Kernel& kernel, const KernelFeatures& features) const;

    hardware::LearnedSpec learned_;
    KernelDevice device_;
    Watts limit_;
    BytesPerSecond memory_;
    Seconds empty_kernel_;  ///< in a replayed graph
    /// Logarithm of the time to scale and cast few elements [s].
    const hardware::TreeEnsemble* scale_and_cast_{nullptr};
    std::array<const hardware::LearnedKind*, kernel_kind_count> times_{};
    std::array<const hardware::LearnedKind*, kernel_kind_count> of_releases_{};
    std::array<const hardware::TreeEnsemble*, kernel_kind_count> powers_{};
};

}  // namespace dse::model
