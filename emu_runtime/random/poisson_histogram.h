// Poisson distributions as square histograms.
#pragma once

#include <vector>

namespace hostwarp::random {

// PoissonHistogram is as many columns as there are values whose probability a double can hold, all of the same width.
// Column j stands for value shift + j up to limits[j] and for shift + others[j] above [Marsaglia, Tsang and Wang, "Fast
// generation of discrete random variables", 2004]. One more column answers for a uniform number of 1.
struct PoissonHistogram {
  explicit PoissonHistogram(double mean);

  unsigned shift = 0;
  std::vector<double> limits;
  std::vector<unsigned> others;
  // The probability of each value and those before it.
  std::vector<double> cumulative;

  unsigned length() const { return static_cast<unsigned>(limits.size() - 1); }
};

}  // namespace hostwarp::random
