#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "dse/base/error.hpp"
#include "dse/config/node.hpp"

namespace dse::config {

/// Builds our tree from the parser's events: yaml-cpp's own tree forgets the place of keys and accepts a key
/// twice.
class TreeBuilder final : public YAML::EventHandler {
  public:
    TreeBuilder(const std::string& name, Diagnostics& diagnostics)
        : file_{std::make_shared<const std::string>(name)}, diagnostics_{diagnostics} {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(leaf(mark, Node::Kind::null), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            diagnostics_.error(place(mark), path(),
                               "an alias of a value that is not finished (it would contain itself)");
            add(leaf(mark, Node::Kind::null), 0);
            return;
        }
        // Aliases of aliases grow exponentially ("a billion laughs"): the whole document has a budget.
        aliased_nodes_ += size_of(found->second);
        if (aliased_nodes_ > most_aliased_nodes)
            throw YAML::ParserException(mark, "aliases expand to too many values");
        Node copy = found->second;
        add(std::move(copy), 0);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        Node node = leaf(mark, Node::Kind::scalar);
        node.text_ = value;
        node.quoted_ = tag == "!";
        add(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, Node::Kind::sequence, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, Node::Kind::map, anchor);
    }
    void OnMapEnd() override { close(); }

    [[nodiscard]] const Node& root() const { return root_; }

  private:
    static constexpr std::size_t deepest = 64;
    static constexpr std::size_t most_aliased_nodes = 100000;

    struct Frame {
        Node node;
        YAML::anchor_t anchor{0};
        bool has_key{false};
        std::string key;
        Location key_place;
    };

    [[nodiscard]] Location place(const YAML::Mark& mark) const {
        return {file_, mark.line + 1, mark.column + 1};
    }

    static std::size_t size_of(const Node& node) {
        std::size_t size = 1;
        for (const Node& item : node.items_) size += size_of(item);
        for (const Node::Entry& entry : node.entries_) size += size_of(entry.value);
        return size;
    }

    [[nodiscard]] std::string path() const {
        if (stack_.empty()) return "";
        const Frame& top = stack_.back();
        const std::string name =
            top.node.kind_ == Node::Kind::map ? top.key : std::to_string(top.node.items_.size());
        return top.node.path_.empty() ? name : top.node.path_ + "." + name;
    }

    [[nodiscard]] bool expects_key() const {
        return !stack_.empty() && stack_.back().node.kind_ == Node::Kind::map && !stack_.back().has_key;
    }

    Node leaf(const YAML::Mark& mark, Node::Kind kind) const {
        Node node;
        node.kind_ = kind;
        node.location_ = place(mark);
        node.path_ = path();
        return node;
    }

    void open(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
        if (stack_.size() >= deepest) throw YAML::ParserException(mark, "nested deeper than 64 levels");
        stack_.push_back({leaf(mark, kind), anchor, false, {}, {}});
    }

    void close() {
        Frame frame = std::move(stack_.back());
        stack_.pop_back();
        add(std::move(frame.node), frame.anchor);
    }

    void add(Node node, YAML::anchor_t anchor) {
        if (anchor != 0) anchors_[anchor] = node;
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        if (expects_key()) {
            take_key(node);
            return;
        }
        Frame& top = stack_.back();
        if (top.node.kind_ == Node::Kind::sequence) {
            top.node.items_.push_back(std::move(node));
            return;
        }
        if (!top.key.empty()) top.node.entries_.push_back({top.key, top.key_place, std::move(node)});
        top.has_key = false;
    }

    void take_key(const Node& node) {
        Frame& top = stack_.back();
        top.has_key = true;
        top.key.clear();
        top.key_place = node.location_;
        if (node.kind_ != Node::Kind::scalar || node.text_.empty()) {
            diagnostics_.error(node.location_, top.node.path_, "a key must be a name");
            return;
        }
        for (const Node::Entry& entry : top.node.entries_) {
            if (entry.key != node.text_) continue;
            diagnostics_.error(
                node.location_, entry.value.path_,
                fmt::format("key '{}' stands twice (first on line {})", node.text_, entry.location.line));
            return;
        }
        top.key = node.text_;
    }

    std::shared_ptr<const std::string> file_;
    Diagnostics& diagnostics_;
    std::vector<Frame> stack_;
    std::map<YAML::anchor_t, Node> anchors_;
    std::size_t aliased_nodes_{0};
    Node root_;
};

namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;

std::string read_file(const std::string& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) throw InputError(file + ": is a directory, not a file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (!error && size > largest_file)
        throw InputError(fmt::format("{}: {} bytes are too many for a YAML file", file, size));
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    std::istringstream stream{std::string{text}};
    TreeBuilder builder(name, diagnostics);
    try {
        YAML::Parser parser(stream);
        if (parser.HandleNextDocument(builder)) {
            TreeBuilder rest(name, diagnostics);
            if (parser.HandleNextDocument(rest) && !rest.root().is_null()) {
                diagnostics.error(rest.root().location(), "", "a second document (one file holds one)");
            }
        }
    } catch (const YAML::Exception& error) {
        const Location where{std::make_shared<const std::string>(name), error.mark.line + 1,
                             error.mark.column + 1};
        diagnostics.error(where, "", fmt::format("not YAML: {}", error.msg));
    }
    return builder.root();
}

Node load_yaml(const std::string& file, Diagnostics& diagnostics) {
    return parse_yaml(read_file(file), file, diagnostics);
}

}  // namespace dse::config
