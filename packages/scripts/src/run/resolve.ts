// Finds the element of a step. Several properties must agree; ambiguous cases are rejected.
import type { SeenElement } from '../page/seen.ts'
import type { Target } from '../script/schema.ts'
import { isOpen } from '../script/template.ts'
import { groupByFrame } from './frames.ts'

/** The result of searching for an element. */
export type Verdict =
  | { readonly kind: 'found'; readonly index: number }
  /** No element has the recorded role and name, but exactly one matches enough other properties. */
  | { readonly kind: 'other'; readonly index: number; readonly changes: readonly string[] }
  | { readonly kind: 'none' | 'several'; readonly indexes: readonly number[] }

interface Candidate {
  readonly index: number
  readonly element: SeenElement
  readonly identity: number
  readonly words: number
  /** Score of its classes, which count less than an id. */
  readonly looks: number
  readonly kinds: number
  /** Score of its position, if the surrounding text does not contradict it. */
  readonly position: number
  /** Score if it was and is the only element with its role in its scope. */
  readonly alone: number
  /** Whether its label or the preceding text matches. */
  readonly isLabelled: boolean
  readonly total: number
}

/** Minimum lead in score over the next candidate. */
const lead = 1.5
/** Minimum score besides role and name, if other elements have those too. */
const enough = 2
/** Minimum score if the name does not match. */
const enoughForRepair = 4
const kindsForRepair = 2

/**
 * Finds the element. `open` is the target with placeholders, `target` the same with their values. The result `other` means that
 * it was found in spite of changes; `several` and `none` are results as well, not errors.
 */
export function resolve(open: Target, target: Target, elements: readonly SeenElement[]): Verdict {
  const frames = groupByFrame(target, elements)
  const all = frames.flat().map((index) => judge(target, elements[index]!, index))
  const bound = all.filter(({ element }) => fitsParameters(open, target, element))
  const isBound = boundOf(open).length + boundAttributes(open).length > 0
  const exact = bound.filter(({ element }) => element.role === target.role && element.name === target.name)
  if (frames.length > 1) return severalOf(exact)
  if (exact.length > 0) return amongExact(exact, isBound ? [] : all, target)
  // Parameters must match exactly, so such a target is never repaired.
  return isBound ? { kind: 'none', indexes: [] } : repaired(all, target)
}

const severalOf = (some: readonly Candidate[]): Verdict => ({
  kind: some.length > 0 ? 'several' : 'none',
  indexes: some.map(({ index }) => index),
})

type Words = 'name' | 'label' | 'text' | 'before' | 'after'
const wordKeys: readonly Words[] = ['name', 'label', 'text', 'before', 'after']

function boundOf(open: Target): readonly (Words | 'row')[] {
  const words = wordKeys.filter((key) => isOpen(open[key]))
  return open.row?.some((text) => isOpen(text)) === true ? [...words, 'row'] : words
}

const boundAttributes = ({ attributes }: Target): readonly string[] =>
  Object.keys(attributes).filter((key) => isOpen(attributes[key]))

function fitsParameters(open: Target, target: Target, element: SeenElement): boolean {
  const hasAttributes = boundAttributes(open).every((key) => element.attributes[key] === target.attributes[key])
  if (!hasAttributes) return false
  return boundOf(open).every((key) => {
    if (key !== 'row') return element[key] === target[key]
    const texts = new Set(element.row)
    return (target.row ?? []).every((text) => texts.has(text))
  })
}

function amongExact(alike: readonly Candidate[], all: readonly Candidate[], target: Target): Verdict {
  const exact = ofSameTag(alike, target)
  const [only] = exact
  const indexes = exact.map(({ index }) => index)
  if (only && exact.length < alike.length) return { kind: 'found', index: only.index }
  if (only && exact.length === 1) {
    // Another element has the id, test id or URL that this one lacks.
    const rival = all.find(({ index, identity }) => index !== only.index && identity >= 3)
    if (rival && only.identity < rival.identity && only.words < 2)
      return { kind: 'several', indexes: [only.index, rival.index] }
    const isNameless = target.name === ''
    const wasOnly = target.place === undefined || target.place.of === 1
    if (isNameless && !wasOnly && only.identity + only.words < enough) return { kind: 'several', indexes }
    return { kind: 'found', index: only.index }
  }
  const best = clearlyBest(settled(exact), enough)
  return best ? { kind: 'found', index: best.index } : { kind: 'several', indexes }
}

/**
 * A single-line and a multi-line field have the same role. If the number of matches is as recorded, the only one with the
 * recorded tag wins.
 */
function ofSameTag(alike: readonly Candidate[], { path, place }: Target): readonly Candidate[] {
  if (path === undefined || alike.length < 2 || place?.of !== alike.length) return alike
  const same = alike.filter(({ element }) => tagOf(element.path) === tagOf(path))
  return same.length === 1 ? same : alike
}

const tagOf = (path: string): string => /[^/:]*(?=(?::\d+)?$)/.exec(path)?.[0] ?? ''

