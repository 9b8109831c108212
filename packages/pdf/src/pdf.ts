import { availableParallelism } from 'node:os'

import {
  definePlugin,
  defineParser,
  joinInTurns,
  missingPort,
  type Content,
  type ParseContext,
  type Parser,
} from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import { contentOf, type Ending, type Mode } from './content.ts'
import { drawFigures } from './draw/figures.ts'
import { withPageImages } from './draw/page-images.ts'
import { makeDrawThreads } from './draw/threads.ts'
import { ocrPort } from './ocr/port.ts'
import { recognizePages, whyNothing, type OcrLimits, type RecognizeTask } from './ocr/recognize.ts'
import { betterPage, lettersOf, type OcrScope } from './ocr/wanted.ts'
import { findCMaps } from './read/cmaps.ts'
import { makePdfThreads, writePages, type PdfThreads } from './threads.ts'
import type { FileFacts, PageItems } from './types.ts'
import type { PdfPart, PdfResult, PdfTask, UnwrittenResult } from './work.ts'

/** Options of `pdf`. */
export interface PdfOptions {
  /** Number of files that are read at the same time, each in its own thread. Default: the number of cores, at most 4. */
  readonly threads?: number
  /**
   * Maximum time for reading one file in milliseconds. Limited to about half of the remaining timeout of the request. Default:
   * 60,000.
   */
  readonly budget?: number
  /** Maximum memory for one file in megabytes. Default: 512. */
  readonly megabytes?: number
  /** Maximum number of pages of a file, unless the request specifies it. Default: 10,000. */
  readonly maxPages?: number
  /** Password for encrypted files. */
  readonly password?: string
  /** The folder `cmaps` of pdfjs-dist, for Chinese, Japanese and Korean. By default that of an installed pdfjs-dist is used. */
  readonly cMaps?: string
  /** Limits on the text recognition of one file, if the engine has the plugin `ocr`. */
  readonly ocr?: Partial<OcrLimits>
}

// Writing the HTML takes up to half as long as reading, and the formats are derived afterwards.
const shareOfTimeLeft = 0.55
// A page that was started in time may take this many milliseconds longer, but no more than this fraction of the budget.
const grace = 500
const shareOfGrace = 0.1
// The budget is for reading only; the thread also writes the HTML.
const slack = 1.5

const defaultOcrLimits: OcrLimits = { maxPages: 500, dotsPerInch: 200 }

/**
 * Creates a plugin that reads PDF: text in reading order, headings, lists, tables, code and links. Throws `not_configured` if a
 * bundler has merged the package into an application. Reading rejects with `unsupported_file` for a broken or encrypted file,
 * with `page_too_complex` if no page is read within the limits, and with `not_configured` for the mode `ocr` without the
 * plugin `ocr`. If no page could be recognized, it rejects with the reason in this mode, and in the mode `auto` if the file has
 * no other text.
 */
export function pdf(options: PdfOptions = {}) {
  const { threads = defaultThreads(), budget = 60_000, megabytes = 512, maxPages = 10_000 } = options
  const pool = makePdfThreads({
    size: threads,
    // Each task limits its own reading time; this is the hard limit for a task that does not respond.
    budget: budget * slack + 10 * grace,
    megabytes,
    messages: {
      tooSlow: `The PDF could not be read within ${budget} ms. Raise the budget of pdf(), or request fewer pages.`,
      tooLarge: `Reading the PDF took more than ${megabytes} MB. Raise megabytes of pdf(), or request fewer pages.`,
    },
  })

  const maxUnits: Parser['maxUnits'] = ({ parsers }) => {
    const choice = parsers.find(({ type }) => type === 'pdf')
    return choice ? (choice.maxPages ?? maxPages) : 1
  }
  const parse = makeParse(pool, {
    ...options,
    budget,
    megabytes,
    maxPages,
    ocr: { ...defaultOcrLimits, ...options.ocr },
  })
  return definePlugin({
    name: 'pdf',
    parsers: [defineParser({ name: 'pdf', accepts: ['application/pdf', 'application/x-pdf'], files, maxUnits, parse })],
  })
}

const files = [{ format: 'pdf', extensions: ['pdf'], mimeTypes: ['application/pdf'] }]

type Limits = Required<Pick<PdfOptions, 'budget' | 'megabytes' | 'maxPages'>> &
  Pick<PdfOptions, 'password' | 'cMaps'> & { readonly ocr: OcrLimits }

