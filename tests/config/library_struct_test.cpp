#include "dse/config/library_struct.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/described.hpp"
#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

using described::Device;
using testing::AllOf;
using testing::HasSubstr;

class LibraryStructTest : public testing::Test {
  protected:
    [[nodiscard]] Device device(const std::string& name) const {
        return read_from_library<Device>(Library({folder_.path()}), "hardware/devices", name, "command line");
    }
    [[nodiscard]] std::string refusal(const std::string& name) const {
        try {
            static_cast<void>(device(name));
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    }

    test::TemporaryFolder folder_;
    std::string good_{folder_.write("hardware/devices/h100.yaml",
                                    "name: h100\nmemory: 80 GiB\nfabric: {bandwidth: 450 GB/s}\n")};
};

TEST_F(LibraryStructTest, ReadsByNameAndByPath) {
    EXPECT_EQ(device("h100").memory, Bytes{80.0 * 1073741824.0});
    EXPECT_EQ(device("h100").fabric.bandwidth, BytesPerSecond{450e9});
    EXPECT_EQ(device(good_).name, "h100");
}

TEST_F(LibraryStructTest, KeepsDefaultsThatTheFileDoesNotName) {
    EXPECT_EQ(device("h100").power, Watts{700});
}

TEST_F(LibraryStructTest, AnUnknownNameIsSaidWithItsPlaceAndTheNearestKnownOne) {
    EXPECT_THAT(refusal("h10"), AllOf(HasSubstr("command line"), HasSubstr("did you mean 'h100'?")));
}

TEST_F(LibraryStructTest, SaysEveryErrorOfTheFile) {
    folder_.write("hardware/devices/bad.yaml", "memory: 80\npowr: 1 W\n");
    EXPECT_THAT(refusal("bad"),
                AllOf(HasSubstr("bad.yaml:1"), HasSubstr("bad.yaml:2"), HasSubstr("did you mean 'power'?")));
}

}  // namespace
}  // namespace dse::config
