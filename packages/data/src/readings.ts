// Functions that the formats and actions of this package run in the parser thread.
import { defineReading, schemaToFill, type PageReading, type ReadingInput } from '@harvestman/core/plugin'
import type { Filled } from '@harvestman/html/internal'
import { fileBeside } from '@harvestman/toolbox/thread-file'

const module = fileBeside(import.meta.url, 'reading/module')

/** Defines a reading by its function in `reading/module.ts`. Small pages are read on the calling thread. */
function readingNamed<Value>(name: string, options?: Pick<ReadingInput, 'options'>): PageReading<Value> {
  return defineReading({ name, module, function: name, inPlace: () => import('./reading/module.ts'), ...options })
}

export const filledReading = readingNamed<Filled | undefined>('filled', { options: schemaToFill })
export const menuReading = readingNamed('menu')
export const listingReading = readingNamed('listing')
export const answerReading = readingNamed('answer')
export const learnedReading = readingNamed('learned')
export const screenedReading = readingNamed('screened')
export const taughtReading = readingNamed('taught')
