#include "dse/dist/mpi_session.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <list>
#include <thread>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/request.hpp>
#include <mpi.h>

#include "dse/base/check.hpp"

namespace dse::dist {
namespace {

constexpr int tag = 1;
constexpr int message_bytes = static_cast<int>(sizeof(Message));

/// Point-to-point messages as plain bytes. Sends are kept until MPI is done with them; nothing here waits.
class MpiChannel final : public Channel {
  public:
    ~MpiChannel() override {
        // The last words must arrive; but a rank that is gone never takes them.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
        while (!outgoing_.empty() && std::chrono::steady_clock::now() < end) {
            forget_delivered();
            std::this_thread::sleep_for(std::chrono::microseconds{50});
        }
    }

    [[nodiscard]] int rank() const override { return world_.rank(); }
    [[nodiscard]] int size() const override { return world_.size(); }

    void send(int to, const Message& message) override {
        DSE_EXPECT(to >= 0 && to < size() && to != rank());
        forget_delivered();
        Outgoing& outgoing = outgoing_.emplace_back();
        outgoing.message = message;
        outgoing.message.sender = rank();
        outgoing.request =
            world_.isend(to, tag, reinterpret_cast<const char*>(&outgoing.message), message_bytes);
    }

    std::optional<Message> try_receive() override {
        forget_delivered();
        const auto status = world_.iprobe(boost::mpi::any_source, tag);
        if (!status) return std::nullopt;
        Message message;
        world_.recv(status->source(), tag, reinterpret_cast<char*>(&message), message_bytes);
        return message;
    }

  private:
    struct Outgoing {
        Message message;
        boost::mpi::request request;
    };

    void forget_delivered() {
        outgoing_.remove_if([](Outgoing& outgoing) { return outgoing.request.test().has_value(); });
    }

    boost::mpi::communicator world_;
    std::list<Outgoing> outgoing_;
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
