// Buffers and images of OpenGL. The OpenGL here is a fake, which knows what the runtime uses of it.
#include <cuda_gl_interop.h>

#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

constexpr unsigned copyReadBuffer = 0x8F36, texture2D = 0x0DE1, textureBinding2D = 0x8069, rgba8 = 0x8058;
constexpr unsigned packAlignment = 0x0D05, packRowLength = 0x0D02, unpackRowLength = 0x0CF2;

struct FakeImage {
  int width, height;
  std::vector<unsigned char> pixels;  // RGBA, without gaps
};

struct FakeOpenGl {
  bool current = true;
  std::map<unsigned, std::vector<int>> buffers;
  std::map<unsigned, FakeImage> images;
  std::map<unsigned, int> state;  // bindings and settings by name
  std::vector<int> &bound() { return buffers.at(static_cast<unsigned>(state[copyReadBuffer])); }
  FakeImage &boundImage() { return images.at(static_cast<unsigned>(state[textureBinding2D])); }
};
FakeOpenGl fake;

const unsigned char *getString(unsigned) {
  return fake.current ? reinterpret_cast<const unsigned char *>("fake") : nullptr;
}
void getIntegerv(unsigned name, int *value) { *value = fake.state[name]; }
unsigned char isBuffer(unsigned buffer) { return fake.buffers.count(buffer) != 0; }
void bindBuffer(unsigned target, unsigned buffer) { fake.state[target] = static_cast<int>(buffer); }
void getBufferParameteriv(unsigned, unsigned, int *value) { *value = static_cast<int>(fake.bound().size() * 4); }
void getBufferSubData(unsigned, ptrdiff_t, ptrdiff_t bytes, void *data) {
  std::memcpy(data, fake.bound().data(), static_cast<size_t>(bytes));
}
void bufferSubData(unsigned, ptrdiff_t, ptrdiff_t bytes, const void *data) {
  std::memcpy(fake.bound().data(), data, static_cast<size_t>(bytes));
}
unsigned char isTexture(unsigned texture) { return fake.images.count(texture) != 0; }
void bindTexture(unsigned, unsigned texture) { fake.state[textureBinding2D] = static_cast<int>(texture); }
void getTexLevelParameteriv(unsigned, int, unsigned name, int *value) {
  const FakeImage &image = fake.boundImage();
  *value = name == 0x1000 ? image.width : name == 0x1001 ? image.height : static_cast<int>(rgba8);
}
void getTexImage(unsigned, int, unsigned, unsigned, void *pixels) {
  const FakeImage &image = fake.boundImage();
  const auto row = static_cast<size_t>(image.width) * 4, pitch = static_cast<size_t>(fake.state[packRowLength]) * 4;
  for (size_t y = 0; y < static_cast<size_t>(image.height); ++y)
    std::memcpy(static_cast<char *>(pixels) + y * pitch, image.pixels.data() + y * row, row);
}
void texSubImage2D(unsigned, int, int, int, int width, int height, unsigned, unsigned, const void *pixels) {
  FakeImage &image = fake.boundImage();
  const auto row = static_cast<size_t>(width) * 4, pitch = static_cast<size_t>(fake.state[unpackRowLength]) * 4;
  for (size_t y = 0; y < static_cast<size_t>(height); ++y)
    std::memcpy(image.pixels.data() + y * row, static_cast<const char *>(pixels) + y * pitch, row);
}
void texSubImage3D(unsigned, int, int, int, int, int, int, int, unsigned, unsigned, const void *) {}
void pixelStorei(unsigned name, int value) { fake.state[name] = value; }

}  // namespace

// What the runtime looks for in a program that uses OpenGL.
extern "C" __attribute__((visibility("default"))) void *glXGetProcAddressARB(const char *name) {
  const std::map<std::string_view, void *> functions = {
      {"glGetString", reinterpret_cast<void *>(getString)},
      {"glGetIntegerv", reinterpret_cast<void *>(getIntegerv)},
      {"glIsBuffer", reinterpret_cast<void *>(isBuffer)},
      {"glBindBuffer", reinterpret_cast<void *>(bindBuffer)},
      {"glGetBufferParameteriv", reinterpret_cast<void *>(getBufferParameteriv)},
      {"glGetBufferSubData", reinterpret_cast<void *>(getBufferSubData)},
      {"glBufferSubData", reinterpret_cast<void *>(bufferSubData)},
      {"glIsTexture", reinterpret_cast<void *>(isTexture)},
      {"glBindTexture", reinterpret_cast<void *>(bindTexture)},
      {"glGetTexLevelParameteriv", reinterpret_cast<void *>(getTexLevelParameteriv)},
      {"glGetTexImage", reinterpret_cast<void *>(getTexImage)},
      {"glTexSubImage2D", reinterpret_cast<void *>(texSubImage2D)},
      {"glTexSubImage3D", reinterpret_cast<void *>(texSubImage3D)},
      {"glPixelStorei", reinterpret_cast<void *>(pixelStorei)}};
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

namespace {

class GraphicsTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    fake = {};
    fake.buffers[7] = std::vector<int>(100, 5);
    fake.images[3] = {3, 2, std::vector<unsigned char>(24, 9)};
    fake.state[packAlignment] = 4;
  }

  // useBuffer() lets a kernel add one to the buffer's numbers.
  static void useBuffer(cudaGraphicsResource_t resource) {
    int *data = nullptr;
    size_t bytes = 0;
    ASSERT_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaSuccess);
    ASSERT_EQ(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void **>(&data), &bytes, resource), cudaSuccess);
    EXPECT_EQ(bytes, 400u);
    EXPECT_EQ(launch(addOne, 1, 100, nullptr, data, 100), cudaSuccess);
    ASSERT_EQ(cudaGraphicsUnmapResources(1, &resource, nullptr), cudaSuccess);
  }
};

