#include "dse/model/compute/matmul_time.hpp"

namespace dse::model {

MatmulTime::MatmulTime(const hardware::DeviceSpec& device)
    : rates_{device},
      form_{device.matmul},
      memory_{device.memory.sustained() * device.matmul.memory_efficiency},
      blend_{device.matmul.sharpness} {}

Seconds MatmulTime::operator()(const graph::Compute& work) const {
    const Seconds compute = work.executed_flop / (rates_[work.precision] * work.efficiency) *
                            shape_loss(work.gemm, work.precision);
    const Seconds memory = (work.read + work.written) / memory_;
    return Seconds{blend_(compute.value(), memory.value())};
}

double MatmulTime::shape_loss(const graph::GemmShape& shape, graph::Precision precision) const {
    const double outputs = shape.batch * shape.m * shape.n;
    if (outputs <= 0.0 || shape.k <= 0.0) return 1.0;
    const double scale = graph::bytes_of(precision) < Bytes{2} ? form_.narrow_factor : 1.0;
    return (1.0 + scale * form_.area / outputs) * (1.0 + scale * form_.depth / shape.k);
}

}  // namespace dse::model