function makeParse(pool: PdfThreads, limits: Limits): Parser['parse'] {
  const draw = makeDrawThreads(limits)
  return async (bytes, context) => {
    const choice = context.request.parsers.find(({ type }) => type === 'pdf')
    const mode = choice?.mode ?? 'auto'
    const ocr = context.port(ocrPort)
    if (mode === 'ocr' && !ocr) throw missingPort(ocrPort, 'The mode ocr', { or: 'use the mode auto or fast' })
    const ending = { mode, maxPages: choice?.maxPages ?? limits.maxPages }
    const byPage = [choice?.pages, choice?.pageMarkers, choice?.blocks, choice?.pageImages, choice?.figures].includes(
      true,
    )
    const scope = ocr ? scopes[mode] : 'none'
    const { outcome, pages, stopped } = await readPages(pool, bytes, { ...ending, byPage, scope, limits }, context)
    const finish = async (result: PdfResult, how: Ending): Promise<Content> => {
      const content = contentOf(result, how)
      if (choice?.figures !== true || !content.pages) return content
      const drawn = await drawFigures({ bytes, password: limits.password, pages: content.pages }, draw, context)
      return { ...content, pages: drawn.pages, warnings: [...(content.warnings ?? []), ...drawn.warnings] }
    }
    const { password, ocr: ocrLimits } = limits
    const withImages = async (content: Content, recognized: readonly PageItems[]): Promise<Content> => {
      if (!choice?.pageImages) return content
      const rotations = new Map(recognized.map(({ number, rotation = 0 }) => [number, rotation]))
      return await withPageImages(content, { bytes, password, rotations }, draw, context)
    }
    if (!('wanted' in outcome)) return withImages(await finish(outcome, { ...ending, stopped }), [])
    const { reading, wanted } = outcome
    const task: RecognizeTask = { bytes, password, wanted, limits: ocrLimits }
    const recognition = ocr && (await recognizePages(task, { draw, ocr }, context))
    const problem = recognition && whyNothing(recognition)
    const best = pages.map((page) => betterPage(page, recognition?.pages.get(page.number) ?? page, scope))
    // An empty document would look like an empty file.
    if (problem && (mode === 'ocr' || best.every((page) => lettersOf(page) === 0))) throw problem
    const result = await writePages(pool, { ...reading, pages: best, byPage }, context)
    return withImages(await finish(result, { ...ending, stopped, recognition }), best)
  }
}

const scopes: Readonly<Record<Mode, OcrScope>> = { fast: 'none', auto: 'auto', ocr: 'all' }

interface ReadOptions {
  readonly maxPages: number
  readonly byPage: boolean
  readonly scope: OcrScope
  readonly limits: Limits
}

interface ReadPages {
  readonly outcome: PdfResult | UnwrittenResult
  readonly pages: readonly PageItems[]
  readonly stopped: Ending['stopped']
}

/** Reads a file. If its thread is stopped, the result has the pages until then. */
async function readPages(
  pool: PdfThreads,
  bytes: Uint8Array,
  { maxPages, byPage, scope, limits: { budget, megabytes, password, cMaps } }: ReadOptions,
  context: ParseContext,
): Promise<ReadPages> {
  const { team, signal, most, timeLeft } = context
  const share = timeLeft() * shareOfTimeLeft
  const time = Math.min(budget, share)
  // The bytes may be stored elsewhere, so the thread gets a copy, of these bytes only and not of the whole buffer.
  const copy = await joinInTurns([bytes])
  const received: Received = { facts: undefined, pages: [] }
  const limit = makeLimit(signal, share)
  const until = Date.now() + share
  const given = { bytes: copy, maxPages, budget: time, until, password, cMaps: findCMaps(cMaps) }
  const onPart = (message: unknown): void => {
    const part = message as PdfPart
    if ('facts' in part) limit.within(time)
    else if ('isRead' in part) limit.lift()
    hear(received, part)
  }
  try {
    const transfer = [copy.buffer as ArrayBuffer]
    const task: PdfTask = { kind: 'read', ...given, byPage, ocr: scope }
    const outcome = await pool.run(task, limit.signal, { team, most, transfer, onPart })
    return { outcome, pages: received.pages, stopped: 'time' }
  } catch (error) {
    signal.throwIfAborted()
    const stopped = whyStopped(error, limit.signal)
    if (!stopped) throw error
    const { facts, pages } = received
    if (!facts || pages.every(({ items }) => items.length === 0)) throw tooMuch(stopped, time, megabytes)
    const outcome = await writePages(pool, { facts, pages, broken: [], byPage }, context)
    return { outcome, pages, stopped }
  } finally {
    limit.lift()
  }
}

function defaultThreads(): number {
  return Math.min(4, availableParallelism())
}

interface Received {
  facts: FileFacts | undefined
  readonly pages: PageItems[]
}

function hear(received: Received, part: PdfPart): void {
  if ('facts' in part) received.facts = part.facts
  else if ('pages' in part) received.pages.push(...part.pages)
}

interface Limit {
  readonly signal: AbortSignal
  /** Ends reading after this many milliseconds, even in the middle of a page. */
  within(time: number): void
  /** Removes the limit, because reading is complete: the rest may take the remaining time of the request. */
  lift(): void
}

function makeLimit(signal: AbortSignal, time: number): Limit {
  const controller = new AbortController()
  const timers: NodeJS.Timeout[] = []
  const within = (ms: number): void => {
    timers.push(setTimeout(() => controller.abort(), ms + Math.min(grace, ms * shareOfGrace)))
  }
  within(time)
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    within,
    lift: () => timers.forEach((timer) => clearTimeout(timer)),
  }
}

function whyStopped(error: unknown, end: AbortSignal): 'time' | 'memory' | undefined {
  if (end.aborted && error === end.reason) return 'time'
  return EngineError.is(error) && error.code === 'page_too_complex' ? 'memory' : undefined
}

function tooMuch(stopped: 'time' | 'memory', time: number, megabytes: number): EngineError {
  const limit = stopped === 'time' ? `${Math.round(time)} ms` : `${megabytes} MB of memory`
  return new EngineError(
    'page_too_complex',
    `Not one page of the PDF could be read within ${limit}. Raise the timeout of the request and the limits of pdf().`,
    { details: { reason: stopped === 'time' ? 'too_slow' : 'too_large' } },
  )
}
