// Features that an element adds to the blocks inside: its kind as an ancestor, the families of its names, and whether
// it is hidden.
import type { Element } from '../tree/tree.ts'
import type { NameInfo, NameReader } from './class-words.ts'
import {
  ancestors,
  blockTags,
  classFamilies,
  mediaTags,
  ownTags,
  rolesAsAncestors,
  wordlessTags,
} from './vocabulary.ts'

export const familyNames: readonly string[] = Object.keys(classFamilies)
/** The columns of `near`: ancestors by tag or role, then families of names. */
export const nearNames: readonly string[] = [...ancestors, ...familyNames.map((name) => `.${name}`)]
const ancestorCount = ancestors.length

export interface TagInfo {
  readonly block: boolean
  readonly wordless: boolean
  readonly media: boolean
  readonly own: number
  readonly ancestor: number
  readonly heading: number
}

const ancestorIndex = new Map(ancestors.map((name, index) => [name, index]))
const ownIndex = new Map(ownTags.map((name, index) => [name, index]))
const sameAs: Readonly<Record<string, string>> = { ol: 'ul', th: 'td' }

function describeTag(name: string): TagInfo {
  return {
    block: blockTags.has(name),
    wordless: wordlessTags.has(name),
    media: mediaTags.has(name),
    own: ownIndex.get(name) ?? -1,
    ancestor: ancestorIndex.get(sameAs[name] ?? name) ?? -1,
    heading: /^h[1-6]$/.test(name) ? Number(name[1]) : 0,
  }
}

const knownTags = new Map<string, TagInfo>()
for (const name of [...blockTags, ...wordlessTags, ...mediaTags, ...ownTags, ...ancestors]) {
  knownTags.set(name, describeTag(name))
}
for (const name of 'noscript br hr'.split(' ')) knownTags.set(name, describeTag(name))
const anyInline = describeTag('span-like')

/** Returns how blocks treat an element of this name. Unknown names are treated as inline. */
export const tagInfo = (name: string): TagInfo => knownTags.get(name) ?? anyInline

const hiddenIndex = ancestorIndex.get('hidden')!
const bodyIndex = ancestorIndex.get('bodyprop')!
const textIndex = ancestorIndex.get('textprop')!
const hiding = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

const maxLabelLength = 40

/** The families and score of one element's names. Reused for every element. */
export interface NameMarks {
  low: number
  high: number
  known: boolean
  score: number
}

/** The open elements at the current position of the walk. */
export interface Open {
  /** For each column of `near`, the depth of the nearest open element. */
  readonly nearest: Int32Array
  /** Previous values of `nearest`, as pairs of column and value. Restored in reverse order when elements end. */
  readonly undo: number[]
  depth: number
  readonly names: NameMarks
}

// A top-level function, as a closure would keep the whole page in memory for longer.
function mark(open: Open, column: number): void {
  const { nearest, undo, depth } = open
  if (nearest[column] === depth) return
  undo.push(column, nearest[column]!)
  nearest[column] = depth
}

/** Sets the columns of `near` that this element belongs to, and fills `names`. */
export function markElement(element: Element, info: TagInfo, read: NameReader, open: Open): void {
  const { attributes } = element
  const { names } = open
  if (info.ancestor >= 0) mark(open, info.ancestor)
  const { role, style, itemprop } = attributes
  if (role !== undefined) {
    const column = ancestorIndex.get(rolesAsAncestors[role] ?? '')
    if (column !== undefined) mark(open, column)
  }
  const unseen = attributes['hidden'] !== undefined || attributes['aria-hidden'] === 'true'
  if (unseen || (style !== undefined && hiding.test(style))) mark(open, hiddenIndex)
  if (itemprop !== undefined) {
    if (/articlebody|^text$/i.test(itemprop)) mark(open, bodyIndex)
    if (/description|review/i.test(itemprop)) mark(open, textIndex)
  }
  readNames(element, read, names)
  for (let rest = names.low; rest !== 0; rest &= rest - 1) mark(open, ancestorCount + 31 - Math.clz32(rest & -rest))
  for (let rest = names.high; rest !== 0; rest &= rest - 1)
    mark(open, ancestorCount + 31 + 31 - Math.clz32(rest & -rest))
}

function readNames(element: Element, read: NameReader, names: NameMarks): void {
  const { class: className, id } = element.attributes
  names.low = names.high = names.score = 0
  names.known = false
  if (className) addName(names, read(className), true)
  if (id) addName(names, read(id), true)
  const test = element.attributes['data-testid']
  if (test) addName(names, read(test), false)
  const label = element.attributes['aria-label']
  if (label && label.length < maxLabelLength) addName(names, read(label), false)
}

function addName(names: NameMarks, info: NameInfo, score: boolean): void {
  names.low |= info.low
  names.high |= info.high
  if (!score || !info.known) return
  names.known = true
  names.score += info.score
}

const unseen = familyNames.indexOf('unseen')
const spokenName =
  /(?:^|\s)(?:u-|is-|g-)?(?:sr[-_](?:only|text)|visually[-_]?hidden|hidden-visually|screen[-_]?reader(?:[-_]?(?:text|only))?|a11y-hidden|assistive-text|off-?screen|element-invisible)(?=\s|$)/i

/** Returns whether the element's text is for screen readers only. `names` must be the element's own. */
export function isSpoken({ attributes }: Element, names: NameMarks): boolean {
  const bits = unseen < 31 ? names.low >>> unseen : names.high >>> (unseen - 31)
  return (bits & 1) === 1 && spokenName.test((attributes['class'] ?? '').slice(0, maxNamesLength))
}

const maxNamesLength = 300

/** Returns whether the element, by its `type`, contains JSON-LD. */
export const isDataScript = (element: Element): boolean => element.attributes['type']?.trim() === 'application/ld+json'
