#include "emu_runtime/random/poisson_histogram.h"

#include <cmath>

namespace hostwarp::random {
namespace {

double probability(double mean, unsigned value) {
  return std::exp(-mean + value * std::log(mean) - std::lgamma(value + 1.0));
}

// Filling takes what columns lack from the last value that has more than a column. It goes over the columns in order,
// again and again, since a value that has given too much becomes one that lacks.
class Filling {
 public:
  Filling(PoissonHistogram &histogram, std::vector<double> &probabilities)
      : histogram_(histogram), left_(probabilities), width_(1.0 / static_cast<double>(probabilities.size())) {}

  void run() {
    std::vector<bool> isFilled(left_.size());
    for (bool again = true; again;) {
      again = false;
      for (unsigned j = 0; j < left_.size() && findGiver(); ++j) {
        if (isFilled[j] || left_[j] >= width_) continue;
        fill(j);
        isFilled[j] = again = true;
      }
    }
  }

 private:
  // findGiver() moves down to a value that has more than a column; false when there is none any more.
  bool findGiver() {
    while (giver_ > 0 && left_[giver_ - 1] < width_) --giver_;
    return giver_ > 0;
  }

  // fill() gives column j to value j, and what is missing to the giver.
  void fill(unsigned j) {
    const auto from = static_cast<unsigned>(giver_ - 1);
    histogram_.limits[j] = j * width_ + left_[j];
    histogram_.others[j] = from;
    left_[from] -= width_ - left_[j];
  }

  PoissonHistogram &histogram_;
  std::vector<double> &left_;
  const double width_;
  size_t giver_ = left_.size();
};

}  // namespace

PoissonHistogram::PoissonHistogram(double mean) {
  while (probability(mean, shift) == 0) ++shift;
  std::vector<double> probabilities;
  double sum = 0;
  for (unsigned value = shift; probability(mean, value) > 0; ++value) {
    probabilities.push_back(probability(mean, value));
    cumulative.push_back(sum += probabilities.back());
  }

  const size_t columns = probabilities.size();
  for (unsigned j = 0; j < columns; ++j) {
    limits.push_back((j + 1.0) / static_cast<double>(columns));
    others.push_back(j);
  }
  Filling(*this, probabilities).run();
  limits.push_back(0);
  others.push_back(limits[columns - 1] < 1 ? others[columns - 1] : static_cast<unsigned>(columns - 1));
}

}  // namespace hostwarp::random
