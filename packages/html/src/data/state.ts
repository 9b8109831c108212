import type { Element } from '../tree/tree.ts'
import { textOf } from '../tree/walk.ts'
import { bounds, shorten, type DataBuilder } from './builder.ts'
import { pointerStep, readAssignedJson, readScriptJson } from './json.ts'
import { isRecord } from './shape.ts'
import type { DataEntry, DataItem } from './types.ts'

// Reads the JSON that pages embed for their own scripts: `__NEXT_DATA__`, `__INITIAL_STATE__`, `application/json`. Most
// of it concerns the whole site, so only objects that have the page's name count.

const maxScripts = 30
const maxObjects = 20
const names = ['name', 'title', 'headline', 'productName', 'displayName']

/**
 * Returns the objects in the first 30 scripts of a page that have one of the page's names, as items, at most 20. Scripts
 * without valid JSON are skipped.
 */
export function collectState(
  scripts: readonly Element[],
  isNameOfPage: (name: string) => boolean,
  builder: DataBuilder,
): DataItem[] {
  const found: DataItem[] = []
  let length = 0
  for (const script of scripts.slice(0, maxScripts)) {
    const text = textOf(script)
    const isJson = /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(script.attributes['type'] ?? '')
    if (!isJson && !/=\s*[[{]/.test(text)) continue
    length += text.length
    if (length > bounds.scripts) break
    for (const value of isJson ? [readScriptJson(text)] : readAssignedJson(text)) {
      const source = typeof value === 'object' && value !== null ? builder.sourceOf(script, 'state') : undefined
      if (source !== undefined) addNamed(value, isNameOfPage, source, found)
    }
  }
  return found
}

/** Adds the objects in a JSON value that have the page's name. Iterative, because untrusted JSON can be deeply nested. */
function addNamed(root: unknown, isNameOfPage: (name: string) => boolean, source: number, found: DataItem[]): void {
  const waiting: { readonly value: object; readonly pointer: string }[] = [{ value: root as object, pointer: '' }]
  let nodes = 0
  for (let next = waiting.pop(); next && found.length < maxObjects; next = waiting.pop()) {
    const { value, pointer } = next
    if (isRecord(value) && names.some((name) => isText(value[name]) && isNameOfPage(value[name]))) {
      found.push(itemOf(value, source, pointer))
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || inner === null) continue
      if (++nodes > bounds.jsonNodes) return
      waiting.push({ value: inner as object, pointer: pointer + pointerStep(key) })
    }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Returns an object's plain values, and the names of nested objects (`brand: { name }`). */
function itemOf(value: Readonly<Record<string, unknown>>, source: number, pointer: string): DataItem {
  const properties = Object.create(null) as Record<string, DataEntry[]>
  for (const [key, inner] of Object.entries(value).slice(0, 200)) {
    const name = isRecord(inner) ? inner['name'] : inner
    const at = pointer + pointerStep(key) + (isRecord(inner) ? '/name' : '')
    if (isText(name) || typeof name === 'number' || typeof name === 'boolean') {
      properties[key] = [{ value: shorten(name), source, pointer: at }]
    }
  }
  return { types: [], source, isTop: true, properties }
}
