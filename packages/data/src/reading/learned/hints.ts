// Finds candidate elements for values without a reliable selector. They contained the value but match too often to be trusted.
import type { Facts } from './facts.ts'
import { endOf, rawOf } from './locate.ts'
import { selectorsFor } from './selectors.ts'
import type { LearnedScalar } from './types.ts'
import { isSameValue, readIn, waysTo } from './ways.ts'

const most = { hints: 4, elements: 12, tries: 12, found: 200 } as const

/**
 * Returns at most four CSS selectors of elements that contain the value, starting with selectors from earlier pages that still
 * match. Empty if the page does not contain the value.
 */
export function hintsFor(facts: Facts, value: LearnedScalar, before: readonly string[] = []): readonly string[] {
  const stillMatching = before.filter((selector) =>
    facts.find(selector).some((element) => holds(facts, element, value)),
  )
  const fresh = new Set(stillMatching)
  let found = 0
  for (const element of facts.elements) {
    if (fresh.size >= most.hints || found >= most.found) break
    if (!holds(facts, element, value)) continue
    found += 1
    const selector = fewest(facts, element)
    if (selector !== undefined) fresh.add(selector)
  }
  return [...fresh].slice(0, most.hints)
}

function holds(facts: Facts, element: Parameters<Facts['textAt']>[0], value: LearnedScalar): boolean {
  const raw = rawOf(facts, element, undefined)
  if (raw === undefined) return false
  return waysTo(raw, value, facts.base).some((way) => {
    const read = readIn(raw, way, facts.base)
    return read !== undefined && isSameValue(read, value)
  })
}

/** Returns the first selector that matches few elements. */
function fewest(facts: Facts, element: Parameters<Facts['textAt']>[0]): string | undefined {
  let tries = 0
  for (const { selector } of selectorsFor(element, facts.root)) {
    if (++tries > most.tries) return undefined
    const found = facts.find(selector)
    if (found.length <= most.elements && found.includes(element)) return selector
  }
  return undefined
}

/**
 * Returns the indexes of text nodes in the elements that match the selectors in `hints`: at most 12 elements for each, and 12
 * texts in each element. Empty if nothing matches.
 */
export function placesOf(facts: Facts, hints: readonly string[]): readonly number[] {
  const elements = hints.flatMap((selector) => facts.find(selector).slice(0, most.elements))
  return elements.flatMap((element) => {
    const [from, to] = [facts.textAt(element), endOf(facts, element)]
    return Array.from({ length: Math.min(to - from, most.elements) }, (_, index) => from + index)
  })
}
