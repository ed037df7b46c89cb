#pragma once

#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Calibration to a step time that the user measured: one fitted device parameter and a factor for the
/// remaining difference.
struct OwnStep {
    double predicted{0.0};  ///< s, before fitting
    double low{0.0};        ///< s, ends of its error bar; NaN if no errors are known
    double high{0.0};
    double rate_before{1.0};    ///< the device's matmul.in_training: share of its fastest matrix product
    double rate{1.0};           ///< the same, fitted
    double rest{1.0};           ///< remaining factor, which applies to all times
    double share_of_peak{0.0};  ///< MFU of the measured step: above 1, it is not a step of this run
};

/// Fits `matmul.in_training` within 0.5 to 1.5 times its value (at most 1) so that the predicted time of a
/// point matches the measured one; a factor covers any remaining difference. The fitted value is stored in
/// the sweep.
/// \param measured  s, > 0
/// \throws ModelError if the point cannot be simulated
OwnStep fit_own_step(study::Sweep& sweep, const space::Point& point, double measured);

}  // namespace dse::eval
