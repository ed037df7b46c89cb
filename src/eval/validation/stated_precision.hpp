#pragma once

#include "dse/eval/validation/named_file.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/hardware/device/device_spec.hpp"

namespace dse::eval {

/// Sets the precision of products that a table states. Weights of fewer bits than the device multiplies in
/// (NamedFile::weight_bits) are widened to 16.
/// \throws ModelError if no precision has the name of the file
void set_precision(const NamedFile& named, const hardware::DeviceSpec& device, graph::SoftwareStack& stack);

}  // namespace dse::eval
