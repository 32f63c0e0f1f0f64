"""A folder of programs for a GPU: sources, what they print here, and a script that compiles and runs all."""
import concurrent.futures
import hashlib
import pathlib
import shutil
import tempfile

from generate.program import Program
from run.forms import all_forms
from run.programs import Built, DoesNotCompile, differing


def make(folder, hwcc, seeds, jobs):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(pathlib.Path(__file__).parent / "run_on_gpu.sh", folder / "run.sh")
    texts = [Program(seed).text() for seed in seeds]
    for index, text in enumerate(texts):
        (folder / f"p{index:03}.cu").write_text(text)
    form = all_forms()[0]

    def one(text):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                return Built(hwcc, scratch, text).output(form)
            except DoesNotCompile as problem:
                return f"does not compile: {problem}\n"

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        outputs = list(pool.map(one, texts))
    with open(folder / "expected.txt", "w") as expected, open(folder / "expected_sums.txt", "w") as sums:
        for index, output in enumerate(outputs):
            name = f"p{index:03}"
            expected.writelines(f"{name} {line}\n" for line in output.splitlines())
            sums.write(f"{name} {hashlib.md5(output.encode()).hexdigest()}\n")
    return 0


def by_program(path):
    found = {}
    for line in path.read_text().splitlines():
        name, _, rest = line.partition(" ")
        found.setdefault(name, []).append(rest)
    return {name: "\n".join(lines) for name, lines in found.items()}


def compare(folder, results):
    """Prints which kernels of which programs differ on the GPU."""
    expected, got = by_program(folder / "expected.txt"), by_program(results)
    wrong = 0
    for name, output in expected.items():
        places = differing(output, got.get(name, "did not run"))
        wrong += bool(places)
        if places:
            print(f"{name}: " + ", ".join(" ".join(place) for place in places))
    print(f"{len(expected)} programs: {wrong} differ")
    return 1 if wrong else 0
