// Numbering of lists. It is computed here because a list that continues after a paragraph must continue its numbers.
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'

interface Level {
  readonly isOrdered: boolean
  readonly start: number
}

interface Numbering {
  readonly family: string
  readonly levels: ReadonlyMap<number, Level>
}

/** Returns the lists of a document by their id; empty without a numbering part. Lists of one family share their counters. */
export function readNumbering(root: XmlElement | undefined): ReadonlyMap<string, Numbering> {
  const families = new Map(
    childrenOf(root, 'w:abstractNum').map((family) => [family.attributes['w:abstractNumId'], readLevels(family)]),
  )
  const lists = new Map<string, Numbering>()
  for (const list of childrenOf(root, 'w:num')) {
    const id = list.attributes['w:numId']
    const family = at(list, 'w:abstractNumId').attributes['w:val']
    const overrides = childrenOf(list, 'w:lvlOverride')
    const levels = new Map(families.get(family) ?? [])
    for (const override of overrides) applyOverride(levels, override)
    // A list with its own start value does not continue the numbers of its family.
    if (id !== undefined) lists.set(id, { family: overrides.length > 0 ? `own ${id}` : `family ${family}`, levels })
  }
  return lists
}

function readLevels(family: XmlElement): Map<number, Level> {
  return new Map(
    childrenOf(family, 'w:lvl').map((level) => [Number(level.attributes['w:ilvl'] ?? 0), readLevel(level)]),
  )
}

function readLevel(level: XmlElement): Level {
  const format = at(level, 'w:numFmt').attributes['w:val'] ?? 'decimal'
  return {
    isOrdered: format !== 'bullet' && format !== 'none',
    start: numberOr(at(level, 'w:start').attributes['w:val'], 1),
  }
}

function applyOverride(levels: Map<number, Level>, override: XmlElement): void {
  const index = Number(override.attributes['w:ilvl'])
  const own = childrenOf(override, 'w:lvl')[0]
  const level = own ? readLevel(own) : levels.get(index)
  const start = at(override, 'w:startOverride').attributes['w:val']
  if (level) levels.set(index, start === undefined ? level : { ...level, start: numberOr(start, 1) })
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}

export interface Counter {
  /** Returns the number of the next item of a list, or `undefined` if the list on the page reaches it by itself. */
  next(numId: string, level: number): number | undefined
  /** Must be called for text between items, which ends the list on the page. */
  interrupt(): void
}

/**
 * Creates the counter of list items, which continues numbers after text between items. `next` returns the number of an item,
 * or `undefined` if the list shows it by itself. Unknown lists count from 1.
 */
export function countItems(lists: ReadonlyMap<string, Numbering>): Counter {
  const reached = new Map<string, number[]>()
  let onPage: { readonly number: number; readonly isOrdered: boolean }[] = []
  return {
    next: (numId, level) => {
      const list = lists.get(numId)
      const counts = reached.get(list?.family ?? numId) ?? []
      reached.set(list?.family ?? numId, counts)
      const { isOrdered = true, start = 1 } = list?.levels.get(level) ?? {}
      const number = (counts[level] ?? start - 1) + 1
      counts[level] = number
      counts.length = level + 1
      const before = onPage[level]
      const shown = (before?.isOrdered === isOrdered ? before.number : 0) + 1
      onPage[level] = { number: isOrdered ? number : shown, isOrdered }
      onPage.length = level + 1
      return isOrdered && number !== shown ? number : undefined
    },
    interrupt: () => {
      onPage = []
    },
  }
}
