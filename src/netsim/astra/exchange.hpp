#pragma once

#include <deque>

#include "dse/netsim/astra/program.hpp"
#include "netsim/astra/halving_doubling.hpp"

namespace dse::netsim {

/// The members that a member sends to and receives from, at a given distance in the direction of its phase.
struct AstraNeighbours {
    std::int64_t to;
    std::int64_t from;
};
AstraNeighbours neighbours(std::int64_t index, std::int64_t nodes, std::int64_t distance,
                           AstraDirection direction);

/// Ring, direct, and halving and doubling: for each message sent one is received, and each arrival makes the
/// next message ready. The window limits the number of messages in flight.
class AstraExchange : public AstraProgram {
  public:
    void start(Host& host) final;
    void ready(Host& host) override;
    void received(Host& host) final;

  protected:
    struct Message {
        std::int64_t to;
        std::int64_t from;
        std::int64_t bytes;
    };

    /// \param messages  number of messages to send
    /// \param window    number of messages in flight at once
    /// \param reduced   number of messages per cycle, after those of the window, whose contents are added
    AstraExchange(const AstraPhase& phase, std::int64_t messages, std::int64_t window, std::int64_t reduced);

    /// Returns the next message to make ready.
    virtual Message next() = 0;
    /// Sends a message that is ready. Returns false if none is, or all have been sent.
    bool send_one(Host& host);
    void finish_if_done(Host& host);

    [[nodiscard]] std::int64_t left() const { return left_; }
    [[nodiscard]] std::int64_t window() const { return window_; }
    [[nodiscard]] std::int64_t count_received() const { return received_; }
    void count_ready() { ++free_; }

  private:
    void make_ready(Host& host);

    graph::CollectiveKind kind_;
    std::int64_t left_;
    std::int64_t window_;
    std::int64_t cycle_;
    std::int64_t made_{0};
    std::int64_t free_{0};
    std::int64_t received_{0};
    std::deque<Message> waiting_;
};

class AstraRing final : public AstraExchange {
  public:
    AstraRing(const AstraPhase& phase, std::int64_t index);

  private:
    Message next() override { return message_; }
    Message message_;
};

class AstraHalvingDoubling final : public AstraExchange {
  public:
    AstraHalvingDoubling(const AstraPhase& phase, std::int64_t index);

  private:
    Message next() override;
    std::int64_t index_;
    HalvingDoublingMessages messages_;
};

class AstraDirect final : public AstraExchange {
  public:
    AstraDirect(const AstraPhase& phase, std::int64_t index);
    void ready(Host& host) override;

  private:
    Message next() override;
    [[nodiscard]] bool is_gathering() const;

    bool all_reduce_;
    std::int64_t index_;
    std::int64_t nodes_;
    AstraDirection direction_;
    std::int64_t distance_{1};
    std::int64_t bytes_;
};

}  // namespace dse::netsim
