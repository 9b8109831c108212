import { availableParallelism } from 'node:os'

import { joinInTurns } from '@harvestman/core/plugin'
import { EngineError, type Ocr, type OcrText } from '@harvestman/ports'
import { makeThreads, threadFile } from '@harvestman/threads'

import type { RecognizeProgress, RecognizeTask } from './recognize.ts'

/** Options of `tesseract`. */
export interface TesseractOptions {
  /** Languages of a picture, unless the caller names others. Default: `['eng']`. */
  readonly languages?: readonly string[]
  /**
   * A folder with the data of languages (`eng.traineddata`), such as `/usr/share/tesseract-ocr/5/tessdata`. Default: that of the
   * installed packages `@tesseract.js-data/*`.
   */
  readonly folder?: string
  /** Number of pictures that are read at the same time, each in its own thread. Default: the number of cores, at most 2. */
  readonly threads?: number
  /** Maximum CPU time for one picture in milliseconds. Default: 60,000. */
  readonly budget?: number
  /** Maximum memory for one picture in megabytes. Default: 1,024. */
  readonly megabytes?: number
}

/**
 * Creates an engine that recognizes text with Tesseract, as WebAssembly in worker threads. It needs the packages
 * `tesseract.js-core` and `@tesseract.js-data/eng`, or those of the other languages; with `@tesseract.js-data/osd` it also turns
 * pictures upright. Downloads nothing. Throws `not_configured` if a bundler has merged the package into an application.
 */
export function tesseract(options: TesseractOptions = {}): Ocr {
  const {
    languages: defaults = ['eng'],
    folder,
    threads = defaultThreads(),
    budget = 60_000,
    megabytes = 1_024,
  } = options
  const pool = makeThreads<RecognizeTask, OcrText>({
    entry: threadFile(import.meta.url),
    size: threads,
    budget,
    megabytes,
    messages: {
      tooSlow: `The text of the picture could not be recognized within ${budget} ms. Raise the budget of tesseract().`,
      tooLarge: `Recognizing the text of the picture took more than ${megabytes} MB. Raise megabytes of tesseract().`,
    },
  })
  return {
    name: 'Tesseract',
    read: async (picture, { languages = defaults, team, timeout, signal, onProgress }) => {
      const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeout)))
      const bytes = await joinInTurns([picture.bytes])
      const report = risingOnly(onProgress)
      const onPart = (part: unknown): void => report((part as RecognizeProgress).progress)
      const task: RecognizeTask = { picture: { ...picture, bytes }, languages, folder }
      const running = AbortSignal.any([signal, late])
      try {
        running.throwIfAborted()
        return await pool.run(task, running, { team, transfer: [bytes.buffer as ArrayBuffer], onPart })
      } catch (error) {
        signal.throwIfAborted()
        if (!late.aborted) throw error
        throw new EngineError('timeout', `The text of the picture was not recognized within ${Math.round(timeout)} ms.`)
      }
    },
  }
}

function defaultThreads(): number {
  return Math.min(2, availableParallelism())
}

/** Drops progress below an earlier one: the engine counts anew for each attempt at a picture. */
function risingOnly(onProgress: ((share: number) => void) | undefined): (share: number) => void {
  let highest = -1
  return (share) => {
    if (share <= highest) return
    highest = share
    onProgress?.(share)
  }
}
