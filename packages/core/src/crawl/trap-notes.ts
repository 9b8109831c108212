import { randomUUID } from 'node:crypto'

import type { Fingerprint } from '@harvestman/html/checking'
import type { CrawlMemory } from './memory.ts'
import type { CrawlNote } from './notes.ts'
import type { Trap, Traps } from '@harvestman/site'

/**
 * Returns the notes that report a trap. Empty if it was reported before, so each trap is reported once, however many URLs it
 * has. Also empty after 1,000 traps.
 */
export function trapNotes(url: string, { kind, shape, sentence }: Trap, memory: CrawlMemory): CrawlNote[] {
  if (!memory.meetTrap({ kind, shape })) return []
  const message = `URLs like ${shape} are skipped as a trap (${kind}). The first was ${url}. ${sentence}`
  return [{ trap: { kind, shape }, failure: { id: randomUUID(), url, code: 'trap', message } }]
}

/** Returns the notes about an existing page for trap detection; empty if it has little text and no query string. */
export function lessonNotes(url: string, words: Fingerprint | undefined): CrawlNote[] {
  if (words) return [{ learnt: [url, words.high, words.low] }]
  return url.includes('?') ? [{ learnt: [url] }] : []
}

/**
 * Adds a page to the trap detection, both when it is visited and when the log is read, so that the next worker of the crawl has
 * the same data. No effect without `learnt`.
 */
export function learnFrom({ learnt }: { readonly learnt?: Lesson | undefined }, traps: Traps): void {
  if (!learnt) return
  const [url, high, low] = learnt
  traps.learn(url, high === undefined || low === undefined ? undefined : { high, low })
}

type Lesson = Extract<CrawlNote, { readonly learnt: unknown }>['learnt']
