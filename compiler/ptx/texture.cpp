// Textures and surfaces: tex, tld4, suld and sust, of objects whose handles are in registers.
#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

// Geometry is .1d, .a2d ...: an array's coordinates begin with the layer.
struct Geometry {
  const char *name;
  int shape;
  unsigned dimensions;
  bool layered;
};
constexpr Geometry geometries[] = {
    {"1d", HW_TEXTURE_1D, 1, false},     {"2d", HW_TEXTURE_2D, 2, false}, {"3d", HW_TEXTURE_3D, 3, false},
    {"a1d", HW_TEXTURE_1D, 1, true},     {"a2d", HW_TEXTURE_2D, 2, true}, {"cube", HW_TEXTURE_CUBE, 3, false},
    {"acube", HW_TEXTURE_CUBE, 3, true},
};

const Geometry &takeGeometry(Emitter &emitter) {
  for (const Geometry &geometry : geometries)
    if (emitter.take(geometry.name)) return geometry;
  emitter.fail("missing geometry");
  return geometries[0];
}

// Place is the operand [object, {coordinates}].
struct Place {
  llvm::Value *object;
  llvm::SmallVector<Operand> coordinates;
};

Place placeOf(Emitter &emitter, const Operand &operand) {
  if (operand.kind != Operand::Kind::Address || operand.parts.size() != 2) {
    emitter.fail("expected an object and coordinates");
    return {emitter.zero(u64), {}};
  }
  const Operand &list = operand.parts[1];
  Place place{emitter.readBits(operand.parts[0], b64), {}};
  if (list.kind == Operand::Kind::Vector)
    place.coordinates.append(list.parts.begin(), list.parts.end());
  else
    place.coordinates.push_back(list);
  return place;
}

llvm::Value *coordinate(Emitter &emitter, const Place &place, unsigned index, Type type) {
  if (index < place.coordinates.size()) return emitter.read(place.coordinates[index], type);
  emitter.fail("missing coordinate");
  return emitter.zero(type);
}

llvm::AllocaInst *temporary(Emitter &emitter, llvm::Type *type) {
  llvm::BasicBlock &entry = emitter.builder().GetInsertBlock()->getParent()->getEntryBlock();
  return Builder(&entry, entry.begin()).CreateAlloca(type);
}

// writeTexel() sets the destination to the channels, as integers of the type's width or as floats.
void writeTexel(Emitter &emitter, llvm::Value *texel, Type type) {
  Builder &builder = emitter.builder();
  const Operand &destination = emitter.operand(0);
  if (destination.kind != Operand::Kind::Vector || destination.parts.size() > 4)
    return emitter.fail("expected a vector of channels");
  for (unsigned i = 0; i < destination.parts.size(); ++i) {
    llvm::Value *channel = builder.CreateConstGEP1_32(builder.getInt32Ty(), texel, i);
    llvm::Value *value = builder.CreateLoad(builder.getInt32Ty(), channel);
    if (type.width() < 32) value = builder.CreateTrunc(value, emitter.intType(type.width()));
    emitter.write(destination.parts[i], value);
  }
}

// levelOf() is the mipmap level that .level names or the derivatives of .grad ask for.
llvm::Value *levelOf(Emitter &emitter, const Place &place, bool level, bool gradient, unsigned dimensions) {
  Builder &builder = emitter.builder();
  if (level) return emitter.read(2, f32);
  if (!gradient) return emitter.zero(f32);
  auto *type = llvm::ArrayType::get(builder.getFloatTy(), 6);
  llvm::AllocaInst *derivatives = temporary(emitter, type);
  builder.CreateStore(llvm::Constant::getNullValue(type), derivatives);
  for (unsigned i = 0; i < 2 * dimensions; ++i) {
    const Operand &list = emitter.operand(2 + i / dimensions);
    const Operand &part = list.kind == Operand::Kind::Vector ? list.parts[i % dimensions] : list;
    builder.CreateStore(emitter.read(part, f32), builder.CreateConstGEP1_32(builder.getFloatTy(), derivatives,
                                                                            i / dimensions * 3 + i % dimensions));
  }
  return emitter.callRuntime("hw_texture_lod", builder.getFloatTy(), {place.object, derivatives});
}

