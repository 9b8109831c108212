import { availableParallelism } from 'node:os'

import {
  definePlugin,
  defineParser,
  joinInTurns,
  type Content,
  type ParseContext,
  type Parser,
} from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { makeThreads, threadFile } from '@harvestman/threads'

import { contentOf, type Ending } from './content.ts'
import { findCMaps } from './read/cmaps.ts'
import type { FileFacts, PageItems } from './types.ts'
import type { PdfPart, PdfResult, PdfTask } from './work.ts'

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
}

// Writing the HTML takes up to half as long as reading, and the formats are derived afterwards.
const shareOfTimeLeft = 0.55
// A page that was started in time may take this many milliseconds longer, but no more than this fraction of the budget.
const grace = 500
const shareOfGrace = 0.1
// The budget is for reading only; the thread also writes the HTML.
const slack = 1.5

/**
 * Creates a plugin that reads PDF: text in reading order, headings, lists, tables, code and links. Throws `not_configured` if a
 * bundler has merged the package into an application. Reading rejects with `unsupported_file` for a broken or encrypted file,
 * with `page_too_complex` if no page is read within the limits, and with `not_configured` for the mode `ocr`.
 */
export function pdf(options: PdfOptions = {}) {
  const { threads = defaultThreads(), budget = 60_000, megabytes = 512, maxPages = 10_000 } = options
  const pool = makeThreads<PdfTask, PdfResult>({
    entry: threadFile(import.meta.url),
    size: threads,
    // Each task limits its own reading time; this is the hard limit for a task that does not respond.
    budget: budget * slack + 10 * grace,
    megabytes,
    says: {
      tooSlow: `The PDF could not be read within ${budget} ms. Raise the budget of pdf(), or request fewer pages.`,
      tooLarge: `Reading the PDF took more than ${megabytes} MB. Raise megabytes of pdf(), or request fewer pages.`,
    },
  })

  const maxUnits: Parser['maxUnits'] = ({ parsers }) => {
    const choice = parsers.find(({ type }) => type === 'pdf')
    return choice ? (choice.maxPages ?? maxPages) : 1
  }
  const parse = makeParse(pool, { ...options, budget, megabytes, maxPages })
  return definePlugin({
    name: 'pdf',
    parsers: [defineParser({ name: 'pdf', accepts: ['application/pdf', 'application/x-pdf'], files, maxUnits, parse })],
  })
}

const files = [{ format: 'pdf', extensions: ['pdf'], mimeTypes: ['application/pdf'] }]

type Pool = ReturnType<typeof makeThreads<PdfTask, PdfResult>>

function makeParse(
  pool: Pool,
  {
    budget,
    megabytes,
    maxPages,
    password,
    cMaps,
  }: PdfOptions & Required<Pick<PdfOptions, 'budget' | 'megabytes' | 'maxPages'>>,
): Parser['parse'] {
  return async (bytes, { request, team, signal, most: bound, timeLeft }) => {
    const choice = request.parsers.find(({ type }) => type === 'pdf')
    const mode = choice?.mode ?? 'auto'
    if (mode === 'ocr') throw noOcr()
    const most = choice?.maxPages ?? maxPages
    const byPage = [choice?.pages, choice?.pageMarkers, choice?.blocks].includes(true)
    const share = timeLeft() * shareOfTimeLeft
    const time = Math.min(budget, share)
    // The bytes may be stored elsewhere, so the thread gets a copy, of these bytes only and not of the whole buffer.
    const copy = await joinInTurns([bytes])
    const received: Received = { facts: undefined, pages: [] }
    const limit = makeLimit(signal, share)
    const task: PdfTask = {
      kind: 'read',
      bytes: copy,
      maxPages: most,
      budget: time,
      until: Date.now() + share,
      password,
      cMaps: findCMaps(cMaps),
      byPage,
    }
    const onPart = (given: unknown): void => {
      const part = given as PdfPart
      if ('facts' in part) limit.within(time)
      else if ('isRead' in part) limit.lift()
      hear(received, part)
    }
    try {
      const transfer = [copy.buffer as ArrayBuffer]
      const result = await pool.run(task, limit.signal, { team, most: bound, transfer, onPart })
      return contentOf(result, { mode, maxPages: most, stopped: 'time' })
    } catch (error) {
      signal.throwIfAborted()
      const stopped = whyStopped(error, limit.signal)
      if (!stopped) throw error
      return await rescue(
        pool,
        received,
        { mode, maxPages: most, stopped, byPage },
        { team, signal, most: bound },
        tooMuch(stopped, time, megabytes),
      )
    } finally {
      limit.lift()
    }
  }
}

/** Writes the HTML of the pages that were received before the thread was stopped. */
async function rescue(
  pool: Pool,
  received: Received,
  { byPage, ...ending }: Ending & { readonly byPage: boolean },
  { team, signal, most }: Pick<ParseContext, 'team' | 'signal' | 'most'>,
  error: EngineError,
): Promise<Content> {
  const { facts, pages } = received
  if (!facts || pages.every(({ items }) => items.length === 0)) throw error
  const result = await pool.run({ kind: 'write', facts, pages, broken: [], byPage }, signal, { team, most })
  return contentOf(result, ending)
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

function noOcr(): EngineError {
  return new EngineError(
    'not_configured',
    'The mode ocr needs an OCR reader, which this engine does not have. Use the mode auto or fast.',
  )
}
