#include "dse/hardware/scale_out_spec.hpp"

namespace dse::hardware {

Problems problems_of(const ScaleOutSpec& scale_out) {
    Problems problems = problems_of(scale_out.link);
    problems.at_least("oversubscription", scale_out.oversubscription, 1,
                      "a fabric that carries all that enters it has 1");
    return problems;
}

}  // namespace dse::hardware
