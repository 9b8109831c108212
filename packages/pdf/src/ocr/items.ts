import type { OcrLine, OcrText, OcrWord } from '@harvestman/ports'

import { heaviest } from '../layout/boxes.ts'
import type { Face, PageItems, TextItem } from '../types.ts'

// Less certain words are mostly specks and parts of drawings.
const minConfidence = 0.3
const minLineConfidence = 0.45
// Estimated font sizes vary from line to line. Sizes within this factor are one size.
const oneSize = 1.18
const pointsPerInch = 72
const defaultDotsPerInch = 150
// The engine does not report styles.
const face: Face = { name: 'ocr', bold: false, italic: false, mono: false }
const maxWords = 20_000

/** Converts the recognized text of a page to the runs of a page of a PDF, in points. */
export function itemsOf(number: number, text: OcrText, dotsPerInch = defaultDotsPerInch): PageItems {
  const scale = pointsPerInch / dotsPerInch
  const lines = text.lines.map(withoutDoubtful).filter(({ words }) => words.length > 0)
  const sizeOf = sizesOf(lines)
  const items = lines.flatMap(({ words, size, baseline }) =>
    words.map((word, index) => itemOf(word, words[index - 1], { size: sizeOf(size) * scale, baseline, scale })),
  )
  return {
    number,
    width: text.width * scale,
    height: text.height * scale,
    items: items.slice(0, maxWords),
    rules: [],
    links: [],
    isCut: items.length > maxWords,
    isUndecoded: false,
    isRecognized: true,
    rotation: text.rotation + text.skew,
  }
}

function withoutDoubtful(line: OcrLine): OcrLine {
  const words = line.words.filter(({ text, confidence }) => confidence >= minConfidence && text.trim() !== '')
  return { ...line, words: meanConfidence(words) >= minLineConfidence ? words : [] }
}

/** Returns the mean confidence of all characters, or 0 without any. */
export function meanConfidence(
  words: readonly { readonly text: string; readonly confidence?: number | undefined }[],
): number {
  let [sum, all] = [0, 0]
  for (const { text, confidence = 0 } of words) {
    sum += confidence * text.length
    all += text.length
  }
  return all === 0 ? 0 : sum / all
}

/** Returns a function that rounds a font size of the page to one of few sizes: body text first, then from small to large. */
function sizesOf(lines: readonly OcrLine[]): (size: number) => number {
  const lengthOf = ({ words }: OcrLine): number => words.reduce((sum, { text }) => sum + text.length, 0)
  const steps = lines.map((line) => [Math.round(Math.log(line.size) / Math.log(oneSize)), lengthOf(line)] as const)
  const step = heaviest(steps) ?? 0
  const bodies = lines.filter((_, index) => Math.abs((steps[index]?.[0] ?? 0) - step) <= 1)
  const body = weightedMedian(bodies.map((line) => [line.size, lengthOf(line)] as const))
  return (size) => {
    const away = Math.round(Math.log(size / body) / Math.log(oneSize) / 1.5)
    return body * oneSize ** (away * 1.5)
  }
}

function weightedMedian(pairs: readonly (readonly [value: number, weight: number])[]): number {
  const sorted = pairs.toSorted(([a], [b]) => a - b)
  const half = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2
  let sum = 0
  for (const [value, weight] of sorted) {
    sum += weight
    if (sum >= half) return value
  }
  return 1
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function itemOf(
  { text, box, confidence }: OcrWord,
  before: OcrWord | undefined,
  { size, baseline, scale }: { readonly size: number; readonly baseline: number; readonly scale: number },
): TextItem {
  const isGlued = before !== undefined && wide.test(before.text.at(-1) ?? '') && wide.test(text.at(0) ?? '')
  return {
    text,
    x: box.left * scale,
    y: baseline * scale,
    width: (box.right - box.left) * scale,
    size,
    face,
    isSpaced: before !== undefined && !isGlued,
    angle: 0,
    confidence,
  }
}
