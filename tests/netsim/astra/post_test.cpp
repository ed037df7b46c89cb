#include "dse/netsim/astra/post.hpp"

#include <gtest/gtest.h>

#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

/// A ring of 4 at 1 byte a tick and 5 ticks a link.
class AstraPostTest : public testing::Test {
  protected:
    AstraPost& post(AstraNetwork network, AstraProtocol protocol = AstraProtocol::eager) {
        return post_.emplace(system_, network, protocol, events_);
    }
    AstraPost::Action note(Ticks& time) {
        return [this, &time] { time = events_.now(); };
    }

    AstraSystem system_{line_of(DimensionKind::ring, 4, Algorithm::ring, 5.0)};
    AstraEvents events_{4};
    std::optional<AstraPost> post_;
    Ticks sent_{-1};
    Ticks received_{-1};
    Ticks again_{-1};
};

TEST_F(AstraPostTest, a_message_ends_for_both_when_it_is_there) {
    AstraPost& post = this->post(AstraNetwork::unaware);
    const AstraMessage message{7, 0, 2, 100};
    post.receive(message, note(received_));
    post.send(message, note(sent_));
    events_.run();
    // Two links of 5 and 100 bytes.
    EXPECT_EQ(sent_, 110);
    EXPECT_EQ(received_, 110);
}

TEST_F(AstraPostTest, a_late_receive_has_it_at_once) {
    AstraPost& post = this->post(AstraNetwork::unaware);
    const AstraMessage message{7, 0, 1, 100};
    post.send(message, note(sent_));
    events_.at(500, [&] { post.receive(message, note(received_)); });
    events_.run();
    EXPECT_EQ(sent_, 105);
    EXPECT_EQ(received_, 500);
}

TEST_F(AstraPostTest, messages_that_differ_in_anything_do_not_meet) {
    AstraPost& post = this->post(AstraNetwork::unaware);
    for (const AstraMessage& other :
         {AstraMessage{8, 0, 1, 100}, AstraMessage{7, 2, 1, 100}, AstraMessage{7, 0, 1, 99}}) {
        post.receive(other, note(received_));
    }
    post.send({7, 0, 1, 100}, note(sent_));
    events_.run();
    EXPECT_EQ(sent_, 105);
    EXPECT_EQ(received_, -1);
}

TEST_F(AstraPostTest, equal_messages_are_received_in_the_order_in_which_they_were_sent) {
    AstraPost& post = this->post(AstraNetwork::unaware);
    const AstraMessage message{7, 0, 1, 100};
    post.receive(message, note(received_));
    post.receive(message, note(again_));
    post.send(message, {});
    events_.at(50, [&] { post.send(message, {}); });
    events_.run();
    EXPECT_EQ(received_, 105);
    EXPECT_EQ(again_, 155);
}

TEST_F(AstraPostTest, a_rendezvous_waits_for_the_receivers_word) {
    AstraPost& post = this->post(AstraNetwork::unaware, AstraProtocol::rendezvous);
    const AstraMessage message{7, 0, 1, 100};
    post.send(message, note(sent_));
    events_.at(1000, [&] { post.receive(message, note(received_)); });
    events_.run();
    // The word of 8192 bytes: there at 1000 + 8192 + 5 = 9197; then the message: 105.
    EXPECT_EQ(sent_, 9302);
    EXPECT_EQ(received_, 9302);
}

TEST_F(AstraPostTest, aware_messages_take_turns_on_a_link) {
    AstraPost& post = this->post(AstraNetwork::aware);
    post.receive({1, 0, 1, 100}, note(received_));
    post.receive({2, 0, 1, 100}, note(again_));
    post.send({1, 0, 1, 100}, {});
    post.send({2, 0, 1, 100}, {});
    events_.run();
    EXPECT_EQ(received_, 105);
    EXPECT_EQ(again_, 205);
}

}  // namespace
}  // namespace dse::netsim
