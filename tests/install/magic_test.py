#!/usr/bin/env python3
"""magic_test.py PREFIX: the wheel's magic %%cuda, with an installation in PREFIX and a stand-in for IPython."""
import os
import pathlib
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
# In the repository the wheel's files are taken, else the module that is installed.
sys.path[:0] = map(str, pathlib.Path(__file__).resolve().parents[2].glob("packaging/wheel"))
import hostwarp  # noqa: E402

PREFIX = pathlib.Path(sys.argv.pop(1)).resolve()
DRAWS = r"""
#include <cstdio>
__global__ void shade(unsigned char *image) { image[blockIdx.x * 12 + threadIdx.x] = 20 * threadIdx.x; }
int main(int argc, char **argv) {
  unsigned char *image;
  cudaMallocManaged(&image, 36);
  shade<<<3, 12>>>(image);
  cudaDeviceSynchronize();
  FILE *file = fopen("shade.ppm", "wb");
  fprintf(file, "P6\n# four by three\n4 3\n255\n");
  fwrite(image, 1, 36, file);
  fclose(file);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("%d arguments, %s\n", argc - 1, device.name);
  return argc - 3;
}
"""
RACES = """
__global__ void turn(int *p) {
  __shared__ int part[64];
  part[threadIdx.x] = threadIdx.x;
  p[threadIdx.x] = part[63 - threadIdx.x];
}
int main() {
  int *p;
  cudaMalloc(&p, 256);
  turn<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
"""


class Shell:
    def register_magic_function(self, function, magic_kind, magic_name):
        assert magic_kind == "cell"
        self.magic = {magic_name: function}


class MagicTest(unittest.TestCase):
    def setUp(self):
        """A shell with the extension, whose pictures go to self.pictures."""
        self.pictures, self.old = [], (sys.stdout, sys.stderr)
        display = types.ModuleType("IPython.display")
        display.Image = lambda data: data
        display.display = self.pictures.append
        sys.modules["IPython"], sys.modules["IPython.display"] = types.ModuleType("IPython"), display
        self.shell = Shell()
        hostwarp.root = PREFIX
        hostwarp.load_ipython_extension(self.shell)

    def cell(self, line, text):
        """(stdout, stderr) of a cell."""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            sys.stdout, sys.stderr = out, errors
            try:
                self.shell.magic["cuda"](line, text)
            finally:
                sys.stdout, sys.stderr = self.old
            return [file.seek(0) or file.read() for file in (out, errors)]

    def testRunsAndShowsPictures(self):
        out, errors = self.cell('-O2 --device a100 --args "one two"', DRAWS)
        self.assertEqual(errors, "")
        self.assertRegex(out, r"^2 arguments, NVIDIA A100")
        self.assertEqual(len(self.pictures), 1)
        self.assertEqual(self.pictures[0][:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(self.pictures[0][16:24], b"\0\0\0\4\0\0\0\3")

    def testErrorsOfTheCompilerHaveTheLinesOfTheCell(self):
        out, errors = self.cell("", "int main() {\n  return nothing;\n}\n")
        self.assertEqual(out, "")
        self.assertRegex(errors, r"cell:3:10: error: use of undeclared identifier 'nothing'")
        self.assertNotIn("Traceback", errors)

    def testCheckTellsOfRaces(self):
        _, errors = self.cell("-O2 --check", RACES)
        self.assertRegex(errors, r"race within a block: .*\n.*cell:5:")
        self.assertIn("%%cuda: exit status 1", errors)

    def testMistakesAreSentences(self):
        for line, said in [("--device", "--device needs a device behind it"), ('"-O2', "No closing quotation"),
                           ("--timeout soon", "--timeout soon is no number"), ("--save /nowhere/app.cu", "/nowhere/app.cu: No such file")]:
            self.assertIn(said, self.cell(line, "int main() {}")[1])

    def testEndsWhatRunsForTooLong(self):
        self.assertIn("ended after 0.5 seconds", self.cell("--timeout 0.5", "int main() { for (volatile int i = 0;;) ++i; }")[1])

    def testOtherFilesAreNoPictures(self):
        from hostwarp import magic
        for data in (b"", b"P6", b"P6 2 2 255\nshort", b"P5 1 1 255\n.", b"P6 1 1 65535\n......", b"P6 x 1 255\n...", b"P6 #"):
            self.assertIsNone(magic.png_of_ppm(data), data)
        self.assertIsNotNone(magic.png_of_ppm(b"P6 1 1 255\nabc"))

    def testWithoutHwccItSaysSo(self):
        hostwarp.magic.load(self.shell, PREFIX / "nowhere")
        self.assertRegex(self.cell("", "int main() {}")[1], r"^%%cuda: .*nowhere/bin/hwcc: No such file or directory\n$")


os.chdir(tempfile.gettempdir())
unittest.main()
