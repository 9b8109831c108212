import { randomUUID } from 'node:crypto'

import type { Fingerprint } from '@harvestman/html/checking'
import type { CrawlMemory } from './memory.ts'
import type { CrawlNote } from './notes.ts'
import type { Trap, Traps } from '@harvestman/site'

/** Tells of a trap once, however many addresses it has. */
export function trapNotes(url: string, { kind, shape, sentence }: Trap, memory: CrawlMemory): CrawlNote[] {
  if (!memory.meetTrap({ kind, shape })) return []
  const message = `Addresses like ${shape} are left out as a trap (${kind}). The first was ${url}. ${sentence}`
  return [{ trap: { kind, shape }, failure: { id: randomUUID(), url, code: 'trap', message } }]
}

/** Notes on what an existing page teaches of traps; none when it has few words and no query. */
export function lessonNotes(url: string, words: Fingerprint | undefined): CrawlNote[] {
  if (words) return [{ learnt: [url, words.high, words.low] }]
  return url.includes('?') ? [{ learnt: [url] }] : []
}

/** Learns from a page, when it is met or read about: so a worker that goes on with a crawl knows what was learnt before. */
export function learnFrom({ learnt }: { readonly learnt?: Lesson | undefined }, traps: Traps): void {
  if (!learnt) return
  const [url, high, low] = learnt
  traps.learn(url, high === undefined || low === undefined ? undefined : { high, low })
}

type Lesson = Extract<CrawlNote, { readonly learnt: unknown }>['learnt']
