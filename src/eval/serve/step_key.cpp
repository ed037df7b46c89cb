#include <cstring>
#include <string>
#include <utility>

#include "dse/config/field.hpp"
#include "eval/serve/step_table.hpp"

namespace dse::eval {
namespace {

/// A `describe` visitor that concatenates all values.
class Values {
  public:
    template <class T>
    void required(const char* /*name*/, const T& value, config::Range /*range*/, const char* /*help*/) {
        add(value);
    }
    template <class T>
    void required(const char* /*name*/, const T& value, const char* /*help*/) {
        add(value);
    }
    template <class T>
    void optional(const char* /*name*/, const T& value, config::Range /*range*/, const char* /*help*/) {
        add(value);
    }
    template <class T>
    void optional(const char* /*name*/, const T& value, const char* /*help*/) {
        add(value);
    }
    void renamed(const char* /*old_name*/, const char* /*name*/, const char* /*meaning*/) {}
    template <class Struct>
    void optional_section(const char* /*name*/, Struct& value, const char* /*help*/) {
        describe(*this, value);
    }
    template <class List>
    void records(const char* /*name*/, const List& /*value*/, const char* /*help*/) {}  // of traffic only
    template <class Struct, class Apply>
    void preset(const char* /*name*/, const Struct& /*value*/, const char* /*folder*/, const char* /*help*/,
                Apply&& /*apply*/) {}  // its values are in the fields that it sets

    [[nodiscard]] std::string take() { return std::move(text_); }

    template <class T>
    void add(const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            text_ += value;
            text_ += '\0';
        } else {
            const double number = config::detail::load(value);
            char bytes[sizeof number];
            std::memcpy(bytes, &number, sizeof number);
            text_.append(bytes, sizeof number);
        }
    }

  private:
    std::string text_;
};

}  // namespace

std::string step_key(const study::Scenario& scenario, const Machine& machine) {
    graph::WorkloadSpec workload = scenario.workload;
    // Traffic and service levels do not affect steps.
    workload.traffic = {};
    const graph::ServingEngine engine = std::exchange(workload.engine, {});
    workload.engine.scheduler = engine.scheduler;        // which steps are replayed
    workload.engine.graph_tokens = engine.graph_tokens;  // the same
    workload.engine.attention_dp = engine.attention_dp;  // what ranks share
    workload.engine.two_batch = engine.two_batch;
    workload.engine.cast_launch = engine.cast_launch;
    workload.engine.cast_row_time = engine.cast_row_time;
    workload.engine.cast_rows_half = engine.cast_rows_half;
    workload.engine.expert_launch = engine.expert_launch;
    workload.engine.concurrent_batches = engine.concurrent_batches;
    workload.engine.speculative = engine.speculative;
    workload.engine.speculative_tokens = engine.speculative_tokens;
    workload.engine.acceptance = engine.acceptance;
    workload.engine.acceptance_decay = engine.acceptance_decay;
    workload.engine.draft_share = engine.draft_share;
    workload.levels = {};
    Values values;
    values.add(static_cast<double>(machine.serial));
    describe(values, workload);
    return values.take();
}

}  // namespace dse::eval
