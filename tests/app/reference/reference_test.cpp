// Also tests: reference/command_reference.cpp, reference/completion.cpp, reference/man_page.cpp
// Also tests: commands/completion.cpp
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/command.hpp"
#include "app/reference/command_reference.hpp"
#include "app/reference/completion.hpp"
#include "app/reference/man_page.hpp"
#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::HasSubstr;

const CommandReference& reference_of(const std::string& name) {
    static const std::vector<CommandReference> all = command_reference();
    for (const CommandReference& command : all) {
        if (command.name == name) return command;
    }
    throw InputError("no command " + name);
}

TEST(CommandReference, HasEveryCommandWithItsOptions) {
    EXPECT_EQ(command_reference().size(), commands().size());
    const CommandReference& pareto = reference_of("pareto");
    std::vector<std::string> names;
    for (const OptionReference& option : pareto.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    EXPECT_THAT(names,
                testing::IsSupersetOf({"--where", "--by", "--mark", "--top", "--json", "-h", "--help"}));
    EXPECT_EQ(reference_of("et").parts.size(), 9U);
    for (const Command& command : commands()) {
        for (const OptionReference& option : reference_of(command.name).options)
            EXPECT_FALSE(option.description.empty()) << command.name;
    }
}

TEST(CommandReference, KnowsWhatAShellMayOffer) {
    for (const OptionReference& option : reference_of("init").options) {
        const Offer offer = offer_of(option);
        if (option.names == std::vector<std::string>{"--goal"}) {
            EXPECT_EQ(offer.words, (std::vector<std::string>{"training", "serving"}));
        }
        if (option.names == std::vector<std::string>{"-o", "--output"}) {
            EXPECT_TRUE(offer.files);
        }
    }
}

/// What bash offers behind these words, by the script that dse prints.
std::string offered(const std::string& words, int place) {
    const TemporaryFolder folder;
    const std::string script = folder.write("dse.bash", bash_completion(command_reference()));
    const std::string test =
        folder.write("ask.bash", "cd " + folder.path("") + "\nsource " + script + "\nCOMP_WORDS=(" + words +
                                     ")\nCOMP_CWORD=" + std::to_string(place) +
                                     "\n_dse\necho \"${COMPREPLY[*]}\" > answer\n");
    EXPECT_EQ(std::system(("bash " + test).c_str()), 0);
    return dse::test::read_file(folder.path("answer"));
}

TEST(Completion, OffersCommandsOptionsAndWordsInBash) {
    EXPECT_EQ(offered("dse par", 1), "pareto parts\n");
    EXPECT_EQ(offered("dse pareto x.h5 --wh", 3), "--where\n");
    EXPECT_EQ(offered("dse init --goal t", 3), "training\n");
    EXPECT_EQ(offered("dse et ch", 2), "check\n");
    EXPECT_EQ(offered("dse et check --js", 3), "--json\n");
    EXPECT_EQ(offered("dse completion z", 2), "zsh\n");
    EXPECT_EQ(offered("dse completion f", 2), "fish\n");
    EXPECT_EQ(offered("dse synth sam", 2), "sample\n");
    EXPECT_EQ(offered("dse synth judge --unt", 3), "--untimed\n");
    EXPECT_EQ(offered("dse list mod", 2), "models\n");
    EXPECT_EQ(offered("dse gemm 8 8 8 --device l40", 6), "l40s\n");
}

TEST(Completion, OffersOptionsOfSubcommandsInZshAndFish) {
    const std::vector<CommandReference> commands{
        {"et",
         "traces",
         {},
         {{"et check", "find errors", {{{"--json"}, "", "", "print JSON", "", false}}, {}}}}};
    EXPECT_THAT(zsh_completion(commands), HasSubstr("                case $part in\n"
                                                    "        check)\n"
                                                    "            _arguments \\\n"
                                                    "            '*--json[print JSON]' \\\n"));
    EXPECT_THAT(
        fish_completion(commands),
        HasSubstr(
            "complete -c dse -n '__fish_seen_subcommand_from et; and __fish_seen_subcommand_from check' "
            "-l json -d 'print JSON'\n"));
    EXPECT_THAT(fish_completion(commands),
                HasSubstr("complete -c dse -n '__fish_seen_subcommand_from et; and not "
                          "__fish_seen_subcommand_from check' -a check -d 'find errors'\n"));
}

TEST(Completion, QuotesWhatDescriptionsSay) {
    const std::vector<CommandReference> commands{
        {"run", "it's [one]: a", {{{"-o"}, "", "FILE.h5", "don't: [x]", "", false}}, {}}};
    EXPECT_THAT(zsh_completion(commands), HasSubstr("'*-o[don'\\''t\\: \\[x\\]]:value:_files'"));
    EXPECT_THAT(fish_completion(commands), HasSubstr("-s o -r -F -d 'don'\\''t: [x]'"));
    EXPECT_EQ(run_app({"completion", "zsh"}).code, 0);
    EXPECT_EQ(run_app({"completion", "fish"}).code, 0);
    EXPECT_EQ(run_app({"completion", "csh"}).code, 2);
}

TEST(ManPage, HasEveryOption) {
    const std::string page = man_page(reference_of("pareto"));
    EXPECT_THAT(page, HasSubstr(".TH DSE\\-PARETO 1"));
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-where\\fR \\fICONDITION\\fR"));
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS"));
    EXPECT_THAT(man_page(reference_of("et")), HasSubstr("dse\\-et\\-check"));
}

TEST(ManPage, TakesTextLiterally) {
    const CommandReference odd{"odd", ".so /etc/passwd", {{{"-x"}, "", "", "'\\ or .TH", "", false}}, {}};
    EXPECT_THAT(man_page(odd), HasSubstr("\n\\&'\\e or .TH\n"));
    EXPECT_THAT(man_page(odd), HasSubstr("\\- \\&.so /etc/passwd"));
}

TEST(ManPage, IsWrittenForAllCommands) {
    const TemporaryFolder folder;
    const auto outcome = run_app({"man", "-o", folder.path("man1")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(dse::test::read_file(folder.path("man1/dse.1")), HasSubstr("dse\\-pareto"));
    EXPECT_THAT(dse::test::read_file(folder.path("man1/dse-et-check.1")), HasSubstr("dse et check"));
    EXPECT_EQ(run_app({"man", "-o", folder.path("man1")}).code, 2) << "never overwrites unasked";
    EXPECT_EQ(run_app({"man", "paretto"}).code, 2);
    EXPECT_THAT(run_app({"man", "et-check"}).out, HasSubstr(".TH DSE\\-ET\\-CHECK 1"));
    EXPECT_THAT(run_app({"man"}).out, HasSubstr(".SH COMMANDS"));
}

}  // namespace
}  // namespace dse::app
