import { EngineError, publicMessage } from '@harvestman/ports'
import type { Content } from '@harvestman/core/plugin'

import { ocrPort } from './ocr/port.ts'
import type { Recognition } from './ocr/recognize.ts'
import { pagesNamed } from './pages-named.ts'
import type { PdfResult } from './work.ts'

export type Mode = 'fast' | 'auto' | 'ocr'

/** Options and outcome of reading a file. */
export interface Ending {
  readonly mode: Mode
  readonly maxPages: number
  /** Why reading stopped before the last requested page. */
  readonly stopped: 'time' | 'memory' | undefined
  /** Outcome of the text recognition; absent if there was none. */
  readonly recognition?: Recognition | undefined
}

/**
 * Returns the content of a file, with a warning about each missing part. If the file has only images and needs OCR, throws
 * `unsupported_file` in mode `fast`; in other modes without OCR the content is empty, with a warning.
 */
export function contentOf(result: PdfResult, ending: Ending): Content {
  const { html, facts, pagesRead, title, empty, pages } = result
  const isScan = empty.length === pagesRead
  if (isScan && ending.mode === 'fast') throw needsOcr(facts.totalPages)
  return {
    html,
    isAllContent: true,
    ...(pages && { pages }),
    units: pagesRead,
    metadata: {
      ...facts.metadata,
      ...(title !== undefined && { title }),
      numPages: pagesRead,
      ...(!facts.isCut && { totalPages: facts.totalPages }),
    },
    warnings: isScan && !ending.recognition ? [scanned] : warningsOf(result, ending),
  }
}

function needsOcr(totalPages: number): EngineError {
  return new EngineError(
    'unsupported_file',
    'The PDF has no text: its pages are images and need OCR, which the mode fast does not do. Use the mode auto or ocr.',
    { details: { reason: 'ocr_required', publicCode: 'SCRAPE_PDF_OCR_REQUIRED', totalPages } },
  )
}

const scanned = `The PDF has no text: its pages are images and need OCR, which this engine does not do. ${ocrPort.remedy}`

function warningsOf(
  { facts, pagesRead, broken, cut, undecoded, empty, damaged, repeated, limit }: PdfResult,
  { maxPages, stopped, recognition }: Ending,
): string[] {
  const wanted = Math.min(maxPages, facts.totalPages)
  const isShort = pagesRead + broken.length + repeated.length < wanted
  const why = limit === undefined ? stops[stopped ?? 'time'] : limits[limit]
  return [
    ...(facts.isCut ? ['The end of the PDF is missing: pages may be missing.'] : []),
    ...(facts.isDamaged ? ['The PDF is damaged: pages may be missing.'] : []),
    ...(repeated.length > 0
      ? [
          `${pagesNamed(repeated)} of the PDF ${repeated.length === 1 ? 'repeats an earlier page and was' : 'repeat earlier pages and were'} left out.`,
        ]
      : []),
    ...(damaged.length > 0
      ? [
          `${pagesNamed(damaged)} of the PDF ${damaged.length === 1 ? 'is' : 'are'} damaged: text may be wrong or missing.`,
        ]
      : []),
    ...(isShort ? [`Only the first ${pagesRead} of ${wanted} pages of the PDF were read before ${why}.`] : []),
    ...(broken.length > 0 ? [`${pagesNamed(broken)} of the PDF could not be read.`] : []),
    ...(cut.length > 0 ? [`${pagesNamed(cut)} of the PDF had too much text to be read to the end.`] : []),
    ...(undecoded.length > 0
      ? [`Text is missing from ${pagesNamed(undecoded).toLowerCase()} of the PDF: ${unmappedFontsNote}`]
      : []),
    ...(recognition
      ? recognitionWarnings(recognition, empty)
      : emptyWarnings(empty, 'empty pages, or images that need OCR')),
  ]
}

function emptyWarnings(empty: readonly number[], why: string): string[] {
  return empty.length > 0 ? [`${pagesNamed(empty)} of the PDF had no text: ${why}.`] : []
}

function recognitionWarnings({ pages, missed, failed, problem }: Recognition, empty: readonly number[]): string[] {
  const unread = new Set([...missed, ...failed])
  const reason = problem ? ` ${publicMessage(problem)}` : ''
  const isNothingRead = problem !== undefined && pages.size === 0
  return [
    ...(isNothingRead ? [`Text in images of the PDF was not recognized.${reason}`] : []),
    ...(missed.length > 0
      ? [
          `${pagesNamed(missed)} of the PDF ${missed.length === 1 ? 'was' : 'were'} not recognized within the limits. Raise the timeout of the request, or ocr.maxPages of pdf().`,
        ]
      : []),
    ...(failed.length > 0 && !isNothingRead
      ? [`The text of ${pagesNamed(failed).toLowerCase()} of the PDF could not be recognized.${reason}`]
      : []),
    ...emptyWarnings(
      empty.filter((number) => !unread.has(number)),
      'neither in the file nor in the picture of the page',
    ),
  ]
}

const stops = { memory: 'it took too much memory', time: 'the time limit was reached' } as const
const limits = { repetition: 'too many of them were the same', letters: 'they had too much text' } as const

const unmappedFontsNote =
  'its fonts do not map their glyphs to characters. For Chinese, Japanese or Korean install pdfjs-dist, or name its cmaps in pdf(); the rest needs OCR.'
