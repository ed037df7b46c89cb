#pragma once

#include <array>

#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/table/factor_map.hpp"

namespace dse::model {

/// Measured times of kernels, interpolated.
///
/// The roofline is asked first; the table holds how much longer each of its rows took, and that factor is
/// interpolated over log sizes: of a product over batch, m, n and k, of other operators over the bytes they
/// move. A row of the table is answered as measured. Validity: the smallest to the largest size of each
/// coordinate. Outside it the answer is the roofline times the factor of the nearest edge, and account() says
/// so; it says so too where the table has no row of that kind, and the roofline stands alone.
///
/// Rows of a 16-bit format answer for the other one; of other operators, rows of any format answer, since it
/// is their bytes that count. Times are those of the table's runs: `matmul.in_training` is not in them.
class Table final : public ComputeModel {
  public:
    /// \param host_launch  CPU time of one launch; 0 under CUDA graphs
    /// \throws ModelError when the device has no table
    Table(const hardware::DeviceSpec& device, Seconds host_launch);

    [[nodiscard]] Seconds time(const graph::Compute& work) const override;
    [[nodiscard]] Account account(const graph::Compute& work) const override;

  private:
    void add(const hardware::MeasuredRow& row);
    [[nodiscard]] const ProductFactors& products(graph::Precision precision) const;
    [[nodiscard]] const StreamFactors& streams(graph::OpClass op_class, graph::Precision precision) const;
    /// Of the roofline's time; 1 where no row is of this kind.
    [[nodiscard]] double factor(const graph::Compute& work) const;

    Roofline roofline_;
    Seconds host_launch_;
    std::array<ProductFactors, graph::precision_count> products_;
    std::array<std::array<StreamFactors, graph::precision_count>, graph::op_class_count> streams_;
};

}  // namespace dse::model
