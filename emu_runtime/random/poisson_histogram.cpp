#include "emu_runtime/random/poisson_histogram.h"

#include <cmath>

namespace hostwarp::random {
namespace {

double probability(double mean, unsigned value) {
  return std::exp(-mean + value * std::log(mean) - std::lgamma(value + 1.0));
}

// Filling takes what columns lack from values that have more than a column: the last of those first. The columns are
// filled in order, and those that have given too much at the end.
class Filling {
 public:
  Filling(PoissonHistogram &histogram, std::vector<double> &probabilities)
      : histogram_(histogram), left_(probabilities), width_(1.0 / static_cast<double>(probabilities.size())) {
    for (unsigned j = 0; j < left_.size(); ++j)
      if (left_[j] >= width_) rich_.push_back(j);
  }

  void run() {
    std::vector<bool> isRich(left_.size());
    for (unsigned j : rich_) isRich[j] = true;
    for (unsigned j = 0; j < left_.size(); ++j)
      if (!isRich[j]) fill(j);
    while (!poor_.empty()) {
      const unsigned j = poor_.back();
      poor_.pop_back();
      fill(j);
    }
  }

 private:
  // fill() gives column j to value j, and what is missing to the rich value at hand.
  void fill(unsigned j) {
    if (rich_.empty()) return;
    const unsigned giver = rich_.back();
    histogram_.limits[j] = j * width_ + left_[j];
    histogram_.others[j] = giver;
    left_[giver] -= width_ - left_[j];
    if (left_[giver] < width_) {
      rich_.pop_back();
      poor_.push_back(giver);
    }
  }

  PoissonHistogram &histogram_;
  std::vector<double> &left_;
  const double width_;
  std::vector<unsigned> rich_;
  std::vector<unsigned> poor_;
};

}  // namespace

PoissonHistogram::PoissonHistogram(double mean) {
  while (probability(mean, shift) == 0) ++shift;
  std::vector<double> probabilities;
  for (unsigned value = shift; probability(mean, value) > 0; ++value) probabilities.push_back(probability(mean, value));

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
