#include "dse/model/compute/vector_time.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {

Seconds VectorTime::operator()(std::span<const double> shape, double operands, Division division) const {
    DSE_EXPECT(form_.exists() && !shape.empty() && operands >= 1.0);
    double elements = 1.0;
    for (const double size : shape) elements *= size;
    const double longest = *std::ranges::max_element(shape);
    const double places = elements / longest * std::ceil(longest / form_.lanes) * form_.lanes;
    const double padded = shape.size() > 2 ? places - elements : 0.0;
    const Seconds quotient = division == Division::of_result ? form_.quotient : Seconds{};
    const double others = operands - 1.0;
    return form_.latency + quotient + form_.operand_latency * others +
           (form_.per_element + form_.per_operand * others) * elements + form_.per_padded * padded;
}

}  // namespace dse::model
