#include "dse/results/proof.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "results/finished_sample.hpp"
#include "results/seal.hpp"

namespace dse::results {
namespace {

using dse::test::TemporaryFolder;

Proof sample_proof() {
    Proof proof;
    proof.tolerance = "0.01";
    proof.objectives = {"iteration_time: minimize", "energy: minimize"};
    proof.axes = {"x", "y"};
    proof.parts = {{{{{0, 2}, {0, 3}}}, Proof::Verdict::outside, 0, {std::nan(""), std::nan("")}},
                   {{{{2, 1}, {0, 3}}}, Proof::Verdict::dominated, 7, {0.5, 2.0}}};
    proof.course = {{0, 1, 0.5}, {20, 9, 0.0}};
    proof.spent_at = 20;
    return proof;
}

TEST(Proof, ComesBackFromTheFileThatItWasPutInto) {
    const TemporaryFolder folder;
    test::finished_file(folder, 20);
    const std::string file = folder.path("good.h5");
    const Table before = read_results(file);
    EXPECT_EQ(read_proof(file), std::nullopt);
    write_proof(file, {});
    EXPECT_EQ(read_proof(file)->spent_at, std::nullopt);
    write_proof(file, sample_proof());
    EXPECT_TRUE(is_sealed(file));
    const Proof proof = read_proof(file).value();
    EXPECT_EQ(proof.tolerance, "0.01");
    EXPECT_EQ(proof.objectives, sample_proof().objectives);
    EXPECT_EQ(proof.axes, sample_proof().axes);
    ASSERT_EQ(proof.parts.size(), 2U);
    EXPECT_EQ(proof.parts[1].box, sample_proof().parts[1].box);
    EXPECT_EQ(proof.parts[1].verdict, Proof::Verdict::dominated);
    EXPECT_EQ(proof.parts[1].row, 7U);
    EXPECT_EQ(proof.parts[1].bounds, sample_proof().parts[1].bounds);
    EXPECT_TRUE(std::isnan(proof.parts[0].bounds[0]));
    ASSERT_EQ(proof.course.size(), 2U);
    EXPECT_EQ(proof.course[1].points, 20U);
    EXPECT_EQ(proof.course[0].epsilon, 0.5);
    EXPECT_EQ(proof.spent_at, 20U);
    EXPECT_EQ(read_results(file).point_id, before.point_id);
}

TEST(Proof, IsNotReadFromADamagedFile) {
    const TemporaryFolder folder;
    const std::string bytes = test::finished_file(folder, 20);
    EXPECT_THROW(static_cast<void>(read_proof(folder.write("cut.h5", bytes.substr(0, bytes.size() / 2)))),
                 InputError);
}

}  // namespace
}  // namespace dse::results