void sample(Emitter &emitter, const Geometry &geometry, const Place &place, llvm::Value *level, llvm::Value *texel) {
  Builder &builder = emitter.builder();
  llvm::Type *i32 = builder.getInt32Ty(), *real = builder.getFloatTy();
  auto *type = llvm::StructType::get(i32, i32, real, real, real, real);
  llvm::AllocaInst *point = temporary(emitter, type);
  unsigned index = 0;
  llvm::SmallVector<llvm::Value *> fields{builder.getInt32(uint32_t(geometry.shape))};
  fields.push_back(geometry.layered ? coordinate(emitter, place, index++, u32) : builder.getInt32(0));
  for (unsigned i = 0; i < 3; ++i)
    fields.push_back(i < geometry.dimensions ? coordinate(emitter, place, index++, f32) : emitter.zero(f32));
  fields.push_back(level);
  for (unsigned i = 0; i < fields.size(); ++i) builder.CreateStore(fields[i], builder.CreateStructGEP(type, point, i));
  emitter.callRuntime("hw_texture_sample", builder.getVoidTy(), {place.object, point, texel});
}

// load() reads the texel of integer coordinates.
void load(Emitter &emitter, const Geometry &geometry, const Place &place, llvm::Value *level, llvm::Value *texel) {
  Builder &builder = emitter.builder();
  auto *type = llvm::ArrayType::get(builder.getInt32Ty(), 4);  // hw_texture_place
  llvm::AllocaInst *indices = temporary(emitter, type);
  llvm::Value *at[4] = {builder.getInt32(0), builder.getInt32(0), builder.getInt32(0), level};
  for (unsigned i = 0; i < geometry.dimensions; ++i) at[i] = coordinate(emitter, place, i + geometry.layered, s32);
  if (geometry.layered) at[2] = coordinate(emitter, place, 0, u32);
  for (unsigned i = 0; i < 4; ++i) builder.CreateStore(at[i], builder.CreateConstInBoundsGEP2_32(type, indices, 0, i));
  emitter.callRuntime("hw_texture_load", builder.getVoidTy(), {place.object, indices, texel});
}

llvm::AllocaInst *texelOf(Emitter &emitter) {
  return temporary(emitter, llvm::ArrayType::get(emitter.builder().getInt32Ty(), 4));
}

// takeBoundary() takes what to do outside, as cudaSurfaceBoundaryMode.
llvm::Value *takeBoundary(Emitter &emitter) {
  const bool zero = emitter.take("zero"), clamp = !zero && emitter.take("clamp");
  if (!zero && !clamp) emitter.take("trap");
  return emitter.builder().getInt32(zero ? 0 : clamp ? 1 : 2);
}

// SurfaceAccess is the memory that suld and sust reach; null where nothing is to be done.
struct SurfaceAccess {
  llvm::Value *address;
  unsigned count;
  Type type;
};

SurfaceAccess takeSurface(Emitter &emitter, size_t placeIndex) {
  if (!emitter.take("b")) emitter.fail("formatted access of surfaces is not supported");
  const Geometry &geometry = takeGeometry(emitter);
  const bool policy = takeHints(emitter);
  const llvm::StringRef vector = emitter.takeOneOf({"v2", "v4"});
  SurfaceAccess access{nullptr, vector.empty() ? 1 : unsigned(vector[1] - '0'), emitter.takeType()};
  llvm::Value *boundary = takeBoundary(emitter);
  emitter.operandsBetween(2, 2 + policy);
  const Place place = placeOf(emitter, emitter.operand(placeIndex));
  Builder &builder = emitter.builder();
  llvm::Value *layer = geometry.layered ? coordinate(emitter, place, 0, u32) : nullptr;
  llvm::Value *at[3];
  for (unsigned i = 0; i < 3; ++i)
    at[i] = i < geometry.dimensions ? coordinate(emitter, place, i + geometry.layered, u32) : builder.getInt32(0);
  if (layer) at[2] = layer;
  llvm::Value *bytes = builder.getInt32(access.count * access.type.width() / 8);
  access.address = emitter.callRuntime("hw_surface_address", builder.getPtrTy(),
                                       {place.object, at[0], at[1], at[2], bytes, boundary});
  return access;
}

