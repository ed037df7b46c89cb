#include "dse/config/library.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "support/yaml.hpp"

namespace dse::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* devices = "hardware/devices";

class LibraryTest : public testing::Test {
  protected:
    test::TemporaryFolder first;
    test::TemporaryFolder second;
    Diagnostics diagnostics;

    LibraryTest() {
        first.write("hardware/devices/a100.yaml", "memory: 80 GiB\npower: 400 W\n");
        second.write("hardware/devices/a100.yaml", "memory: 40 GiB\n");
        second.write("hardware/devices/h100.yaml", "memory: 80 GiB\npower: 700 W\n");
        second.write("hardware/devices/notes.txt", "not a device");
        second.write("workloads/models/tiny.yaml", "layers: 2\n");
    }

    Library both() const { return Library({first.path(), second.path()}); }

    std::optional<Node> load(const Library& library, const std::string& name) {
        return library.load(devices, Node::scalar(name, "device", "sweep.yaml"), diagnostics);
    }
};

TEST_F(LibraryTest, FirstRootThatHasAFileWins) {
    EXPECT_EQ(both().find(devices, "a100"), first.path("hardware/devices/a100.yaml"));
    EXPECT_EQ(both().find(devices, "h100"), second.path("hardware/devices/h100.yaml"));
    EXPECT_EQ(both().find("workloads/models", "tiny"), second.path("workloads/models/tiny.yaml"));
    EXPECT_EQ(load(both(), "a100")->find("memory")->text(), "80 GiB");
}

TEST_F(LibraryTest, NamesThatAreNoFilesAreNotFound) {
    for (const char* name : {"", "h200", "notes", "devices", "H100", "..", "."}) {
        EXPECT_EQ(both().find(devices, name), std::nullopt) << name;
    }
    EXPECT_EQ(both().find("workloads/models", "h100"), std::nullopt);
}

TEST_F(LibraryTest, NamesAreListedOnceAndSorted) {
    EXPECT_THAT(both().names(devices), ElementsAre("a100", "h100"));
    EXPECT_THAT(both().names("hardware/moons"), IsEmpty());
    EXPECT_THAT(Library({}).names(devices), IsEmpty());
}

TEST_F(LibraryTest, RootsWithoutDataAreIgnored) {
    const test::TemporaryFolder empty;
    const Library library({empty.path(), first.path(), "/no/such/folder", first.path()});
    EXPECT_THAT(library.roots(), ElementsAre(first.path()));
}

TEST_F(LibraryTest, PathsAreRelativeToTheFileThatNamesThem) {
    const std::string mine = second.write("study/mine.yaml", "memory: 1 GiB\n");
    const std::string sweep = second.path("study/sweep.yaml");
    const Library library({first.path()});
    EXPECT_EQ(library.find(devices, mine), mine);
    EXPECT_EQ(library.find(devices, "mine.yaml"), std::nullopt);
    EXPECT_EQ(library.find(devices, "mine.yaml", second.path("study")), mine);
    EXPECT_EQ(library.find(devices, "hardware/devices/a100.yaml"), first.path("hardware/devices/a100.yaml"));
    const Node root = parse_yaml("device: ./mine.yaml\n", sweep, diagnostics);
    const auto loaded = library.load(devices, *root.find("device"), diagnostics);
    ASSERT_TRUE(loaded) << diagnostics.text();
    EXPECT_EQ(loaded->find("memory")->text(), "1 GiB");
}

TEST_F(LibraryTest, UnknownNameIsAnsweredWithTheNearest) {
    EXPECT_FALSE(load(both(), "h10"));
    EXPECT_EQ(diagnostics.text(),
              "sweep.yaml: error: device: no file 'h10' in hardware/devices (did you mean 'h100'?)");
}

TEST_F(LibraryTest, NameMustBeAName) {
    EXPECT_FALSE(both().load(devices, test::parse_right("[h100]"), diagnostics));
    EXPECT_EQ(diagnostics.text(),
              "t.yaml:1:1: error: expected the name of a file of hardware/devices, found a list of 1");
}

