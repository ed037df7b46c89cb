#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dse/base/output_file.hpp"
#include "dse/synth/model.hpp"

namespace dse::synth {

/// Describes a family and what it may be used for; stored in its file for readers.
struct Card {
    std::string model;               ///< name of the ModelKind
    std::string data;                ///< what it was learned from, as stated by its author
    std::string license;             ///< of that data
    std::uint64_t graphs{0};         ///< number of graphs it was learned from
    double nodes{0.0};               ///< mean per graph
    double layers{0.0};              ///< mean per graph
    double edges{0.0};               ///< mean per graph
    std::int64_t fewest_devices{0};  ///< of the graphs' jobs
    std::int64_t most_devices{0};    ///< of the graphs' jobs
};

/// A family of graphs: a model learned from a corpus.
struct Family {
    Card card;
    Vocabulary labels;
    std::unique_ptr<Model> model;
};

/// Version of the file format; readers reject others.
inline constexpr int family_version = 1;
/// Maximum size of a family's file, in bytes.
inline constexpr std::size_t most_family_bytes = 5'000'000;

/// \param kind  a row of model_kinds()
/// \param nets  file of networks, for kinds that need one
/// \throws InputError if there is no graph to learn from
Family fit_family(const Corpus& corpus, const std::string& kind, const std::string& data,
                  const std::string& license, const std::string& nets = "");

/// \throws InputError if the file cannot be written or would be larger than most_family_bytes
void write_family(const Family& family, const std::string& path, Existing existing);

/// \throws InputError naming the file if it is not a family, has another version, or is damaged
Family read_family(const std::string& path);

}  // namespace dse::synth
