// Ctrl-C in the middle of a query: what is known is printed. Z3 by itself takes the signal
// away from the program, and only the one query would end.
#include <gtest/gtest.h>

#include "tests/cli/run_program.hpp"

namespace tickproof {
namespace {

/// Sends SIGINT two seconds after the start, to a run that would take hours.
ProgramRun interrupted(const std::string& arguments) {
  // The shell's own words go around the program: "PROGRAM ARGUMENTS & ...".
  return run_program(arguments + " & sleep 2; kill -INT $!; wait $!");
}

TEST(Interrupt, WorstSaysWhatIsKnown) {
  const ProgramRun run =
      interrupted("worst " + story() + " --property latency --depth 60 --timeout 0");
  EXPECT_NE(run.output.find("reason      interrupted"), std::string::npos) << run.output;
}

TEST(Interrupt, ASweepSaysWhatIsDone) {
  const ProgramRun run = interrupted("sweep " + story() + " --depth 60 --timeout 0 --hz 100,1000");
  EXPECT_EQ(run.exit_code, 3) << run.output;
  EXPECT_NE(run.output.find("not done"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace tickproof