TEST_F(LibraryTest, FileThatCannotBeParsedHasItsOwnErrorAndNoFields) {
    const std::string file = first.write("hardware/devices/broken.yaml", "memory: [80\n");
    EXPECT_FALSE(load(both(), "broken"));
    EXPECT_EQ(diagnostics.error_count(), 1U);
    EXPECT_THAT(diagnostics.text(), HasSubstr(file + ":"));
}

TEST_F(LibraryTest, FileThatCannotBeReadIsAnErrorAtItsName) {
    const std::string file = first.write("hardware/devices/huge.yaml", "");
    std::filesystem::resize_file(file, 9U << 20U);
    EXPECT_FALSE(load(both(), "huge"));
    EXPECT_EQ(diagnostics.text(),
              "sweep.yaml: error: device: " + file + ": more than 8 MiB is too large for a configuration");
}

TEST_F(LibraryTest, FileMayNameABaseAndThatOneToo) {
    first.write("hardware/devices/slow.yaml", "base: h100\npower: 350 W\n");
    first.write("hardware/devices/slow_small.yaml", "base: slow\nmemory: 10 GiB\n");
    const auto loaded = load(both(), "slow_small");
    ASSERT_TRUE(loaded) << diagnostics.text();
    EXPECT_EQ(loaded->find("memory")->text(), "10 GiB");
    EXPECT_EQ(loaded->find("power")->text(), "350 W");
    EXPECT_EQ(loaded->find("base"), nullptr);
}

// A table of times is of one chip: a relative with other rates does not take it over.
TEST_F(LibraryTest, WhatWasMeasuredOfABaseIsNotOfAFasterHeir) {
    first.write("hardware/devices/chip.yaml", "peak: {bf16: 1}\ntable: chip\nlearned: chip\n");
    const auto table = [&](const std::string& heir) {
        first.write("hardware/devices/heir.yaml", "base: chip\n" + heir);
        const auto loaded = load(both(), "heir");
        const Node* found = loaded ? loaded->find("table") : nullptr;
        return found != nullptr ? found->text() : "";
    };
    EXPECT_EQ(table("price: 1 USD/h\n"), "chip");
    EXPECT_EQ(table("memory: {capacity: 1 GiB}\n"), "chip");
    EXPECT_EQ(table("peak: {bf16: 2}\n"), "");
    EXPECT_EQ(table("matmul: {sustained: {bf16: 2}}\n"), "");
    EXPECT_EQ(table("memory: {bandwidth: 2 TB/s}\n"), "");
    EXPECT_EQ(table("peak: {bf16: 2}\ntable: own\n"), "own");
    const auto in_place =
        both().resolve(devices, test::parse_right("{base: chip, peak: {bf16: 2}}"), diagnostics);
    ASSERT_TRUE(in_place) << diagnostics.text();
    EXPECT_EQ(in_place->find("learned"), nullptr);
}

// An engine's stack states the launches of mixtures beside those of others: an heir that states the latter
// means all models, however long the chain of bases, unless it says more.
TEST_F(LibraryTest, LaunchesOfAnHeirAreThoseOfAllModels) {
    first.write("workloads/stacks/engine.yaml",
                "launch_factor: 1.3\nexpert_launch_factor: 2.4\nlatent_launch_factor: 3.2\n");
    first.write("workloads/stacks/own.yaml", "base: engine\nlaunch_factor: 2\n");
    const auto factors = [&](const char* yaml) {
        const auto loaded = both().resolve("workloads/stacks", test::parse_right(yaml), diagnostics);
        std::string all;
        for (const char* key : {"launch_factor", "expert_launch_factor", "latent_launch_factor"}) {
            const Node* found = loaded ? loaded->find(key) : nullptr;
            all += (found != nullptr ? found->text() : "-") + " ";
        }
        return all;
    };
    EXPECT_EQ(factors("{base: engine, precision: fp8}"), "1.3 2.4 3.2 ");
    EXPECT_EQ(factors("{base: engine, expert_launch_factor: 2}"), "1.3 2 3.2 ");
    EXPECT_EQ(factors("{base: engine, launch_factor: 2}"), "2 - - ");
    EXPECT_EQ(factors("{base: engine, launch_factor: 2, latent_launch_factor: 4}"), "2 - 4 ");
    EXPECT_EQ(factors("{base: own, precision: fp8}"), "2 - - ");
}

