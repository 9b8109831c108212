import { joinInTurns, type ParseContext } from '@harvestman/core/plugin'
import { EngineError, type Ocr } from '@harvestman/ports'
import { mapAtMost } from '@harvestman/toolbox/map-at-most'

import type { DrawnPage, DrawTask } from '../draw/draw.ts'
import type { DrawThreads } from '../draw/threads.ts'
import type { PageItems } from '../types.ts'
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
  /** Why no page could be recognized. */
  readonly problem?: EngineError
}

// Pages are drawn a few at a time, so that few pictures are in memory.
const batchSize = 4
const maxPixels = 25_000_000
// The rest of the time is for the layout and the formats.
const shareOfTimeLeft = 0.8
// Gray pictures of the largest size, uncompressed.
const bound = { bytes: batchSize * maxPixels * 1.1, values: 1_000 }

/**
 * Draws pages of a PDF and recognizes their text, in the order of their numbers, until 80 % of the time left are used. Rejects
 * only with the reason of the signal.
 */
export async function recognizePages(
  { bytes, password, wanted, limits: { maxPages, dotsPerInch } }: RecognizeTask,
  { draw, ocr }: { readonly draw: DrawThreads; readonly ocr: Ocr },
  { team, signal, timeLeft }: Pick<ParseContext, 'team' | 'signal' | 'timeLeft'>,
): Promise<Recognition> {
  const end = Date.now() + timeLeft() * shareOfTimeLeft
  const left = (): number => end - Date.now()
  const pages = new Map<number, PageItems>()
  const failed: number[] = []
  const numbers = wanted.pages.slice(0, maxPages)
  const missed = wanted.pages.slice(maxPages)
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
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left()))])
    return await draw.run(task, inTime, { team, most: bound, transfer: [copy.buffer as ArrayBuffer] })
  }
  const readPage = async ({ number, png, width, height, dotsPerInch: drawn, isBroken }: DrawnPage): Promise<void> => {
    if (isBroken) failed.push(number)
    if (!png) return
    if (left() <= 0) return void missed.push(number)
    const options = { team, signal, timeout: left() }
    try {
      const text = await ocr.read({ bytes: png, type: 'image/png', width, height, dotsPerInch: drawn }, options)
      pages.set(number, itemsOf(number, text, drawn))
    } catch (error) {
      signal.throwIfAborted()
      if (!EngineError.is(error) || error.code === 'not_configured') throw error
      const isLate = error.code === 'timeout'
      ;(isLate ? missed : failed).push(number)
    }
  }
  for (let at = 0; at < numbers.length; at += batchSize) {
    const batch = numbers.slice(at, at + batchSize)
    if (left() <= 0) {
      missed.push(...numbers.slice(at))
      break
    }
    try {
      await mapAtMost(await drawBatch(batch), batchSize, readPage)
    } catch (error) {
      signal.throwIfAborted()
      const isUnread = (number: number): boolean => ![...pages.keys(), ...missed, ...failed].includes(number)
      // A batch that takes too much costs its own pages only.
      if (isTooMuch(error)) failed.push(...batch.filter(isUnread))
      else if (left() > 0) {
        const rest = numbers.slice(at).filter(isUnread)
        return { pages, missed, failed: [...failed, ...rest], problem: asProblem(error) }
      } else missed.push(...batch.filter(isUnread))
    }
  }
  return { pages, missed: missed.toSorted((a, b) => a - b), failed }
}

function isTooMuch(error: unknown): boolean {
  return EngineError.is(error) && error.code === 'page_too_complex'
}

function asProblem(cause: unknown): EngineError {
  if (EngineError.is(cause)) return cause
  return new EngineError('internal', 'The text recognition failed. Please report it with the cause.', { cause })
}
