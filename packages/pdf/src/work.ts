import type { ContentPage } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { describePages } from './html/pages.ts'
import { writeHtml } from './html/write.ts'
import { textOf } from './layout/lines.ts'
import { layOut } from './layout/document.ts'
import type { Unpacked } from './read/bounds.ts'
import { openPdf, type PdfFile } from './read/pdf-file.ts'
import { pagesToRecognize, type OcrScope, type WantedPages } from './ocr/wanted.ts'
import type { Block, FileFacts, PageItems } from './types.ts'

/** Reads a file, or writes the HTML of pages that were read before their thread was stopped. */
export type PdfTask =
  | {
      readonly kind: 'read'
      readonly bytes: Uint8Array
      readonly maxPages: number
      /** Milliseconds after which no further page is started. */
      readonly budget: number
      /** Timestamp after which no further page is started either. Unlike `budget`, it also limits the wait for a thread. */
      readonly until: number
      readonly password?: string | undefined
      readonly cMaps?: string | undefined
      /** True to return the pages as well. */
      readonly byPage: boolean
      /** Pages whose text is to be recognized. If there are any, the result is `UnwrittenResult`. */
      readonly ocr: OcrScope
    }
  | ({ readonly kind: 'write'; readonly byPage: boolean } & Reading)

/** Progress messages of a thread. */
export type PdfPart =
  | { readonly facts: FileFacts }
  | { readonly pages: readonly PageItems[] }
  /** Reading is complete, and the HTML is written next. */
  | { readonly isRead: true }

export interface Reading {
  readonly facts: FileFacts
  readonly pages: readonly PageItems[]
  /** Numbers of the pages that could not be read. */
  readonly broken: readonly number[]
  /** Numbers of the pages that are the same as an earlier page. */
  readonly repeated?: readonly number[]
  /** Why reading ended before the last page, other than the time limit. */
  readonly limit?: 'repetition' | 'letters' | undefined
}

/** A file with pages to recognize. All pages were sent as progress, and their HTML is not written yet. */
export interface UnwrittenResult {
  readonly reading: Omit<Reading, 'pages'>
  readonly wanted: WantedPages
}

export interface PdfResult {
  readonly html: string
  readonly title: string | undefined
  readonly facts: FileFacts
  readonly pagesRead: number
  readonly broken: readonly number[]
  /** Pages that were read only in part. */
  readonly cut: readonly number[]
  /** Pages with missing text, because their fonts do not map to Unicode. */
  readonly undecoded: readonly number[]
  /** Pages without any text. */
  readonly empty: readonly number[]
  /** Pages whose data does not match its checksum. */
  readonly damaged: readonly number[]
  readonly repeated: readonly number[]
  readonly limit: Reading['limit']
  readonly pages?: readonly ContentPage[]
}

// Milliseconds between progress messages. Messages are copied between threads, so pages are sent in batches.
const tellEvery = 250

// Merged files may repeat one empty page many times. A file that mostly repeats pages is damaged or malicious, and each further
// page takes longer to find.
const maxRepeated = (pages: number): number => 10 + 2 * pages
// Limit for the whole file: five times the size of the longest books. Few bytes can be shown on many pages.
const maxCharacters = 50_000_000

/**
 * Creates the function that reads a PDF in a thread and passes parts on as they are read. It rejects with an `EngineError`
 * only: `unsupported_file` for a broken or encrypted file, `page_too_complex` if all pages exceed the limits that `unpacked`
 * reports.
 */
export function makeWork(unpacked: Unpacked) {
  return async (task: PdfTask, tell: (part: PdfPart) => void): Promise<PdfResult | UnwrittenResult> => {
    try {
      return task.kind === 'write' ? write(task, task.byPage) : await readFile(task, tell, unpacked)
    } catch (error) {
      // The library throws arbitrary errors, and its messages may contain bytes of the file, so they are replaced.
      throw EngineError.is(error) ? error : contradicts()
    }
  }
}

function contradicts(): EngineError {
  return new EngineError('unsupported_file', 'The PDF is damaged: its parts do not match. Save it again.', {
    details: { reason: 'broken' },
  })
}