// What chips of a kind have in common is no chip: only a file with the rest can name it.
TEST_F(LibraryTest, ABaseThatLacksWhatItsHeirsStateIsOnlyABase) {
    first.write("hardware/devices/bases/typical.yaml", "matmul: {area: 2}\n");
    second.write("hardware/devices/chip.yaml", "base: typical\npeak: {fp16: 125}\n");
    const auto chip = load(both(), "chip");
    ASSERT_TRUE(chip) << diagnostics.text();
    EXPECT_EQ(chip->find("matmul")->find("area")->text(), "2");
    EXPECT_EQ(chip->find("peak")->entries().size(), 1U);
    EXPECT_THAT(both().names(devices), testing::Not(testing::Contains("typical")));
    EXPECT_FALSE(both().find(devices, "typical"));

    EXPECT_FALSE(load(both(), "typical"));
    EXPECT_EQ(diagnostics.text(),
              "sweep.yaml: error: device: no file 'typical' in hardware/devices (it is a base: write {base: "
              "typical, …} with what each of its heirs states)");
    config::Diagnostics mistyped;
    EXPECT_FALSE(both().resolve(devices, test::parse_right("{base: typcal}"), mistyped));
    EXPECT_THAT(mistyped.text(), HasSubstr("did you mean 'typical'?"));
}

TEST_F(LibraryTest, FilesAndBasesThatAreNoMapsAreNamed) {
    const std::string empty = first.write("hardware/devices/empty.yaml", "# to be written\n");
    const std::string list = first.write("hardware/devices/list.yaml", "- a\n");
    EXPECT_FALSE(load(both(), "empty"));
    EXPECT_FALSE(both().resolve(devices, test::parse_right("{base: list, power: 1 W}"), diagnostics));
    EXPECT_EQ(diagnostics.text(),
              empty + ": error: is empty\n" + list + ":1:1: error: expected a map, found a list of 1");
}

TEST_F(LibraryTest, FileThatIsItsOwnBaseIsRefused) {
    const std::string file = first.write("hardware/devices/self.yaml", "base: self\n");
    EXPECT_FALSE(load(both(), "self"));
    EXPECT_EQ(diagnostics.text(), file + ":1:7: error: base: " + file + " is its own base");
}

TEST_F(LibraryTest, CircleOfBasesIsRefused) {
    first.write("hardware/devices/x.yaml", "base: y\n");
    first.write("hardware/devices/y.yaml", "base: ./x.yaml\n");
    EXPECT_FALSE(load(both(), "x"));
    EXPECT_THAT(diagnostics.text(), HasSubstr("is its own base"));
    EXPECT_EQ(diagnostics.error_count(), 1U);
}

TEST_F(LibraryTest, ResolvesNamesMapsAndMapsWithABase) {
    const Library library = both();
    const auto power = [&](const char* yaml) {
        const auto resolved = library.resolve(devices, test::parse_right(yaml), diagnostics);
        return resolved ? resolved->find("power")->text() : diagnostics.text();
    };
    EXPECT_EQ(power("h100"), "700 W");
    EXPECT_EQ(power("{power: 1 W}"), "1 W");
    EXPECT_EQ(power("{base: h100, memory: 1 GiB}"), "700 W");
    EXPECT_EQ(power("{base: h100, power: 2 W}"), "2 W");
    EXPECT_THAT(power("{base: h10}"), HasSubstr("t.yaml:1:8: error: base: no file 'h10'"));
}

