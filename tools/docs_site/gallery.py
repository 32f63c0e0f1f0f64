"""The pictures of the gallery, made by the samples."""
import hashlib
import pathlib
import subprocess

from pages import ROOT, Mistake

# sample -> (arguments that make a picture worth looking at, what it writes)
PICTURES = {
    "mandelbrot": ([], "mandelbrot.ppm"),
    "nbody": (["4000", "500"], "nbody.ppm"),
    "ray_tracer": (["960", "540", "16"], "ray_tracer.ppm"),
    "fluid": (["384", "400"], "fluid.ppm"),
    "fft": (["480"], "fft.ppm"),
}


def picture_of(sample):
    return sample + ".png" if sample in PICTURES else None


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise Mistake(f"{' '.join(map(str, command))} has failed:\n{result.stdout}{result.stderr}")


def draw(bin_folder, sample, folder):
    """Compiles and runs a sample; the PPM file that it has written. One that is there from the same source is taken."""
    arguments, written = PICTURES[sample]
    source = next((ROOT / "samples").glob(f"*/{sample}.cu"))
    state = hashlib.sha256("\n".join([source.read_text(), (ROOT / "samples/common.h").read_text(), *arguments]).encode()).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / f"{sample}.made_of"
    if not (folder / written).exists() or not note.exists() or note.read_text() != state:
        run([bin_folder / "hwcc", "-O2", source, "-o", folder / sample], folder)
        run([folder / sample, *arguments], folder)
        note.write_text(state)
    return folder / written


def placeholder(text):
    import PIL.Image
    import PIL.ImageDraw
    image = PIL.Image.new("RGB", (480, 270), (230, 240, 240))
    PIL.ImageDraw.Draw(image).multiline_text((24, 120), text, fill=(40, 60, 60))
    return image


def make(bin_folder, work, pictures):
    """Fills the folder `pictures`; without hwcc's folder with pictures that say so."""
    import PIL.Image
    pictures.mkdir(parents=True, exist_ok=True)
    for sample in PICTURES:
        if bin_folder is None:
            image = placeholder(f"{sample}: built without hwcc,\nso this picture was not made")
        else:
            image = PIL.Image.open(draw(pathlib.Path(bin_folder), sample, work))
        if image.width < 640:
            image = image.resize((image.width * 2, image.height * 2), PIL.Image.NEAREST if sample == "fft" else PIL.Image.LANCZOS)
        image.save(pictures / picture_of(sample), optimize=True)
