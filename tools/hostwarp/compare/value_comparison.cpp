#include "tools/hostwarp/compare/value_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_map>

namespace hostwarp::tool::compare {
namespace {

using compare_wire::Address;

constexpr uint64_t wordBytes = sizeof(uint64_t);

using AddressMap = std::unordered_map<uint64_t, const Address *>;
AddressMap byPlace(const std::vector<Address> &addresses) {
  AddressMap map;
  for (const Address &address : addresses) map.emplace(address.at, &address);
  return map;
}

class ElementComparison {
 public:
  ElementComparison(const SideValues &first, const SideValues &second)
      : first_(first),
        second_(second),
        firstAddresses_(byPlace(first.values.addresses)),
        secondAddresses_(byPlace(second.values.addresses)) {}

  // areAlike() tells whether the bytes of an element differ in nothing that counts.
  bool areAlike(uint64_t at, uint64_t bytes) const {
    const char *const one = first_.values.bytes.data() + at, *const two = second_.values.bytes.data() + at;
    if (std::memcmp(one, two, bytes) == 0) return true;
    for (uint64_t i = 0; i < bytes; ++i)
      if (one[i] != two[i] && !isUnwritten(one[i], two[i]) && !isSameAddress((at + i) / wordBytes * wordBytes))
        return false;
    return true;
  }

 private:
  bool isUnwritten(char one, char two) const {
    return first_.fill != second_.fill && static_cast<unsigned char>(one) == first_.fill &&
           static_cast<unsigned char>(two) == second_.fill;
  }

  bool isSameAddress(uint64_t word) const {
    const Address *const one = find(firstAddresses_, word), *const two = find(secondAddresses_, word);
    if (one && two) return one->id == two->id && one->offset == two->offset;
    // Addresses of functions are known on emulated devices only.
    return (one && one->id == compare_wire::unknownMemory && second_.isOfGpu) ||
           (two && two->id == compare_wire::unknownMemory && first_.isOfGpu);
  }

  static const Address *find(const AddressMap &map, uint64_t word) {
    const auto found = map.find(word);
    return found == map.end() ? nullptr : found->second;
  }

  const SideValues &first_, &second_;
  const AddressMap firstAddresses_, secondAddresses_;
};

Pair pairOf(uint64_t index, const Element &first, const Element &second) {
  Pair pair{index, first.text, second.text, distance(first, second)};
  pair.absolute = std::abs(first.number - second.number);
  if (std::isnan(pair.absolute)) pair.absolute = std::numeric_limits<double>::infinity();
  pair.relative =
      second.number != 0 ? pair.absolute / std::abs(second.number) : std::numeric_limits<double>::infinity();
  return pair;
}

bool isWithin(const Pair &pair, const Element &first, const Element &second, const ElementType &type,
              const Tolerance &tolerance) {
  if (type.kind == ElementType::Kind::Bytes || first.isNan != second.isNan) return false;
  if (type.kind == ElementType::Kind::Floating && tolerance.ulps > 0 && pair.ulps <= tolerance.ulps) return true;
  if (tolerance.absolute == 0 && tolerance.relative == 0) return false;
  return pair.absolute <= tolerance.absolute + tolerance.relative * std::abs(second.number);
}

void add(ValueDifference &difference, const Pair &pair, bool isNanOnOneSide) {
  if (difference.differing++ == 0) difference.first = difference.largest = pair;
  if (pair.ulps > difference.largest.ulps) difference.largest = pair;
  difference.haveNan |= isNanOnOneSide;
  difference.mostUlps = std::max(difference.mostUlps, pair.ulps);
  difference.mostAbsolute = std::max(difference.mostAbsolute, pair.absolute);
  difference.mostRelative = std::max(difference.mostRelative, pair.relative);
}

}  // namespace

std::optional<ValueDifference> compareValues(const SideValues &first, const SideValues &second, const ElementType *type,
                                             const Tolerance &tolerance) {
  const std::string &one = first.values.bytes, &two = second.values.bytes;
  // What is no whole number of elements is no array of them.
  const bool isGuessed = !type || one.size() % type->bytes != 0;
  const ElementType &chosen = isGuessed ? guessType(one, two) : *type;
  const ElementComparison comparison(first, second);
  const bool isFloating = chosen.kind == ElementType::Kind::Floating;
  ValueDifference difference{std::string(chosen.name), isGuessed, isFloating, chosen.bytes, one.size() / chosen.bytes};
  for (uint64_t at = 0; at + chosen.bytes <= one.size(); at += chosen.bytes) {
    if (comparison.areAlike(at, chosen.bytes)) continue;
    const Element a = elementAt(chosen, one.data() + at), b = elementAt(chosen, two.data() + at);
    if (a.isNan && b.isNan) continue;
    const Pair pair = pairOf(at / chosen.bytes, a, b);
    if (!isWithin(pair, a, b, chosen, tolerance)) add(difference, pair, a.isNan != b.isNan);
  }
  return difference.differing ? std::optional(difference) : std::nullopt;
}

}  // namespace hostwarp::tool::compare