async function readFile(
  task: PdfTask & { readonly kind: 'read' },
  tell: (part: PdfPart) => void,
  unpacked: Unpacked,
): Promise<PdfResult | UnwrittenResult> {
  unpacked.begin()
  const until = Math.min(task.until, Date.now() + task.budget)
  const file = await openPdf(task.bytes, task)
  try {
    const facts = { ...file.facts, isDamaged: unpacked.wasDamaged() }
    tell({ facts })
    const last = Math.min(task.maxPages, facts.totalPages)
    const readPage: PdfFile['readPage'] = async (number) => {
      const page = await file.readPage(number).catch((error: unknown) => {
        if (unpacked.wasRefused()) return nothingOf(number)
        throw error
      })
      if (page === 'repeated') return page
      const isDamaged = unpacked.wasDamaged()
      return { ...page, isCut: page.isCut || unpacked.wasRefused(), ...(isDamaged && { isDamaged }) }
    }
    const { reading, unsent } = await readPages({ facts, readPage }, last, until, tell)
    if (reading.pages.every(({ items, isCut }) => isCut && items.length === 0)) throw unpacksToTooMuch()
    tell({ isRead: true })
    const wanted = pagesToRecognize(reading.pages, task.ocr)
    if (wanted.pages.length === 0) return write(reading, task.byPage)
    tell({ pages: unsent })
    const { pages: _, ...rest } = reading
    return { reading: rest, wanted }
  } finally {
    await file.close()
  }
}

async function readPages(
  file: Pick<PdfFile, 'facts' | 'readPage'>,
  last: number,
  until: number,
  tell: (part: PdfPart) => void,
): Promise<{ readonly reading: Reading; readonly unsent: readonly PageItems[] }> {
  const pages: PageItems[] = []
  const broken: number[] = []
  const repeated: number[] = []
  let sent = 0
  let characters = 0
  let limit: Reading['limit']
  // The first page is sent at once, because the second one may never end.
  let sentAt = -Infinity
  for (let number = 1; number <= last && limit === undefined; number++) {
    const page = await file.readPage(number).catch(() => undefined)
    if (page === 'repeated') repeated.push(number)
    else if (page) pages.push(page)
    else broken.push(number)
    if (typeof page === 'object') characters += lettersOf(page)
    if (characters > maxCharacters) limit = 'letters'
    if (repeated.length > maxRepeated(pages.length)) limit = 'repetition'
    const now = Date.now()
    if (now > until) break
    if (now - sentAt < tellEvery) continue
    tell({ pages: pages.slice(sent) })
    sent = pages.length
    sentAt = now
  }
  if (pages.length === 0) throw unreadable(file.facts.totalPages)
  return { reading: { facts: file.facts, pages, broken, repeated, limit }, unsent: pages.slice(sent) }
}

function lettersOf({ items }: PageItems): number {
  return items.reduce((sum, { text }) => sum + text.length, 0)
}

function unreadable(pages: number): EngineError {
  return new EngineError(
    'unsupported_file',
    'The PDF is broken: none of its pages can be read. Save it again with another program.',
    {
      details: { reason: 'broken', totalPages: pages },
    },
  )
}

/** Returns an empty page, for one that could not be decompressed. */
function nothingOf(number: number): PageItems {
  return { number, width: 1, height: 1, items: [], rules: [], links: [], isCut: true, isUndecoded: false }
}

function unpacksToTooMuch(): EngineError {
  return new EngineError('page_too_complex', 'The PDF decompresses to more than the limit of one file.', {
    details: { reason: 'too_large' },
  })
}

function write({ facts, pages, broken, repeated = [], limit }: Reading, byPage: boolean): PdfResult {
  const blocks = layOut(pages, facts)
  return {
    html: writeHtml(blocks),
    title: facts.metadata['title'] ?? firstHeading(blocks),
    facts,
    pagesRead: pages.length,
    broken,
    cut: pages.filter(({ isCut }) => isCut).map(({ number }) => number),
    damaged: pages.filter(({ isDamaged }) => isDamaged).map(({ number }) => number),
    repeated,
    limit,
    undecoded: pages.filter(({ isUndecoded }) => isUndecoded).map(({ number }) => number),
    empty: pages
      .filter(({ items, isUndecoded, isCut, isDamaged }) => items.length === 0 && !isUndecoded && !isCut && !isDamaged)
      .map(({ number }) => number),
    ...(byPage && { pages: describePages(pages, broken, facts) }),
  }
}

function firstHeading(blocks: readonly Block[]): string | undefined {
  const early = blocks.filter((block) => block.kind === 'heading' && block.page <= 2)
  const first = early.toSorted((a, b) => (a.kind === 'heading' && b.kind === 'heading' ? a.level - b.level : 0))[0]
  return first?.kind === 'heading' ? textOf(first.runs) : undefined
}
