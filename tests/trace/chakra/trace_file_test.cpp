#include "dse/trace/chakra/trace_file.hpp"

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::trace::chakra {
namespace {

using dse::test::error_message;

std::vector<std::uint8_t> bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

TEST(TraceFile, IsWrittenAsItIs) {
    const dse::test::TemporaryFolder folder;
    TraceFile file{folder.path("a.et"), Compression::none};
    file.write(bytes_of("one "));
    file.write(bytes_of("two"));
    EXPECT_EQ(file.close(), 7U);
    EXPECT_EQ(dse::test::read_file(folder.path("a.et")), "one two");
}

TEST(TraceFile, IsCompressed) {
    const dse::test::TemporaryFolder folder;
    TraceFile file{folder.path("a.et"), Compression::gzip};
    file.write(std::vector<std::uint8_t>(100'000, 'x'));
    EXPECT_LT(file.close(), 2'000U);
    const std::string content = dse::test::read_file(folder.path("a.et"));
    EXPECT_EQ(content.substr(0, 2), "\x1f\x8b");
}

TEST(TraceFile, ThatIsNotClosedIsNotThere) {
    const dse::test::TemporaryFolder folder;
    {
        TraceFile file{folder.path("a.et"), Compression::none};
        file.write(bytes_of("half of a node"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path("a.et")));
}

TEST(TraceFile, SaysWhyItCannotBeMade) {
    const dse::test::TemporaryFolder folder;
    const auto make = [](const std::string& path) {
        return error_message([&] { TraceFile file(path, Compression::none); });
    };
    EXPECT_NE(make(folder.path("nowhere/a.et")).find("nowhere/a.et': No such file"), std::string::npos);
    EXPECT_NE(make(folder.path()).find("Is a directory"), std::string::npos);
}

TEST(TraceFile, SaysThatTheDiskIsFull) {
    for (const Compression compression : {Compression::none, Compression::gzip}) {
        const dse::test::TemporaryFolder folder;
        std::filesystem::create_symlink("/dev/full", folder.path("a.et"));
        const std::string message = error_message([&] {
            TraceFile file{folder.path("a.et"), compression};
            // Hard to compress, and more than all buffers take.
            std::vector<std::uint8_t> noise(1U << 21U);
            std::uint32_t state = 1;
            for (std::uint8_t& byte : noise)
                byte = static_cast<std::uint8_t>((state = state * 1664525 + 1) >> 24U);
            file.write(noise);
            file.close();
        });
        EXPECT_NE(message.find("a.et': No space left on device"), std::string::npos) << message;
    }
}

TEST(TraceFile, SaysSoEvenWhereAllOfItWaitsInABuffer) {
    const dse::test::TemporaryFolder folder;
    std::filesystem::create_symlink("/dev/full", folder.path("a.et"));
    const std::string message = error_message([&] {
        TraceFile file{folder.path("a.et"), Compression::none};
        file.write(bytes_of("short"));
        file.close();
    });
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
}

}  // namespace
}  // namespace dse::trace::chakra
