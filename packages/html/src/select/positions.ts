import type { Element } from '../tree/tree.ts'

/** The positions of an element among its siblings, starting at 1. */
export interface Place {
  readonly all: number
  readonly ofType: number
  /** Counts of all siblings, including itself, and by tag name. */
  readonly family: Family
}

interface Family {
  count: number
  readonly counts: Map<string, number>
}

/** Positions, computed for all siblings at once on first use, so that n siblings take O(n) and not O(n²). */
export type Positions = Map<Element, Place>

/** Returns the position of an element among its siblings, counted from 1, in all and by name. Positions are cached. */
export function placeOf(positions: Positions, element: Element): Place {
  const known = positions.get(element)
  if (known) return known
  const family: Family = { count: 0, counts: new Map() }
  let first: Element['previous'] = element
  while (first.previous) first = first.previous
  for (let at: Element['next'] = first; at; at = at.next) {
    if (at.type !== 'element') continue
    const ofType = (family.counts.get(at.name) ?? 0) + 1
    family.counts.set(at.name, ofType)
    family.count++
    positions.set(at, { all: family.count, ofType, family })
  }
  return positions.get(element)!
}

/** Returns whether the element's position matches `an+b`. Invalid formulas match nothing. */
export function nth(
  positions: Positions,
  element: Element,
  formula: string,
  ofType: boolean,
  fromEnd: boolean,
): boolean {
  const step = readFormula(formula)
  if (!step) return false
  const { all, ofType: typed, family } = placeOf(positions, element)
  const place = ofType ? typed : all
  const count = ofType ? family.counts.get(element.name)! : family.count
  return fits(fromEnd ? count - place + 1 : place, step)
}

/** Returns whether a position, counted from 1, matches `an+b`. False for an invalid formula. */
export function isNth(place: number, formula: string): boolean {
  const step = readFormula(formula)
  return step !== undefined && fits(place, step)
}

interface Formula {
  readonly every: number
  readonly from: number
}

function fits(place: number, { every, from }: Formula): boolean {
  const distance = place - from
  return every === 0 ? distance === 0 : distance % every === 0 && distance / every >= 0
}

const words: Readonly<Record<string, Formula>> = { even: { every: 2, from: 0 }, odd: { every: 2, from: 1 } }

/**
 * Parses `2n+1`, `-n+3`, `odd`, `4`: `every` is the factor of `n`, or 0, and `from` the rest. Returns `undefined` if it is not
 * valid.
 */
export function readFormula(formula: string): Formula | undefined {
  const text = formula.trim().toLowerCase()
  if (Object.hasOwn(words, text)) return words[text]
  const found = /^(?:([+-]?\d{0,9})(n)\s*(?:([+-])\s*(\d{1,9}))?|([+-]?\d{1,9}))$/.exec(text)
  if (!found) return undefined
  if (!found[2]) return { every: 0, from: Number(found[5]) }
  const every = found[1] === '' || found[1] === '+' ? 1 : found[1] === '-' ? -1 : Number(found[1])
  return { every, from: found[4] ? Number(`${found[3]}${found[4]}`) : 0 }
}
