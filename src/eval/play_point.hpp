#pragma once

#include "dse/base/error.hpp"
#include "dse/eval/deadline.hpp"
#include "dse/eval/shortage.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/space/record.hpp"
#include "dse/study/binder.hpp"

namespace dse::eval {

/// Binds and simulates a point. Sets the record's status and reason.
/// \param answered  called if the record has metrics; its exceptions are handled in the same way
template <class Answered>
void play_point(study::Binder& binder, Simulator& simulator, const space::Point& point, sim::Asked::For asked,
                space::Record& record, Answered answered) {
    try {
        binder.bind(point);
        const Evaluation& evaluation = simulator.run(binder.scenario(), binder.system_key(), WhenFull::refuse,
                                                     asked, binder.beside_network());
        record.status = evaluation.shortage ? space::Status::out_of_memory : space::Status::ok;
        if (evaluation.shortage) return write_reason(*evaluation.shortage, record.reason);
        record.metrics = evaluation.metrics;
        record.more = evaluation.class_values;
        answered();
    } catch (const ModelError& error) {
        record.status = space::Status::outside_validity;
        record.reason = error.what();
    } catch (const OutOfTime& error) {
        record.status = space::Status::timed_out;
        record.reason = error.what();
    }
}

}  // namespace dse::eval