// whereInside() runs `body` if the access has an address, and goes on behind it.
template <class Body>
void whereInside(Emitter &emitter, llvm::Value *address, Body body) {
  Builder &builder = emitter.builder();
  llvm::BasicBlock *inside = emitter.makeBlock("inside"), *behind = emitter.makeBlock("behind");
  builder.CreateCondBr(builder.CreateIsNotNull(address), inside, behind);
  builder.SetInsertPoint(inside);
  body();
  builder.CreateBr(behind);
  builder.SetInsertPoint(behind);
}

const Operand &channel(const Operand &operand, unsigned index) {
  return operand.kind == Operand::Kind::Vector && index < operand.parts.size() ? operand.parts[index] : operand;
}

}  // namespace

// tex{.level,.grad}.geometry.v4.type.coordinates d, [object, {c}] {, level | dx, dy};
void emitTex(Emitter &emitter) {
  const bool level = emitter.take("level"), gradient = emitter.take("grad");
  emitter.take("base");
  const Geometry &geometry = takeGeometry(emitter);
  if (!emitter.take("v4")) return emitter.fail("missing .v4");
  const Type type = emitter.takeType(), coordinates = emitter.takeType();
  if (!emitter.operandsBetween(2u + level + 2u * gradient, 2u + level + 2u * gradient)) return;
  const Place place = placeOf(emitter, emitter.operand(1));
  llvm::AllocaInst *texel = texelOf(emitter);
  if (coordinates == f32)
    sample(emitter, geometry, place, levelOf(emitter, place, level, gradient, geometry.dimensions), texel);
  else if (geometry.shape == HW_TEXTURE_CUBE || gradient)
    return emitter.fail("integer coordinates are neither for cubes nor for .grad");
  else if (geometry.shape == HW_TEXTURE_1D && !geometry.layered && !level)
    emitter.callRuntime("hw_texture_fetch", emitter.builder().getVoidTy(),
                        {place.object, coordinate(emitter, place, 0, s32), texel});
  else
    load(emitter, geometry, place, level ? emitter.readBits(2, s32) : emitter.zero(s32), texel);
  writeTexel(emitter, texel, type);
}

void emitTld4(Emitter &emitter) {
  static constexpr const char *components[] = {"r", "g", "b", "a"};
  unsigned component = 0;
  while (component < 4 && !emitter.take(components[component])) ++component;
  if (component == 4 || !emitter.take("2d") || !emitter.take("v4")) return emitter.fail("unknown form");
  const Type type = emitter.takeType();
  if (emitter.takeType() != f32 || !emitter.operandsBetween(2, 2)) return emitter.fail("unknown form");
  const Place place = placeOf(emitter, emitter.operand(1));
  llvm::AllocaInst *texel = texelOf(emitter);
  emitter.callRuntime("hw_texture_gather", emitter.builder().getVoidTy(),
                      {place.object, coordinate(emitter, place, 0, f32), coordinate(emitter, place, 1, f32),
                       emitter.builder().getInt32(component), texel});
  writeTexel(emitter, texel, type);
}

void emitSuld(Emitter &emitter) {
  const SurfaceAccess access = takeSurface(emitter, 1);
  Builder &builder = emitter.builder();
  llvm::Type *element = emitter.intType(access.type.width());
  for (unsigned i = 0; i < access.count; ++i)
    emitter.write(channel(emitter.operand(0), i), llvm::ConstantInt::get(element, 0));
  whereInside(emitter, access.address, [&] {
    for (unsigned i = 0; i < access.count; ++i) {
      llvm::Value *from = builder.CreateConstGEP1_32(element, access.address, i);
      emitter.write(channel(emitter.operand(0), i), builder.CreateAlignedLoad(element, from, llvm::Align(1)));
    }
  });
}

void emitSust(Emitter &emitter) {
  const SurfaceAccess access = takeSurface(emitter, 0);
  Builder &builder = emitter.builder();
  llvm::Type *element = emitter.intType(access.type.width());
  whereInside(emitter, access.address, [&] {
    for (unsigned i = 0; i < access.count; ++i) {
      llvm::Value *to = builder.CreateConstGEP1_32(element, access.address, i);
      builder.CreateAlignedStore(emitter.readBits(channel(emitter.operand(1), i), access.type), to, llvm::Align(1));
    }
  });
}

}  // namespace hostwarp::compiler::ptx
