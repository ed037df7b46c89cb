#include "dse/hardware/device/vector_spec.hpp"

namespace dse::hardware {

Problems problems_of(const VectorSpec& vector) {
    Problems problems = out_of_range(vector);
    problems.expect(!vector.exists() || vector.per_element > Seconds{}, "per_element",
                    "missing (a device with lanes takes some time for an element)");
    return problems;
}

}  // namespace dse::hardware
