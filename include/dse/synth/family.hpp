#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dse/base/output_file.hpp"
#include "dse/synth/model.hpp"

namespace dse::synth {

/// What a family is and may be used for; stands in its file, for people.
struct Card {
    std::string model;               ///< name of its kind of model
    std::string data;                ///< what it was learned from, in the words of who did it
    std::string license;             ///< of that data
    std::uint64_t graphs{0};         ///< that it was learned from
    double nodes{0.0};               ///< of them, on average
    double layers{0.0};              ///< likewise
    double edges{0.0};               ///< likewise
    std::int64_t fewest_devices{0};  ///< of their jobs
    std::int64_t most_devices{0};    ///< likewise
};

/// A family of graphs, learned.
struct Family {
    Card card;
    Vocabulary labels;
    std::unique_ptr<Model> model;
};

/// Version of a family's file; readers refuse others.
inline constexpr int family_version = 1;
/// Largest family that is written or read, in bytes.
inline constexpr std::size_t most_family_bytes = 5'000'000;

/// \param kind  a row of model_kinds()
/// \param nets  file of networks, for kinds that have some
/// \throws InputError where there is no graph to learn from
Family fit_family(const Corpus& corpus, const std::string& kind, const std::string& data,
                  const std::string& license, const std::string& nets = "");

/// \throws InputError where the file cannot be written, or would be larger than most_family_bytes
void write_family(const Family& family, const std::string& path, Existing existing);

/// \throws InputError naming the file that is no family, one of another version, or damaged
Family read_family(const std::string& path);

}  // namespace dse::synth
