#include "dse/dist/local_channel.hpp"

#include <utility>

#include "dse/base/check.hpp"

namespace dse::dist {

class LocalNetwork::End final : public Channel {
  public:
    End(LocalNetwork& network, int rank) : network_{&network}, rank_{rank} {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return static_cast<int>(network_->mailboxes_.size()); }

    void send(int to, const Message& message) override {
        DSE_EXPECT(to >= 0 && to < size());
        Mailbox& mailbox = *network_->mailboxes_[static_cast<std::size_t>(to)];
        Message copy = message;
        copy.sender = rank_;
        const std::scoped_lock lock{mailbox.mutex};
        mailbox.messages.push_back(std::move(copy));
    }

    std::optional<Message> try_receive() override {
        Mailbox& mailbox = *network_->mailboxes_[static_cast<std::size_t>(rank_)];
        const std::scoped_lock lock{mailbox.mutex};
        if (mailbox.messages.empty()) return std::nullopt;
        Message message = std::move(mailbox.messages.front());
        mailbox.messages.pop_front();
        return message;
    }

  private:
    LocalNetwork* network_;
    int rank_;
};

LocalNetwork::LocalNetwork(int size) {
    DSE_REQUIRE(size >= 1);
    for (int rank = 0; rank < size; ++rank) mailboxes_.push_back(std::make_unique<Mailbox>());
}

std::unique_ptr<Channel> LocalNetwork::channel(int rank) {
    return std::make_unique<End>(*this, rank);
}

}  // namespace dse::dist