TEST_F(GraphicsTest, KernelsChangeABuffer) {
  cudaGraphicsResource_t resource = nullptr;
  fake.state[copyReadBuffer] = 42;
  ASSERT_EQ(cudaGraphicsGLRegisterBuffer(&resource, 7, cudaGraphicsMapFlagsNone), cudaSuccess);
  useBuffer(resource);
  useBuffer(resource);
  EXPECT_EQ(fake.buffers[7], std::vector<int>(100, 7));
  EXPECT_EQ(fake.state[copyReadBuffer], 42);
  EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaSuccess);
}

TEST_F(GraphicsTest, FlagsSayWhatIsCopied) {
  cudaGraphicsResource_t resource = nullptr;
  ASSERT_EQ(cudaGraphicsGLRegisterBuffer(&resource, 7, cudaGraphicsRegisterFlagsReadOnly), cudaSuccess);
  useBuffer(resource);
  EXPECT_EQ(fake.buffers[7], std::vector<int>(100, 5));
  EXPECT_EQ(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsWriteDiscard), cudaSuccess);
  useBuffer(resource);
  EXPECT_EQ(fake.buffers[7], std::vector<int>(100, 1));  // fresh memory is 0 here
  EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaSuccess);
}

TEST_F(GraphicsTest, AnImageIsAnArray) {
  cudaGraphicsResource_t resource = nullptr;
  ASSERT_EQ(cudaGraphicsGLRegisterImage(&resource, 3, texture2D, cudaGraphicsRegisterFlagsSurfaceLoadStore),
            cudaSuccess);
  ASSERT_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaSuccess);
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0), cudaSuccess);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  ASSERT_EQ(cudaArrayGetInfo(&format, &extent, nullptr, array), cudaSuccess);
  EXPECT_EQ(extent.width, 3u);
  EXPECT_EQ(extent.height, 2u);
  EXPECT_EQ(format.w, 8);
  unsigned char pixels[24] = {};
  EXPECT_EQ(cudaMemcpy2DFromArray(pixels, 12, array, 0, 0, 12, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  for (unsigned char each : pixels) EXPECT_EQ(each, 9);
  pixels[12] = 1;  // the second row's first
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, pixels, 12, 12, 2, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaGraphicsUnmapResources(1, &resource, nullptr), cudaSuccess);
  EXPECT_EQ(fake.images[3].pixels[11], 9);
  EXPECT_EQ(fake.images[3].pixels[12], 1);
  EXPECT_EQ(fake.state[packAlignment], 4);
  EXPECT_EQ(cudaGraphicsUnregisterResource(resource), cudaSuccess);
}

TEST_F(GraphicsTest, BuffersByTheirNumbers) {
  void *data = nullptr;
  ASSERT_EQ(cudaGLRegisterBufferObject(7), cudaSuccess);
  EXPECT_EQ(cudaGLRegisterBufferObject(7), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGLMapBufferObject(&data, 7), cudaSuccess);
  EXPECT_EQ(launch(addOne, 1, 100, nullptr, static_cast<int *>(data), 100), cudaSuccess);
  EXPECT_EQ(cudaGLUnmapBufferObject(7), cudaSuccess);
  EXPECT_EQ(fake.buffers[7][99], 6);
  EXPECT_EQ(cudaGLUnregisterBufferObject(7), cudaSuccess);
  EXPECT_EQ(cudaGLUnregisterBufferObject(7), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

TEST_F(GraphicsTest, WrongUseIsAnError) {
  cudaGraphicsResource_t buffer = nullptr, image = nullptr;
  void *data = nullptr;
  cudaArray_t array = nullptr;
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&buffer, 8, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphicsGLRegisterBuffer(&buffer, 7, 99), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphicsGLRegisterImage(&image, 3, 0x8513, 0), cudaErrorNotSupported);  // a cube
  ASSERT_EQ(cudaGraphicsGLRegisterBuffer(&buffer, 7, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphicsResourceGetMappedPointer(&data, nullptr, buffer), cudaErrorNotMapped);
  EXPECT_EQ(cudaGraphicsUnmapResources(1, &buffer, nullptr), cudaErrorNotMapped);
  ASSERT_EQ(cudaGraphicsMapResources(1, &buffer, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphicsMapResources(1, &buffer, nullptr), cudaErrorAlreadyMapped);
  EXPECT_EQ(cudaGraphicsSubResourceGetMappedArray(&array, buffer, 0, 0), cudaErrorNotMappedAsArray);
  fake.current = false;
  EXPECT_EQ(cudaGraphicsUnmapResources(1, &buffer, nullptr), cudaErrorInvalidGraphicsContext);
  fake.current = true;
  EXPECT_EQ(cudaGraphicsUnregisterResource(buffer), cudaSuccess);
  EXPECT_EQ(cudaGraphicsMapResources(1, &buffer, nullptr), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

}  // namespace
}  // namespace hostwarp::tests
