#include "dse/dist/mpi_session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <list>
#include <string>
#include <thread>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <mpi.h>

#include "dse/base/check.hpp"

namespace dse::dist {
namespace {

constexpr int tag = 1;

/// Number of pending messages from which checking for delivered ones pays off.
constexpr std::size_t few_outgoing = 64;

/// Point-to-point messages as plain bytes. Sends are kept until MPI has completed them; nothing here blocks.
class MpiChannel final : public Channel {
  public:
    ~MpiChannel() override {
        // Final messages must arrive, but a rank that is gone never receives them.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
        for (forget_delivered(); !outgoing_.empty() && std::chrono::steady_clock::now() < end;) {
            std::this_thread::sleep_for(std::chrono::microseconds{50});
            forget_delivered();
        }
    }

    [[nodiscard]] int rank() const override { return world_.rank(); }
    [[nodiscard]] int size() const override { return world_.size(); }

    void send(int to, const Message& message) override {
        DSE_EXPECT(to >= 0 && to < size() && to != rank());
        if (outgoing_.size() >= look_through_at_) {
            forget_delivered();
            look_through_at_ = std::max(few_outgoing, 2 * outgoing_.size());
        }
        Outgoing& outgoing = outgoing_.emplace_back();
        outgoing.bytes = to_bytes(message, rank());
        DSE_REQUIRE(outgoing.bytes.size() <= std::numeric_limits<int>::max());
        outgoing.request =
            world_.isend(to, tag, outgoing.bytes.data(), static_cast<int>(outgoing.bytes.size()));
    }

    std::optional<Message> try_receive() override {
        const auto status = world_.iprobe(boost::mpi::any_source, tag);
        if (!status) return std::nullopt;
        const auto size = status->count<char>();
        DSE_REQUIRE(size.has_value());
        incoming_.resize(static_cast<std::size_t>(*size));
        world_.recv(status->source(), tag, incoming_.data(), *size);
        return from_bytes(incoming_);
    }

  private:
    struct Outgoing {
        std::string bytes;
        boost::mpi::request request;
    };

    void forget_delivered() {
        outgoing_.remove_if([](Outgoing& outgoing) { return outgoing.request.test().has_value(); });
    }

    boost::mpi::communicator world_;
    std::list<Outgoing> outgoing_;  // list: a request points into its bytes, which must not move
    std::size_t look_through_at_{few_outgoing};
    std::string incoming_;
};

}  // namespace

bool MpiSession::launched() {
    constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    for (const char* variable : variables) {
        if (std::getenv(variable) != nullptr) return true;
    }
    return false;
}

MpiSession::MpiSession() {
    int initialised = 0;
    MPI_Initialized(&initialised);
    DSE_REQUIRE(initialised == 0);
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
}

MpiSession::~MpiSession() {
    MPI_Finalize();
}

int MpiSession::rank() const {
    return boost::mpi::communicator{}.rank();
}

int MpiSession::size() const {
    return boost::mpi::communicator{}.size();
}

std::unique_ptr<Channel> MpiSession::channel() {
    return std::make_unique<MpiChannel>();
}

}  // namespace dse::dist
