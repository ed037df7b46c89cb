#pragma once

#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// What a user's own measured step says of the model: one number of the chip that training leaves free, and
/// what it cannot explain.
struct OwnStep {
    double predicted{0.0};  ///< s, before anything was fitted
    double low{0.0};        ///< s, ends of its bar; NaN where no errors are known
    double high{0.0};
    double rate_before{1.0};  ///< matmul.in_training of the device: share of its fastest product
    double rate{1.0};         ///< the same, fitted
    double rest{1.0};         ///< factor on every time that remains
};

/// Fits `matmul.in_training` within a half and once and a half of its value (1 at most) so that a point takes
/// as long as it was measured to take, and leaves the rest to a factor. The sweep takes over the fitted
/// number. \param measured  s, above 0 \throws ModelError where the point cannot be played
OwnStep fit_own_step(study::Sweep& sweep, const space::Point& point, double measured);

}  // namespace dse::eval
