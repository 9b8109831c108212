import type { Element } from '../tree/tree.ts'
import { textOf } from '../tree/walk.ts'
import { isRecord } from './shape.ts'
import { bounds, shorten, type DataBuilder } from './builder.ts'
import { pointerStep, readScriptJson } from './json.ts'
import type { DataEntry } from './types.ts'
import { propertyName, typeName } from './vocabulary.ts'

// Reads JSON-LD as pages use it: nodes, arrays of nodes, `@graph`, and `@id` references across all scripts of the page.
// Contexts are not loaded; of a prefixed name or URL only the last part counts.

interface Walk {
  readonly builder: DataBuilder
  /** Item indexes by `@id`. */
  readonly known: Map<string, number>
  /** References to nodes, some of which come later. */
  readonly links: { readonly item: number; readonly name: string; readonly id: string; readonly entry: DataEntry }[]
  nodes: number
}

/**
 * Adds the items of JSON-LD scripts to the builder, and connects those that refer to each other by `@id`. Scripts that are
 * invalid or have more than 2 million characters are skipped, and so are scripts after the first 6 million characters, and
 * values nested deeper than 50 levels.
 */
export function collectJsonLd(scripts: readonly Element[], builder: DataBuilder): void {
  const walk: Walk = { builder, known: new Map(), links: [], nodes: 0 }
  let length = 0
  for (const script of scripts) {
    const text = textOf(script)
    length += text.length
    if (length > bounds.scripts) break
    const value = readScriptJson(text)
    const source = value === undefined ? undefined : builder.sourceOf(script, 'json-ld')
    if (source !== undefined) readTop(walk, value, source, '', 0)
  }
  for (const { item, name, id, entry } of walk.links) {
    const target = walk.known.get(id)
    builder.addEntry(item, name, target === undefined || target === item ? entry : { item: target })
  }
}

function readTop(walk: Walk, value: unknown, source: number, pointer: string, depth: number): void {
  if (depth > bounds.jsonDepth) return
  if (Array.isArray(value)) {
    value.forEach((entry, index) => readTop(walk, entry, source, pointer + pointerStep(index), depth + 1))
  } else if (isRecord(value)) {
    if (value['@graph'] !== undefined) readTop(walk, value['@graph'], source, `${pointer}/@graph`, depth + 1)
    if (Object.keys(value).some((key) => !key.startsWith('@'))) readNode(walk, value, source, pointer, depth)
  }
}

function readNode(
  walk: Walk,
  node: Readonly<Record<string, unknown>>,
  source: number,
  pointer: string,
  depth: number,
): number | undefined {
  if (depth > bounds.jsonDepth || ++walk.nodes > bounds.jsonNodes) return undefined
  const id = typeof node['@id'] === 'string' ? node['@id'] : undefined
  const before = id === undefined ? undefined : walk.known.get(id)
  const item = before ?? walk.builder.addItem(typesOf(node['@type']), source, id)
  if (item === undefined) return undefined
  if (id !== undefined) walk.known.set(id, item)
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('@')) continue
    const name = propertyName(key)
    // A repeated node adds only new properties.
    if (before !== undefined && walk.builder.items[item]!.properties[name]) continue
    readValue(walk, { item, name }, value, source, pointer + pointerStep(key), depth + 1)
  }
  return item
}

function readValue(
  walk: Walk,
  to: { readonly item: number; readonly name: string },
  value: unknown,
  source: number,
  pointer: string,
  depth: number,
): void {
  const { builder, links } = walk
  if (++walk.nodes > bounds.jsonNodes || depth > bounds.jsonDepth) return
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (value !== '') builder.addEntry(to.item, to.name, { value: shorten(value), source, pointer })
    return
  }
  if (Array.isArray(value)) {
    value.forEach((entry, index) => readValue(walk, to, entry, source, pointer + pointerStep(index), depth + 1))
    return
  }
  if (!isRecord(value)) return
  for (const wrapper of ['@value', '@list', '@set']) {
    if (value[wrapper] !== undefined) {
      readValue(walk, to, value[wrapper], source, pointer + pointerStep(wrapper), depth + 1)
      return
    }
  }
  const keys = Object.keys(value)
  const id = value['@id']
  if (typeof id === 'string' && keys.every((key) => key === '@id' || key === '@type')) {
    links.push({ ...to, id, entry: { value: shorten(id), source, pointer: `${pointer}/@id` } })
    return
  }
  const item = readNode(walk, value, source, pointer, depth)
  if (item !== undefined && item !== to.item) builder.addEntry(to.item, to.name, { item })
}

function typesOf(type: unknown): string[] {
  const types = Array.isArray(type) ? type : [type]
  return types.filter((name) => typeof name === 'string').map(typeName)
}
