// Functions that the formats and actions of this package run in the parser thread.
import { defineReading, type PageReading } from '@harvestman/core/plugin'
import { fileBeside } from '@harvestman/toolbox/thread-file'

const module = fileBeside(import.meta.url, 'reading/module')

/** Defines a reading by its function in `reading/module.ts`. Small pages are read on the calling thread. */
function readingNamed(name: string): PageReading {
  return defineReading({ name, module, function: name, inPlace: () => import('./reading/module.ts') })
}

export const menuReading = readingNamed('menu')
export const listingReading = readingNamed('listing')
export const answerReading = readingNamed('answer')
export const learnedReading = readingNamed('learned')
export const taughtReading = readingNamed('taught')
