#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dse/frontend/template/tensor.hpp"
#include "dse/graph/buffer.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/work.hpp"

/// Formulas: what a graph's numbers are in terms of a point's. Structure is compiled once; a point evaluates
/// the formulas, without allocation.
namespace dse::frontend {

using ExtentId = Id<struct ExtentTag>;

/// A dimension as one device has it: divided by the axes that split it.
struct Extent {
    DimId dim;
    graph::AxisSet split;
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// The distinct extents of a structure.
class Extents {
  public:
    ExtentId intern(Extent extent);
    [[nodiscard]] const std::vector<Extent>& all() const { return extents_; }

  private:
    std::vector<Extent> extents_;
};

/// Bytes: a sum of products of extents, each with its storage. Neighbouring terms that are divided among the
/// same devices are rounded up together.
struct Amount {
    struct Term {
        std::vector<ExtentId> extents;
        Storage storage{Storage::activation};
        double factor{1.0};
        graph::AxisSet shared;  ///< axes whose devices have a share each
        /// Experts of which only those count that some token of the pass chose.
        std::optional<DimId> touched{};
    };
    std::vector<Term> terms;

    void append(const Amount& other) { terms.insert(terms.end(), other.terms.begin(), other.terms.end()); }
};

struct ComputeFormula {
    graph::OpClass op_class{graph::OpClass::elementwise};
    std::vector<ExtentId> batch;
    std::vector<ExtentId> m;
    std::vector<ExtentId> n;
    std::vector<ExtentId> k;
    bool is_gemm{false};
    double model_factor{0.0};
    double executed_factor{0.0};
    /// Axes whose devices all do this same work: each of them does a share of what the model asks for.
    graph::AxisSet repeated;
    double efficiency{1.0};
    Amount read;
    Amount written;
    double kernels{1.0};
    /// What it runs as many times the kernels of: the experts of a device.
    std::optional<ExtentId> times{};
    /// A product in the precision of activations, whatever others run in.
    bool wide{false};
};

/// Of what data parallelism sends in a pipeline, the share that lies beside computation and the one that
/// waits for the stage's last task, or comes before its first.
enum class Exposure : std::uint8_t { whole, hidden, exposed };

struct CollectiveFormula {
    graph::CollectiveKind kind{graph::CollectiveKind::all_reduce};
    graph::AxisSet axes;
    Amount size;
    graph::Members members{graph::Members::all};
    std::optional<ExtentId> choices{};  ///< graph::Collective::choices
    Exposure part{Exposure::whole};
};

struct TransferFormula {
    Amount size;
};

struct CopyFormula {
    Amount size;
    graph::CopyDirection direction{graph::CopyDirection::to_host};
};

struct HostUpdateFormula {
    Amount read;
    Amount written;
};

using WorkFormula = std::variant<ComputeFormula, CollectiveFormula, TransferFormula, CopyFormula,
                                 HostUpdateFormula, graph::Launch>;

struct BufferFormula {
    graph::MemoryKind kind{graph::MemoryKind::activations};
    Amount size;
};

/// Everything a formula needs of a point.
struct Numbers {
    std::vector<double> extents;  ///< by ExtentId; rows of experts as the fullest device has them
    std::vector<double>
        means;  ///< by ExtentId: the same with balanced experts, which is what a model asks for
    std::vector<double> loads;     ///< by DimId: of the fullest device over the mean; empty: all 1
    std::vector<double> touched;   ///< by DimId: of a layer's experts, the share that some token chose
    bool shares_sequences{false};  ///< sequences and their tokens need not divide evenly (inference)
    std::array<double, storage_count> bytes{};
    graph::Mesh mesh;
    graph::Precision gemm_precision{graph::Precision::bf16};
    graph::Precision activation_precision{graph::Precision::bf16};
    double exposed_tp{1.0};
    double exposed_cp{1.0};
    double exposed_ep{1.0};
    double exposed_dp{0.0};
    double exposed_pp{0.0};
};

/// \param dims  extents of the dimensions, by DimId
/// Sets Numbers::extents and means.
/// \throws ModelError where a dimension has no whole value, or does not divide by the degree of the axes that
/// split it; rows of experts may do both
void evaluate_extents(const Extents& extents, std::span<const double> dims, const Dimensions& dimensions,
                      Numbers& numbers);

double evaluate(const Amount& amount, const Numbers& numbers);
void evaluate(const WorkFormula& formula, const Numbers& numbers, graph::Work& work);

/// Sets Numbers::bytes and the precisions from the software stack: what an element of each storage takes.
/// Source: Micikevicius et al. 2018 (arXiv 1710.03740) for master copies; the Transformer Engine's recipes;
/// OCP Microscaling Formats 1.0 (a scale of a byte for 32 elements); NVFP4 (arXiv 2509.25149: a byte for 16).
void set_precisions(const graph::SoftwareStack& stack, Numbers& numbers);

/// The same in inference: parameters of products are stored as they are multiplied.
void set_precisions(const graph::SoftwareStack& stack, graph::CachePrecision cache, Numbers& numbers);

}  // namespace dse::frontend
