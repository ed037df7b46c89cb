#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// What a request passes on its way to a scheduler: the event loops of client and server, which accept it
/// (accept_time), a tokenizer that handles one prompt at a time (tokenize_time), and the processes behind
/// (request_time).
///
/// An event loop takes the first step of every request that is there before it takes the second of any, so
/// that requests which arrive together go on together.
class FrontEnd {
  public:
    explicit FrontEnd(const graph::ServingEngine& engine)
        : accept_time_{to_ticks(engine.accept_time.value())},
          tokenize_time_{to_ticks(engine.tokenize_time.value())},
          request_time_{to_ticks(engine.request_time.value())} {}

    /// When the scheduler receives the next request.
    /// \param number      of this request, one more than that of the last one that has passed
    /// \param sent        number of requests whose arrival is known so far
    /// \param request_of  called with numbers below `sent`
    template <class RequestOf>
    [[nodiscard]] Ticks ready(std::size_t number, std::size_t sent, const RequestOf& request_of) {
        const Request& next = request_of(number);
        look_for_more(number, sent, request_of);
        return end_of(std::max(tokenized_, accepted(next.arrival)), repeated(tokenize_time_, next.prompt)) +
               request_time_;
    }
    /// The scheduler has received the request. \param ready  when it was to
    void passed(const Request& request, Ticks ready) {
        tokenized_ = ready - request_time_;
        accepted_ = accepted(request.arrival);
    }
    /// Whether a request that arrives may delay others that arrived at the same time.
    [[nodiscard]] bool accepts_together() const { return accept_time_ > 0; }

  private:
    /// Requests that arrive together.
    struct Burst {
        Ticks arrival{never};
        Ticks start{0};  ///< when the front end begins to accept them
        std::size_t begin{0};
        std::size_t end{0};  ///< of those that are known to arrive
    };
    template <class RequestOf>
    void look_for_more(std::size_t number, std::size_t sent, const RequestOf& request_of) {
        if (accept_time_ == 0) return;
        const Ticks arrival = request_of(number).arrival;
        if (arrival != burst_.arrival) burst_ = {arrival, std::max(accepted_, arrival), number, number};
        while (burst_.end < sent && request_of(burst_.end).arrival == arrival) ++burst_.end;
    }
    /// When the burst is accepted; without accept_time, when the request arrives.
    [[nodiscard]] Ticks accepted(Ticks arrival) const {
        if (accept_time_ == 0) return arrival;
        return end_of(burst_.start,
                      repeated(accept_time_, static_cast<std::int64_t>(burst_.end - burst_.begin)));
    }

    Ticks accept_time_;
    Ticks tokenize_time_;
    Ticks request_time_;
    Burst burst_;         ///< of the next request
    Ticks accepted_{0};   ///< when the last request that has passed was
    Ticks tokenized_{0};  ///< when the tokenizer has finished all requests before the next
};

}  // namespace dse::serving