/** If the label of one candidate matches, position does not count for the others, because fields may have been reordered. */
function settled(some: readonly Candidate[]): readonly Candidate[] {
  if (!some.some(({ isLabelled }) => isLabelled)) return some
  return some.map((one) => (one.isLabelled ? one : { ...one, total: one.total - one.position }))
}

function clearlyBest(some: readonly Candidate[], least: number): Candidate | undefined {
  const [best, next] = some.toSorted((a, b) => b.total - a.total)
  return best && best.total >= least && (!next || best.total - next.total >= lead) ? best : undefined
}

/** Roles that support the same actions. */
const families: readonly ReadonlySet<string>[] = [
  new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']),
  new Set(['button', 'link', 'tab', 'menuitem', 'generic', 'option', 'treeitem']),
  new Set(['checkbox', 'switch', 'menuitemcheckbox']),
  new Set(['radio', 'menuitemradio']),
]

function repaired(all: readonly Candidate[], target: Target): Verdict {
  const family = families.find((some) => some.has(target.role)) ?? new Set([target.role])
  const some = all.filter(({ element, identity, words, looks, kinds, position, alone }) => {
    if (!family.has(element.role) || (element.role === 'generic') !== (target.role === 'generic')) return false
    return identity + words + looks + position + alone >= enoughForRepair && kinds >= kindsForRepair
  })
  const [only] = some
  if (!only) return { kind: 'none', indexes: [] }
  if (some.length > 1) return { kind: 'several', indexes: some.map(({ index }) => index) }
  const { element } = only
  const changes = [
    ...(element.role === target.role ? [] : [`role ${target.role} is now ${element.role}`]),
    ...(element.name === target.name ? [] : [`name "${target.name}" is now "${element.name}"`]),
  ]
  return { kind: 'other', index: only.index, changes }
}

const weights: Readonly<Record<string, number>> = {
  ...{ 'data-testid': 4, 'data-test': 4, 'data-test-id': 4, 'data-qa': 4, 'data-cy': 4, 'data-id': 4 },
  ...{ id: 3, name: 3, href: 3, placeholder: 3, title: 2, alt: 2, autocomplete: 2 },
}

/** Scores how well an element matches the target. */
function judge(target: Target, element: SeenElement, index: number): Candidate {
  const { attributes } = target
  const same = Object.keys(attributes).filter(
    (name) => name in weights && attributes[name] === element.attributes[name],
  )
  const identity = sum(same.map((name) => weights[name] ?? 0))
  const alone = isAloneAsThen(target, element) ? 2 : 0
  const inRow = overlap(target.row ?? [], element.row)
  const textScores = [
    3 * likeness(target.label, element.label),
    2 * likeness(target.before, element.before),
    1.5 * likeness(target.after, element.after),
    inRow >= 0.5 ? 2 * inRow : 0,
    1.5 * likeness(target.text, element.text),
  ]
  const words = sum(textScores)
  const isOfOtherRow = (target.row?.length ?? 0) > 0 && inRow === 0
  const looks = overlap(classesOf(attributes['class']), classesOf(element.attributes['class'])) > 0.5 ? 1.5 : 0
  const kind = attributes['type'] !== undefined && attributes['type'] === element.attributes['type'] ? 0.5 : 0
  // Position counts only if the surrounding text does not contradict it.
  const position = isOfOtherRow ? 0 : positionScore(target, element)
  const kinds = same.length + [...textScores, looks, position, alone].filter((one) => one > 0).length
  const isLabelled = (textScores[0] ?? 0) + (textScores[1] ?? 0) > 0
  const total = identity + words + looks + kind + position
  return { index, element, identity, words, looks, kinds, position, alone, isLabelled, total }
}

/** Generic elements may be unique by chance. */
function isAloneAsThen({ role, alone }: Target, element: SeenElement): boolean {
  return alone !== undefined && role !== 'generic' && alone === element.alone && role === element.role
}

function positionScore({ path }: Target, element: SeenElement): number {
  return path !== undefined && path === element.path ? 2 : 0
}

/** Similarity of two strings: equal, equal except for case and punctuation, or short and one contains the other's words. */
function likeness(one: string | undefined, other: string): number {
  if (one === undefined || one === '' || other === '') return 0
  if (one === other) return 1
  const [some, others] = [wordsIn(one), wordsIn(other)]
  if (some.length === 0 || others.length === 0) return 0
  if (some.join(' ') === others.join(' ')) return 0.9
  const [few, many] = some.length < others.length ? [some, others] : [others, some]
  return many.length <= 3 && few.length < many.length && few.every((word) => many.includes(word)) ? 0.8 : 0
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const classesOf = (text: string | undefined): readonly string[] => (text ?? '').split(/\s+/).filter(Boolean)

/** Share of the first list that is also in the second. */
function overlap(some: readonly string[], others: readonly string[]): number {
  if (some.length === 0) return 0
  const known = new Set(others)
  return some.filter((one) => known.has(one)).length / some.length
}
