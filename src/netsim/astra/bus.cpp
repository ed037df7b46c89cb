#include "dse/netsim/astra/bus.hpp"

#include <limits>
#include <list>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

/// Ticks per byte between processor and memory; ASTRA-sim ignores the system file here.
constexpr double memory_per_byte = 0.0038;
/// Number of consecutive transfers after which the other end takes its turn.
constexpr int most_in_a_row = 8;

struct Request {
    std::int32_t bytes{0};
    bool reduced{false};
    bool sent_back{false};
    AstraBus::Action done;
};

}  // namespace

/// A line with two ends. The near end may be attached to memory by a line of its own.
class AstraBus::Line {
  public:
    Line(const AstraBusRules& rules, AstraEvents& events, std::size_t device)
        : near_{rules, events, device}, far_{rules, events, device} {
        near_.partner = &far_;
        far_.partner = &near_;
    }
    void attach_memory(const AstraBusRules& rules, AstraEvents& events, std::size_t device) {
        AstraBusRules own = rules;
        own.per_byte = memory_per_byte;
        near_.memory = std::make_unique<Line>(own, events, device);
    }

    /// Enters the request at the near or the far end of the line.
    void from_near(Request request) { near_.request(std::move(request)); }
    void from_far(Request request) { far_.request(std::move(request)); }

  private:
    /// One end of a line: it sends the requests it is given, and handles those that its partner sends.
    class End {
      public:
        End(const AstraBusRules& rules, AstraEvents& events, std::size_t device)
            : rules_{rules}, events_{events}, device_{device} {}

        void request(Request request) {
            if (memory) {
                // Read the data from memory first.
                after_memory(memory_reads, std::move(request),
                             [this](Request read) { offer(std::move(read)); });
                return;
            }
            sends_.push_back(std::move(request));
            if (state_ == State::free) send_in_turn();
        }

        End* partner{nullptr};
        std::unique_ptr<Line> memory;

      private:
        enum class State : std::uint8_t { free, sending, receiving };
        enum MemoryUse : std::uint8_t { memory_reads, memory_writes, memory_writes_and_reads };

        template <class Then>
        void after_memory(MemoryUse use, Request request, Then then) {
            Request inner{request.bytes, false, use == memory_writes_and_reads, {}};
            inner.done = [this, request = std::move(request), then = std::move(then)]() mutable {
                then(std::move(request));
                go_on();
            };
            if (use == memory_reads) {
                memory->from_far(std::move(inner));
            } else {
                memory->from_near(std::move(inner));
            }
        }

        void at(double ticks, Action action) {
            events_.at(events_.now() + whole_ticks(ticks), device_, std::move(action));
        }

        void offer(Request request) { sends_.push_back(std::move(request)); }

        void go_on() {
            if (state_ == State::free && !sends_.empty()) send_in_turn();
        }

        /// Sends, unless it is the other end's turn.
        void send_in_turn() {
            if (in_a_row_ > most_in_a_row && !partner->sends_.empty() &&
                partner->in_a_row_ <= most_in_a_row) {
                if (partner->state_ == State::free) partner->go_on();
                return;
            }
            send();
        }

        void send() {
            Ticks wait = rules_.overhead;
            if (before_ == State::sending) {
                const Ticks since = events_.now() - last_;
                if (rules_.overhead + since <= rules_.gap) wait = rules_.gap - since;
            }
            Request request = std::move(sends_.front());
            sends_.pop_front();
            const double flight = rules_.per_byte * (request.bytes - 1);
            partner->receive(std::move(request), wait);
            state_ = State::sending;
            at(static_cast<double>(wait) + flight, [this] { sent(); });
        }

        void receive(Request request, Ticks wait) {
            const double flight = (request.bytes - 1) * rules_.per_byte;
            receives_.push_back(std::move(request));
            before_ = state_;
            state_ = State::receiving;
            at(static_cast<double>(wait) + flight + static_cast<double>(rules_.latency) +
                   static_cast<double>(rules_.overhead),
               [this] { received(); });
            in_a_row_ = 0;
        }

        void sent() {
            last_ = events_.now();
            before_ = state_;
            state_ = State::free;
            ++in_a_row_;
            go_on();
        }

        void received() {
            DSE_REQUIRE(!receives_.empty());
            last_ = events_.now();
            before_ = state_;
            if (receives_.size() < 2) state_ = State::free;
            Request& front = receives_.front();
            if (front.reduced) {
                Request request = take_front();
                request.reduced = false;
                if (memory) {
                    after_memory(memory_writes_and_reads, std::move(request), [this](Request read) {
                        processing_.push_back(std::move(read));
                        process();
                    });
                } else {
                    processing_.push_back(std::move(request));
                }
                process();
            } else {
                pass_on(receives_);
            }
            go_on();
        }

        /// Sends the first request of a list back, writes it to memory, or completes it.
        void pass_on(std::list<Request>& list) {
            if (list.front().sent_back) {
                Request request = std::move(list.front());
                list.pop_front();
                request.sent_back = false;
                if (memory) {
                    after_memory(memory_writes_and_reads, std::move(request),
                                 [this](Request read) { offer(std::move(read)); });
                } else {
                    offer(std::move(request));
                }
                return;
            }
            if (memory) {
                Request request = std::move(list.front());
                list.pop_front();
                after_memory(memory_writes, std::move(request),
                             [](const Request& written) { written.done(); });
                return;
            }
            // `done` may issue further requests while this one is still in the list.
            list.front().done();
            list.pop_front();
        }

        Request take_front() {
            Request request = std::move(receives_.front());
            receives_.pop_front();
            return request;
        }

        void process() {
            if (is_processing_ || processing_.empty()) return;
            begin_processing();
        }
        void begin_processing() {
            is_processing_ = true;
            at(static_cast<double>(processing_.front().bytes / 100 * rules_.local_reduction + 50),
               [this] { processed(); });
        }
        void processed() {
            is_processing_ = false;
            pass_on(processing_);
            if (!processing_.empty()) begin_processing();
            go_on();
        }

        AstraBusRules rules_;
        AstraEvents& events_;
        std::size_t device_;
        State state_{State::free};
        State before_{State::free};
        Ticks last_{0};
        int in_a_row_{0};
        bool is_processing_{false};
        std::list<Request> sends_;
        std::list<Request> receives_;
        std::list<Request> processing_;
    };

    End near_;
    End far_;
};

AstraBus::AstraBus(const AstraBusRules& rules, AstraEvents& events, std::size_t device)
    : line_{std::make_unique<Line>(rules, events, device)} {
    line_->attach_memory(rules, events, device);
}
AstraBus::~AstraBus() = default;
AstraBus::AstraBus(AstraBus&&) noexcept = default;

void AstraBus::send(const AstraBundle& bundle, Action done) {
    if (bundle.bytes > std::numeric_limits<std::int32_t>::max())
        throw ModelError("model-shared-bus: ASTRA-sim counts the bytes of a bundle in 31 bits");
    Request request{static_cast<std::int32_t>(bundle.bytes), bundle.reduced, bundle.sent_back,
                    std::move(done)};
    if (bundle.way == AstraBundle::Way::to_network) {
        line_->from_near(std::move(request));
    } else {
        line_->from_far(std::move(request));
    }
}

}  // namespace dse::netsim
