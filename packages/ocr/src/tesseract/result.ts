import type { OcrLine, OcrWord } from '@harvestman/ports'

interface RawBox {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

interface RawWord {
  readonly text: string
  readonly confidence: number
  readonly bbox: RawBox
}

interface RawLine {
  readonly bbox: RawBox
  readonly baseline?: RawBox
  readonly rowAttributes?: { readonly rowHeight: number }
  readonly words: readonly RawWord[]
}

interface RawResult {
  readonly blocks?: readonly { readonly paragraphs?: readonly { readonly lines?: readonly RawLine[] }[] }[]
}

export interface RecognizedLines {
  readonly lines: readonly OcrLine[]
  /** Mean confidence of all characters, from 0 to 1. */
  readonly confidence: number
  readonly width: number
  readonly height: number
}

// From the height of a row, ascenders and descenders included, to the font size.
const sizeOfRow = 1.08
const maxLines = 5_000

/** Converts the result of the library, with the size of the picture from the first row of its table. */
export function linesOf(json: string, table: string): RecognizedLines {
  // Cast: the library writes this structure.
  const { blocks = [] } = JSON.parse(json) as RawResult
  const raw = blocks.flatMap(({ paragraphs = [] }) => paragraphs.flatMap(({ lines = [] }) => lines)).slice(0, maxLines)
  const lines = raw.map(lineOf).filter(({ words }) => words.length > 0)
  const [, , , , , , , , width = 0, height = 0] = table.slice(0, table.indexOf('\n')).split('\t').map(Number)
  return { lines, confidence: confidenceOf(lines), width, height }
}

function lineOf({ bbox, baseline, rowAttributes, words }: RawLine): OcrLine {
  const height = bbox.y1 - bbox.y0
  const size = (rowAttributes?.rowHeight ?? height) * sizeOfRow
  return {
    baseline: baseline ? (baseline.y0 + baseline.y1) / 2 : bbox.y1 - height / 5,
    // A row of specks may have no height.
    size: Math.max(1, size),
    words: words.map(wordOf).filter(({ text }) => text.trim() !== ''),
  }
}

function wordOf({ text, confidence, bbox }: RawWord): OcrWord {
  const box = { left: bbox.x0, top: bbox.y0, right: bbox.x1, bottom: bbox.y1 }
  return { text, box, confidence: confidence / 100 }
}

function confidenceOf(lines: readonly OcrLine[]): number {
  let [sum, all] = [0, 0]
  for (const { text, confidence } of lines.flatMap(({ words }) => words)) {
    sum += confidence * text.length
    all += text.length
  }
  return all === 0 ? 0 : sum / all
}