TEST_F(LibraryTest, ASectionOfAFileHasAName) {
    const std::string file = first.write("hardware/devices/parts.yaml",
                                         "fast: {power: 9 W, memory: 1 GiB}\n"
                                         "slow: {base: \"parts#fast\", power: 3 W}\n"
                                         "round: {base: \"parts#round\"}\n");
    const Library library = both();
    const auto field = [&](const char* yaml, const char* name) {
        const auto resolved = library.resolve(devices, test::parse_right(yaml), diagnostics);
        return resolved ? resolved->find(name)->text() : diagnostics.text();
    };
    EXPECT_EQ(field("'parts#fast'", "power"), "9 W");
    first.write("hardware/devices/copy #1.yaml", "{power: 5 W}\n");
    EXPECT_EQ(field("'hardware/devices/copy #1.yaml'", "power"), "5 W") << "a mark in the name of a file";
    EXPECT_EQ(field("{base: 'parts#slow', memory: 2 GiB}", "power"), "3 W");
    EXPECT_EQ(field("{base: 'parts#slow'}", "memory"), "1 GiB");
    EXPECT_THAT(field("'parts#slwo'", ""),
                HasSubstr("no section 'slwo' in " + file + " (did you mean 'slow'?)"));
    EXPECT_THAT(field("'parts#round'", ""), HasSubstr("is its own base"));
}

// A sweep may be called from any folder; the files that it names by path stand beside it.
TEST_F(LibraryTest, FindsPathsBesideTheSweep) {
    const test::TemporaryFolder own;
    const std::string file = own.write("mine.yaml", "memory: 1 GiB\n");
    const Library library = Library::standard(own.path("study.yaml"));
    EXPECT_EQ(library.find(devices, "./mine.yaml"), own.path("./mine.yaml"));
    EXPECT_EQ(load(library, "./mine.yaml")->find("memory")->text(), "1 GiB") << file;
}

TEST_F(LibraryTest, SaysWhatIsWrongWithAPath) {
    const test::TemporaryFolder own;
    own.write("mine.yaml", "memory: 1 GiB\n");
    const auto error = [&](const std::string& name) {
        Diagnostics found;
        static_cast<void>(both().load(devices, Node::scalar(name, "device", own.path("study.yaml")), found));
        return found.text();
    };
    EXPECT_THAT(error("./other.yaml"),
                HasSubstr("there is no file './other.yaml' (looked for beside the sweep"));
    EXPECT_THAT(error("NVIDIA/H100"), HasSubstr("and in the current folder; did you mean 'h100'?)"));
    first.write("hardware/devices/mi_300_x.yaml", "memory: 1 GiB\n");
    EXPECT_THAT(error("amd/MI-300.X1"), HasSubstr("did you mean 'mi_300_x'?)"))
        << "however its parts are joined";
    EXPECT_THAT(error("mine"),
                HasSubstr("no file 'mine' in hardware/devices (did you mean './mine.yaml'? A file "
                          "of your own is named by its path)"));
    EXPECT_THAT(error(own.path("")), HasSubstr("is a directory, not a file"));
}

// The environment's folders come first, then where one stands, then the folders above the sweep.
TEST_F(LibraryTest, StandardRootsInTheirOrder) {
    second.write("sweeps/deep/study.yaml", "");
    second.write("hardware/devices/only_here.yaml", "");
    ASSERT_EQ(setenv("DSE_DATA", (":" + first.path() + "::").c_str(), 1), 0);
    const Library library = Library::standard(second.path("sweeps/deep/study.yaml"));
    ASSERT_EQ(unsetenv("DSE_DATA"), 0);
    ASSERT_FALSE(library.roots().empty());
    EXPECT_EQ(library.roots().front(), first.path());
    EXPECT_THAT(library.roots(), testing::Contains(second.path()));
    EXPECT_EQ(library.find(devices, "a100"), first.path("hardware/devices/a100.yaml"));
    EXPECT_EQ(library.find(devices, "only_here"), second.path("hardware/devices/only_here.yaml"));
}

TEST_F(LibraryTest, StandardRootsWithoutASweep) {
    EXPECT_NO_THROW((void)Library::standard(""));
    EXPECT_THAT(Library::standard(first.path("sweep.yaml")).roots(), testing::Contains(first.path()));
}

}  // namespace
}  // namespace dse::config
