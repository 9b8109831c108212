import type { Patterns } from '@harvestman/json-schema'
import type { PageText, Sighting, Version } from './history.ts'
import { linesOf, nothingIgnored, sameness, type PageLine } from './noise.ts'
import { textDiff, type TextDiff } from './text-diff.ts'

export type ChangeStatus = 'new' | 'same' | 'changed' | 'removed'

const removedStatuses: ReadonlySet<number> = new Set([404, 410])

/** Whether a page with this status says that it is no more. */
export function isRemoved(status: number): boolean {
  return removedStatuses.has(status)
}

/** A page that answers with another failure says nothing about its content. */
export function isComparable(status: number): boolean {
  return status < 400 || isRemoved(status)
}

/** What was seen now, for the history, and how it stands to what was seen before. */
export function sightingOf(text: PageText, status: number, patterns: Patterns): Sighting {
  const mine = sameness(compared(text, patterns))
  return {
    ...text,
    isRemoved: isRemoved(status),
    isSame: (other) => other.markdown === text.markdown || sameness(compared(other, patterns)) === mine,
  }
}

/** A page that was gone and is there again is new. */
export function changeStatusOf(
  sighting: Sighting,
  before: { readonly version: Version; readonly text: PageText } | undefined,
): ChangeStatus {
  if (sighting.isRemoved) return 'removed'
  if (!before || before.version.isRemoved) return 'new'
  return sighting.isSame(before.text) ? 'same' : 'changed'
}

export function diffOf(before: PageText, now: PageText, patterns: Patterns = nothingIgnored.patterns): TextDiff {
  return textDiff(compared(before, patterns), compared(now, patterns))
}

function compared({ markdown, hidden }: PageText, patterns: Patterns): PageLine[] {
  return linesOf(markdown, { texts: hidden, patterns })
}
