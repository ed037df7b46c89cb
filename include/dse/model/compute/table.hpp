#pragma once

#include <array>

#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/table/factor_map.hpp"

namespace dse::model {

/// Interpolation of measured kernel times.
///
/// Each row of the table gives a factor on the roofline's time, with the rates of the measured device: with
/// others, which an axis may set, times change as the roofline's do. The factor is interpolated over log
/// sizes: batch, m, n and k for products, bytes moved for other operators. Sizes in the table have their
/// measured time. Validity: between the smallest and the largest size of each coordinate. Outside this range
/// the factor of the nearest edge is used; if the table has no row of that kind, the roofline alone.
/// account() reports both cases.
///
/// Rows of one 16-bit format apply to the other one; for operators other than products, rows of any format
/// apply, since only bytes matter. Times are those of the measurements, without `matmul.in_training`.
class Table final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    /// \throws ModelError if the device has no table
    Table(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;
    [[nodiscard]] Account account(const graph::Compute& work) const override;

  private:
    void add(const hardware::MeasuredRow& row, const Roofline& measured);
    [[nodiscard]] const ProductFactors& products(graph::Precision precision) const;
    [[nodiscard]] const StreamFactors& streams(graph::OpClass op_class, graph::Precision precision) const;
    /// Factor on the roofline's time; 1 if the table has no row of this kind.
    [[nodiscard]] double factor(const graph::Compute& work) const;

    Roofline roofline_;
    Seconds host_launch_;
    std::array<ProductFactors, graph::precision_count> products_;
    std::array<std::array<StreamFactors, graph::precision_count>, graph::op_class_count> streams_;
};

}  // namespace dse::model
