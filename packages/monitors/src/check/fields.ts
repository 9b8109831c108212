// Compares two values, field by field.
import type { Json } from '@harvestman/ports'

import type { ChangeRules } from '../requests/change.ts'
import { notationOf, numberIn, type Notation } from './numbers.ts'

/** A changed field. */
export interface FieldChange {
  readonly previous: Json
  readonly current: Json
}

/** Changed fields by path, such as `plans[0].price`. */
export type FieldChanges = Readonly<Record<string, FieldChange>>

type Rules = Pick<ChangeRules, 'fields' | 'items' | 'thresholds'>

/** Maximum number of changed fields per page. */
const maxChangedFields = 1_000
const deepest = 64

/**
 * Returns the changed fields that count, at most 1,000, by their path; empty if none changed. A missing field is `null`. Items
 * of a list are compared by index, unless a rule for the list compares them by a key or by value. Differences in whitespace are
 * ignored.
 */
export function changedFields(previous: Json, current: Json, rules: Rules): FieldChanges {
  const found: [string, FieldChange][] = []
  let known: { readonly notation: Notation } | undefined
  const notation = (): Notation => (known ??= { notation: notationOf(previous, current) }).notation
  compare(previous, current, '', { rules, found, depth: 0, notation })
  return Object.fromEntries(found)
}

interface Walk {
  readonly rules: Rules
  readonly found: [string, FieldChange][]
  readonly depth: number
  readonly notation: () => Notation
}

function compare(previous: Json, current: Json, path: string, walk: Walk): void {
  if (walk.found.length >= maxChangedFields) return
  const { depth } = walk
  const deeper = { ...walk, depth: depth + 1 }
  if (depth < deepest && Array.isArray(previous) && Array.isArray(current)) {
    const rule = walk.rules.items.find(({ at }) => at === patternOf(path))
    return rule
      ? compareItems(previous, current, path, rule.key, deeper)
      : comparePlaces(previous, current, path, deeper)
  }
  if (depth < deepest && isObject(previous) && isObject(current)) {
    for (const name of new Set([...Object.keys(previous), ...Object.keys(current)])) {
      const below = path === '' ? name : `${path}.${name}`
      compare(fieldOf(previous, name) ?? null, fieldOf(current, name) ?? null, below, deeper)
    }
    return
  }
  if (isSame(previous, current) || !counts(path, previous, current, walk)) return
  walk.found.push([path, { previous, current }])
}

function comparePlaces(previous: readonly Json[], current: readonly Json[], path: string, walk: Walk): void {
  for (let at = 0; at < Math.max(previous.length, current.length); at += 1)
    compare(previous[at] ?? null, current[at] ?? null, `${path}[${at}]`, walk)
}

/** Compares list items by a key field, or by their full value. Their order is ignored. */
function compareItems(
  previous: readonly Json[],
  current: readonly Json[],
  path: string,
  key: string | undefined,
  walk: Walk,
): void {
  const [before, now] = [byKey(previous, key), byKey(current, key)]
  for (const name of new Set([...before.keys(), ...now.keys()]))
    compare(before.get(name) ?? null, now.get(name) ?? null, `${path}[${name}]`, walk)
}

function byKey(items: readonly Json[], key: string | undefined): Map<string, Json> {
  const named = items.map((item): [string, Json] => {
    const value = key === undefined ? item : isObject(item) ? (fieldOf(item, key) ?? item) : item
    return [typeof value === 'string' ? tidy(value) : JSON.stringify(value), item]
  })
  return new Map(named)
}

function counts(path: string, previous: Json, current: Json, { rules, notation }: Walk): boolean {
  const { fields, thresholds } = rules
  const pattern = patternOf(path)
  const isIn = (field: string): boolean =>
    pattern === field || pattern.startsWith(`${field}.`) || pattern.startsWith(`${field}[`)
  if (fields.length > 0 && !fields.some(isIn)) return false
  return thresholds
    .filter(({ field }) => isIn(field))
    .every((threshold) => isBeyond(threshold, numberIn(previous, notation), numberIn(current, notation)))
}

function isBeyond(
  { percent, by }: ChangeRules['thresholds'][number],
  before: number | undefined,
  now: number | undefined,
): boolean {
  if (before === undefined || now === undefined) return true
  const difference = Math.abs(now - before)
  if (by !== undefined) return difference >= by
  return before === 0 || (difference / Math.abs(before)) * 100 >= (percent ?? 0)
}

/** Returns a path without list indexes and keys: `plans[].price`. */
function patternOf(path: string): string {
  return path.replaceAll(/\[[^\]]*\]/g, '[]')
}

function isSame(one: Json, other: Json): boolean {
  if (typeof one === 'string' && typeof other === 'string') return tidy(one) === tidy(other)
  return JSON.stringify(one) === JSON.stringify(other)
}

function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns the value of an own field: a page may name a field like an inherited property, such as `constructor`. */
function fieldOf(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
