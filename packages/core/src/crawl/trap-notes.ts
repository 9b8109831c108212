import { randomUUID } from 'node:crypto'

import type { CrawlMemory } from './memory.ts'
import type { CrawlNote } from './notes.ts'
import type { Trap } from './traps.ts'

/** Tells of a trap once, however many addresses it has. */
export function trapNotes(url: string, { kind, shape, sentence }: Trap, memory: CrawlMemory): CrawlNote[] {
  if (!memory.meetTrap({ kind, shape })) return []
  const message = `Addresses like ${shape} are left out as a trap (${kind}). The first was ${url}. ${sentence}`
  return [{ trap: { kind, shape }, failure: { id: randomUUID(), url, code: 'trap', message } }]
}
