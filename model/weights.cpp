#include "model/weights.hpp"

#include <array>
#include <cassert>

namespace tickproof {
namespace {

constexpr std::array<std::int64_t, 40> kWeights{
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,  // -20 .. -11
    9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,   // -10 .. -1
    1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,    //   0 .. 9
    110,   87,    70,    56,    45,    36,    29,    23,    18,    15};    //  10 .. 19

constexpr std::array<std::int64_t, 40> kInverses{
    48388,    59856,    76040,    92818,     118348,    147320,    184698,    229616,
    287308,   360437,   449829,   563644,    704093,    875809,    1099582,   1376151,
    1717300,  2157191,  2708050,  3363326,   4194304,   5237765,   6557202,   8165337,
    10153587, 12820798, 15790321, 19976592,  24970740,  31350126,  39045157,  49367440,
    61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

}  // namespace

Weight weight_of_nice(int nice) {
  assert(kLeastNice <= nice && nice <= kMostNice);
  const auto index = static_cast<std::size_t>(nice - kLeastNice);
  return {kWeights[index], kInverses[index]};
}

Weight weight_of_idle_policy() { return {kIdlePolicyWeight, 1431655765}; }

}  // namespace tickproof
