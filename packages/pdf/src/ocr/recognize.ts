import { joinInTurns, type ParseContext } from '@harvestman/core/plugin'
import { EngineError, type Ocr } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'

import type { DrawnPage, DrawTask } from '../draw/draw.ts'
import type { DrawThreads } from '../draw/threads.ts'
import type { PageItems } from '../types.ts'
import { scopeOf, type ErrorScope } from './error-scope.ts'
import { itemsOf } from './items.ts'
import type { WantedPages } from './wanted.ts'

/** Limits on the recognition of one file. */
export interface OcrLimits {
  /** Maximum number of pages. */
  readonly maxPages: number
  readonly dotsPerInch: number
}

export interface RecognizeTask {
  readonly bytes: Uint8Array
  readonly password: string | undefined
  readonly wanted: WantedPages
  readonly limits: OcrLimits
}

/** Pages whose text was recognized. */
export interface Recognition {
  readonly pages: ReadonlyMap<number, PageItems>
  /** Pages that were not recognized before the time limit, or beyond the maximum number. */
  readonly missed: readonly number[]
  /** Pages that could not be drawn or recognized. */
  readonly failed: readonly number[]
  /** The first error, unless it is the time limit. */
  readonly problem?: EngineError | undefined
}

// Pages are drawn a few at a time, so that few pictures are in memory.
const batchSize = 4
const maxPixels = 25_000_000
// The rest of the time is for the layout and the formats.
const shareOfTimeLeft = 0.8
// Gray pictures of the largest size, uncompressed.
const bound = { bytes: batchSize * maxPixels * 1.1, values: 1_000 }

/**
 * Draws pages of a PDF and recognizes their text, in the order of their numbers, until 80 % of the time left are used, or until
 * an error that affects all pages, such as one of the connection to a service. Rejects only with the reason of the signal.
 */
export async function recognizePages(
  { bytes, password, wanted, limits: { maxPages, dotsPerInch } }: RecognizeTask,
  { draw, ocr }: { readonly draw: DrawThreads; readonly ocr: Ocr },
  { team, signal, timeLeft }: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<Recognition> {
  const end = Date.now() + timeLeft() * shareOfTimeLeft
  const left = (): number => Math.max(0, end - Date.now())
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left()))])
  const isLate = (): boolean => inTime.aborted || left() === 0
  const numbers = wanted.pages.slice(0, maxPages)
  const outcome = makeOutcome(wanted.pages.slice(maxPages))
  const drawBatch = async (batch: readonly number[]): Promise<readonly DrawnPage[]> => {
    const copy = await joinInTurns([bytes])
    const task: DrawTask = {
      bytes: copy,
      password,
      pages: batch,
      onlyWithPicture: wanted.sparse,
      dotsPerInch,
      maxPixels,
    }
    return await draw.run(task, inTime, { team, most: bound, transfer: [copy.buffer as ArrayBuffer] })
  }
  const readPage = async ({ number, png, width, height, dotsPerInch: drawn, isBroken }: DrawnPage): Promise<void> => {
    if (isBroken) outcome.fail([number])
    if (!png) return
    if (isLate()) return outcome.miss([number])
    if (outcome.hasStopped()) return outcome.fail([number])
    const options = { team, signal, timeout: left() }
    try {
      const text = await ocr.read({ bytes: png, type: 'image/png', width, height, dotsPerInch: drawn }, options)
      outcome.pages.set(number, itemsOf(number, text, drawn))
    } catch (error) {
      signal.throwIfAborted()
      outcome.reject([number], error)
    }
  }
  for (let at = 0; at < numbers.length; at += batchSize) {
    const batch = numbers.slice(at, at + batchSize)
    if (outcome.hasStopped()) outcome.fail(batch)
    else if (isLate()) outcome.miss(batch)
    else {
      const drawn = await drawBatch(batch).catch((error: unknown) => {
        signal.throwIfAborted()
        if (isLate()) outcome.miss(batch)
        // No page of a file that cannot be opened can be drawn.
        else outcome.reject(batch, error, isUnsupported(error) ? 'all' : scopeOf(error))
        return []
      })
      await mapAtMost(drawn, batchSize, readPage)
    }
  }
  return outcome.result()
}

/** Collects the pages and the errors. */
function makeOutcome(beyond: readonly number[]) {
  const pages = new Map<number, PageItems>()
  const failed: number[] = []
  const missed = [...beyond]
  let problem: EngineError | undefined
  let hasStopped = false
  const fail = (numbers: readonly number[]): void => void failed.push(...numbers)
  const miss = (numbers: readonly number[]): void => void missed.push(...numbers)
  return {
    pages,
    fail,
    miss,
    reject: (numbers: readonly number[], error: unknown, scope: ErrorScope = scopeOf(error)): void => {
      if (scope === 'time') return miss(numbers)
      // An error of the service is the reason, also after one of a page.
      if (scope === 'all' && !hasStopped) problem = asProblem(error)
      problem ??= asProblem(error)
      hasStopped ||= scope === 'all'
      fail(numbers)
    },
    hasStopped: () => hasStopped,
    result: (): Recognition => ({
      pages,
      missed: missed.toSorted(byNumber),
      failed: failed.toSorted(byNumber),
      problem,
    }),
  }
}

const byNumber = (a: number, b: number): number => a - b

/** Returns why not one page was recognized; `undefined` if one was, or if no page has anything to recognize. */
export function whyNothing({ pages, missed, failed, problem }: Recognition): EngineError | undefined {
  if (pages.size > 0) return undefined
  if (problem) return problem
  if (failed.length > 0)
    return new EngineError('unsupported_file', 'The pages of the PDF cannot be drawn. Save it again.')
  if (missed.length === 0) return undefined
  return new EngineError(
    'timeout',
    'Not one page of the PDF was recognized within the limits. Raise the timeout of the request, or ocr.maxPages of pdf().',
  )
}

function isUnsupported(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'unsupported_file'
}

function asProblem(cause: unknown): EngineError {
  if (EngineError.is(cause)) return cause
  return new EngineError('internal', 'The text recognition failed. Please report it with the cause.', { cause })
}
