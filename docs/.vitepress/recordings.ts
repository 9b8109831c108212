const ending = '-recording.webp'

/** A recording on a page: those who want no motion see its last frame, which lies beside it. */
export function withStill(image: string, source: string): string {
  if (!source.endsWith(ending)) return image
  const still = source.replace(ending, '-recording-still.webp')
  return `<picture><source media="(prefers-reduced-motion: reduce)" srcset="${still}">${image}</picture>`
}
