// EXIF orientations in the order of quarter turns with the clock, without and with mirroring.
const cycles = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const

/** Returns the EXIF orientation that stands for another one followed by quarter turns with the clock. */
export function turnedExif(exif: number, turns: number): number {
  for (const cycle of cycles) {
    const at = cycle.findIndex((value) => value === exif)
    if (at >= 0) return cycle[(at + turns) % cycle.length] ?? exif
  }
  return turnedExif(1, turns)
}
