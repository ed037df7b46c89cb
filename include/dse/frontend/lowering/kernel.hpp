#pragma once

#include "dse/ir/program.hpp"
#include "dse/workload/work.hpp"

namespace dse::frontend {

/// What a device does for an operation of a program.
enum class DeviceWork : std::uint8_t {
    nothing,        ///< it names, groups or views values, or computes an index
    kernel,         ///< one kernel
    communication,  ///< with other devices
    copy,           ///< between the device's memory and the host's
    control         ///< what the computations say that it runs
};
DeviceWork device_work(const ir::Program& program, const ir::Operation& operation);

/// An operation as a kernel. FLOPs are those of products and fused attention, each multiply-add two, the
/// whole window of a convolution included; bytes are counted by XLA's rules.
/// \pre device_work says that it is one
workload::Compute kernel_of(const ir::Program& program, const ir::Operation& operation);

/// Which way a copy goes, and how much. \pre device_work says that it is one
workload::Copy copy_of(const ir::Program& program, const ir::Operation& operation);

/// The precision at which products of such elements run.
workload::Precision precision_of(ir::ElementType type);

}  // namespace dse::frontend
