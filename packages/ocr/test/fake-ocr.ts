import type { Ocr, OcrOptions, OcrPicture, OcrText } from '@harvestman/ports'

/** Returns text recognition with one result for every picture, and the pictures that it got. */
export function fakeOcr(
  lines: readonly string[] | ((picture: OcrPicture, options: OcrOptions) => Promise<readonly string[]>),
): Ocr & { readonly pictures: OcrPicture[] } {
  const pictures: OcrPicture[] = []
  return {
    name: 'fake',
    pictures,
    read: async (picture, options) => {
      pictures.push(picture)
      return textOf(typeof lines === 'function' ? await lines(picture, options) : lines, picture)
    },
  }
}

function textOf(lines: readonly string[], { width, height }: OcrPicture): OcrText {
  const size = 40
  return {
    ...{ width, height, rotation: 0, skew: 0 },
    lines: lines.map((line, index) => {
      const baseline = 100 + index * size * 1.4
      const words = line.split(' ').map((text, at) => ({
        text,
        box: { left: 100 + at * 120, right: 200 + at * 120, top: baseline - size * 0.7, bottom: baseline },
        confidence: 0.9,
      }))
      return { baseline, size, words }
    }),
  }
}
