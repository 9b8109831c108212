// Lists in responses: which one the page shows, and how to read it again.
import { isRecord, type Json } from '@harvestman/ports'
import {
  elementsOf,
  parseHtml,
  readAssignedJson,
  readScriptJson,
  textOf,
  type Element,
} from '@harvestman/html/internal'
import { parseJson } from '@harvestman/toolbox/parse-json'

import { fragmentSource, readFragment } from './fragments.ts'
import { valueAt, visitJson } from './json-path.ts'
import { limits, type Item, type ItemSource } from './recipe.ts'

/** A list that the page shows, and where it is in a response. */
export interface FoundList {
  readonly source: ItemSource
  readonly items: readonly Item[]
  /** Number of items of which the page shows a value. */
  readonly shown: number
}

/** Returns whether the page shows a string. White space and letter case do not count. */
export type IsShown = (text: string) => boolean

/** Creates the check from the visible characters of a page, of which at most 500,000 are used. */
export function shownIn(text: string): IsShown {
  const all = plain(text.slice(0, limits.shown))
  return (value) => {
    const wanted = plain(value.slice(0, 200))
    return wanted.length >= minText && all.includes(wanted)
  }
}

// Shorter values occur by chance.
const minText = 4
const minItems = 2
const minShare = 0.5
const maxFields = 60

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Responses of a page, and its visible characters. */
export interface SearchInput {
  readonly shown: string
  readonly responses: readonly { readonly kind: keyof typeof finders; readonly text: string }[]
}

const maxLists = 3

/** Returns the lists that the page shows most of, at most 3, with the index of their response. */
export function findLists({ shown, responses }: SearchInput): readonly (FoundList & { readonly index: number })[] {
  const isShown = shownIn(shown)
  const lists = responses.flatMap(({ kind, text }, index) => {
    const list = finders[kind](text, isShown)
    return list ? [{ ...list, index }] : []
  })
  // The sort is stable: of equal lists, the first request has the first page.
  return lists.toSorted((one, other) => other.shown - one.shown).slice(0, maxLists)
}

const finders = { json: findJsonList, html: findFragmentList, script: findScriptList }

/** Returns the list of a JSON response that the page shows most of, or `undefined`. */
function findJsonList(text: string, isShown: IsShown): FoundList | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  return bestList(value as Json, isShown, (path, fields) => ({ in: 'json', path, fields }))
}

/** Returns the list in the scripts of a document that the page shows most of, or `undefined`. */
function findScriptList(html: string, isShown: IsShown): FoundList | undefined {
  const lists = scriptValues(html).map((value, index) =>
    bestList(value, isShown, (path, fields) => ({ in: 'script', index, path, fields })),
  )
  return lists.reduce((best, one) => ((one?.shown ?? 0) > (best?.shown ?? 0) ? one : best), undefined)
}

/** Returns the list of an HTML fragment that the page shows most of, or `undefined`. */
function findFragmentList(html: string, isShown: IsShown): FoundList | undefined {
  if (html.length > limits.htmlBytes) return undefined
  const source = fragmentSource(html)
  if (!source) return undefined
  return rated(source, readFragment(html, source), isShown)
}

/** Reads the items of a response, at most 1,000. Returns `undefined` if the list is not there. */
export function readItems(text: string, source: ItemSource): readonly Item[] | undefined {
  if (source.in === 'html') return text.length > limits.htmlBytes ? undefined : readFragment(text, source)
  const root = source.in === 'json' ? parseJson(text) : scriptValues(text)[source.index]
  const list = root === undefined ? undefined : valueAt(root as Json, source.path)
  return Array.isArray(list) ? itemsOf(list, source.fields) : undefined
}

function itemsOf(list: readonly Json[], fields: readonly string[]): readonly Item[] {
  return list
    .slice(0, limits.items)
    .filter((one) => isRecord(one))
    .map((one) =>
      Object.fromEntries(fields.flatMap((name) => (Object.hasOwn(one, name) ? [[name, one[name] ?? null]] : []))),
    )
}

function bestList(
  root: Json,
  isShown: IsShown,
  sourceOf: (path: string[], fields: string[]) => ItemSource,
): FoundList | undefined {
  let best: FoundList | undefined
  visitJson(root, (value, path) => {
    if (!Array.isArray(value) || value.length < minItems) return
    const fields = [...new Set(value.slice(0, 50).flatMap((one: Json) => (isRecord(one) ? Object.keys(one) : [])))]
    const names = fields.filter((name) => name !== '' && name.length <= 200).slice(0, maxFields)
    if (names.length === 0) return
    const found = rated(sourceOf([...path], names), itemsOf(value, names), isShown)
    if (found && found.shown > (best?.shown ?? 0)) best = found
  })
  return best
}

const maxRated = 100

function rated(source: ItemSource, items: readonly Item[], isShown: IsShown): FoundList | undefined {
  const shown = countShown(items, isShown)
  return shown === 0 ? undefined : { source, items, shown }
}

/** Returns how many of the first 100 items the page shows, or 0 if it shows fewer than 2 or fewer than half of them. */
export function countShown(items: readonly Item[], isShown: IsShown): number {
  const some = items.slice(0, maxRated)
  const shown = some.filter((item) => hasShown(item, isShown)).length
  return shown >= minItems && shown >= some.length * minShare ? shown : 0
}

function hasShown(item: Item, isShown: IsShown): boolean {
  let has = false
  let left = 40
  visitJson(item, (value) => {
    if (has || typeof value !== 'string' || left-- <= 0) return
    has = isShown(value)
  })
  return has
}

const maxScripts = 200

/** Returns the JSON values in the scripts of a document, in document order. */
function scriptValues(html: string): readonly Json[] {
  if (html.length > limits.htmlBytes) return []
  const scripts = elementsOf(parseHtml(html).root)
    .filter(({ name }) => name === 'script')
    .slice(0, maxScripts)
  // Cast: both functions return parsed JSON.
  return scripts.flatMap((script) => valuesOfScript(script)) as Json[]
}

function valuesOfScript(script: Element): readonly unknown[] {
  const text = textOf(script)
  if (!/json/i.test(script.attributes['type'] ?? '')) return readAssignedJson(text)
  const value = readScriptJson(text)
  return value === undefined ? [] : [value]
}
