// How a value differs between the lanes of a vector.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_SHAPE_H
#define HOSTWARP_COMPILER_DEVICE_LANES_SHAPE_H

#include <cstdint>

namespace hostwarp::compiler {

// Shape is a lattice: from not known yet, over "lane n has the value of lane 0 plus n * stride" (all have the same
// where the stride is 0; integers wrap around), to different in each lane.
class Shape {
 public:
  static Shape uniform() { return strided(0); }
  static Shape strided(int64_t stride) { return {Kind::Strided, stride}; }
  static Shape varying() { return {Kind::Varying, 0}; }

  Shape() = default;
  bool isKnown() const { return kind_ != Kind::Unknown; }
  bool isUniform() const { return kind_ == Kind::Strided && stride_ == 0; }
  bool isStrided() const { return kind_ == Kind::Strided; }
  bool isVarying() const { return kind_ == Kind::Varying; }
  int64_t stride() const { return stride_; }
  bool operator==(const Shape &) const = default;

  // join() is the shape of what may be either.
  Shape join(Shape other) const {
    if (!isKnown()) return other;
    return !other.isKnown() || *this == other ? *this : varying();
  }

 private:
  enum class Kind { Unknown, Strided, Varying };

  Shape(Kind kind, int64_t stride) : kind_(kind), stride_(stride) {}

  Kind kind_ = Kind::Unknown;
  int64_t stride_ = 0;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_SHAPE_H
