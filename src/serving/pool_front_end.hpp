#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// What a request passes on its way to the pool that reads prompts. As behind FrontEnd, requests that arrive
/// together go on together; but a server of its own tokenizes their prompts side by side (Dynamo's, which
/// tokenizes on as many threads as there are cores: ai-dynamo/dynamo#11200).
class PoolFrontEnd {
  public:
    explicit PoolFrontEnd(const graph::ServingEngine& engine)
        : accept_time_{to_ticks(engine.accept_time.value())},
          tokenize_time_{to_ticks(engine.tokenize_time.value())},
          request_time_{to_ticks(engine.request_time.value())} {}

    /// A request arrives now.
    void arrive(std::size_t number) { together_.push_back(number); }
    /// No other request arrives now.
    /// \param pass  called with the number of each, and when the pool will receive it
    template <class Pass>
    void accept(Ticks now, const std::vector<Request>& requests, const Pass& pass) {
        if (together_.empty()) return;
        accepted_ = end_of(std::max(accepted_, now), repeated(accept_time_, std::ssize(together_)));
        for (const std::size_t number : together_)
            pass(number,
                 end_of(accepted_, repeated(tokenize_time_, requests[number].prompt)) + request_time_);
        together_.clear();
    }

  private:
    Ticks accept_time_;
    Ticks tokenize_time_;
    Ticks request_time_;
    Ticks accepted_{0};                  ///< when all that have arrived before were
    std::vector<std::size_t> together_;  ///< numbers of those that arrive now
};

}  // namespace dse::serving
