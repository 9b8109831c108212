import type { Subject } from './agree.ts'
import { conceptOf, wordsOfName } from './concepts.ts'
import { scalarOf, scalarsOf } from './find.ts'
import { familyOf, itemsAt, mainItems } from './items.ts'
import { pointerStep } from './json.ts'
import { listOf, type Member } from './lists.ts'
import { readShape, type ArrayShape, type ObjectShape, type ScalarShape, type Shape } from './shape.ts'
import type { DataItem, DataLeaf, DataSource, Evidence, Filled, FilledValue, PageData, Scalar } from './types.ts'
import { coerce } from './values.ts'

interface Filling {
  readonly data: PageData
  readonly evidence: Record<string, Evidence>
  readonly missing: string[]
}

/**
 * Fills a JSON Schema from the structured data of a page. Fields without a certain value stay empty and are listed in
 * `missing` by JSON Pointer; `value` is `undefined` if nothing can be filled. `evidence` states where on the page each value
 * was found.
 */
export function fillSchema(schema: unknown, data: PageData): Filled {
  const shape = readShape(schema)
  const filling: Filling = { data, evidence: {}, missing: [] }
  if (!shape) return { value: undefined, evidence: {}, missing: [''] }
  const wanted = shape.kind === 'object' ? familyOf(shape.fields.map(({ name }) => name)) : undefined
  const subject: Subject = { items: mainItems(data, wanted), isPage: true }
  const value = fill(filling, shape, '', '', subject, '')
  if (value === undefined && filling.missing.length === 0) filling.missing.push('')
  return { value, evidence: filling.evidence, missing: filling.missing }
}

/**
 * Returns the concepts of a schema's fields, each as the first of its names. Empty if nothing in the schema can be
 * filled.
 */
export function conceptsIn(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (shape: Shape | undefined): void => {
    if (shape?.kind === 'array') look(shape.items)
    if (shape?.kind !== 'object') return
    for (const field of shape.fields) {
      for (const name of [field.name, field.title]) {
        const [first] = conceptOf(name)?.names ?? []
        if (first !== undefined) found.add(first)
      }
      look(field.shape)
    }
  }
  look(readShape(schema))
  return found
}

function fill(
  filling: Filling,
  shape: Shape,
  name: string,
  title: string,
  subject: Subject,
  pointer: string,
): FilledValue | undefined {
  if (shape.kind === 'object') return fillObject(filling, shape, name, subject, pointer)
  const value =
    shape.kind === 'array'
      ? fillArray(filling, shape, name, subject, pointer)
      : fillScalar(filling, shape, [name, title], subject, pointer)
  if (value === undefined) filling.missing.push(pointer)
  return value
}

function fillObject(
  filling: Filling,
  { fields }: ObjectShape,
  name: string,
  subject: Subject,
  pointer: string,
): FilledValue | undefined {
  const inner = name === '' ? subject : innerSubject(filling.data, name, subject)
  const value: Record<string, FilledValue> = {}
  for (const field of fields) {
    const at = pointer + pointerStep(field.name)
    const found = fill(filling, field.shape, field.name, field.title, inner, at)
    if (found !== undefined) value[field.name] = found
  }
  return Object.keys(value).length > 0 ? value : undefined
}

const sameThing =
  /^(?:product|article|post|thread|item|page|data|details|info|information|meta|metadata|general|main|result|content|pricing|specs|specifications|offer|offers)$/

/**
 * Returns the subject of a nested object: `author: { name }` describes another entity, `details: { price }` the same
 * one.
 */
function innerSubject(data: PageData, name: string, subject: Subject): Subject {
  const words = wordsOfName(name)
  if (sameThing.test(words)) return subject
  const path = conceptOf(name)
    ?.paths.find((one) => one.includes('.'))
    ?.split('.')[0]
  const property = propertyNamed(subject.items, words) ?? path
  const items = property === undefined ? [] : subject.items.flatMap((item) => itemsAt(data, item, property).slice(0, 2))
  return { items: items.length === 1 || subject.items.length > 1 ? items.slice(0, 1) : [], isPage: false }
}

function propertyNamed(items: readonly DataItem[], words: string): string | undefined {
  return items.flatMap(({ properties }) => Object.keys(properties)).find((property) => wordsOfName(property) === words)
}

function fillArray(
  filling: Filling,
  shape: ArrayShape,
  name: string,
  subject: Subject,
  pointer: string,
): FilledValue | undefined {
  const { data } = filling
  const { items: inner } = shape
  if (inner.kind === 'array') return undefined
  if (inner.kind === 'scalar') {
    const found = scalarsOf(data, inner, name, subject)
    const few = found.slice(0, shape.most)
    few.forEach(({ leaf }, index) => note(filling, pointer + pointerStep(index), leaf))
    return few.length > 0 ? few.map(({ value }) => value) : undefined
  }
  const list = listOf(data, name, inner, subject)
  const before = { evidence: { ...filling.evidence }, missing: filling.missing.length }
  const values = list.slice(0, shape.most).flatMap((member, index) => {
    const value = fillMember(filling, inner, member, pointer + pointerStep(index))
    return value === undefined ? [] : [value]
  })
  if (values.length === list.slice(0, shape.most).length && values.length > 0) return values
  // All or nothing: skipped members would shift the indexes of the others.
  for (const key of Object.keys(filling.evidence)) if (!(key in before.evidence)) delete filling.evidence[key]
  filling.missing.length = before.missing
  return undefined
}

function fillMember(filling: Filling, shape: ObjectShape, member: Member, pointer: string): FilledValue | undefined {
  if ('subject' in member) return fillObject(filling, shape, '', member.subject, pointer)
  const value: Record<string, FilledValue> = {}
  for (const { name, shape: inner } of shape.fields) {
    const leaf = member.leaves[name]
    const at = pointer + pointerStep(name)
    const found =
      leaf && inner.kind === 'scalar' ? coerce(leaf.value, inner, conceptOf(name)?.kind ?? 'text') : undefined
    if (found === undefined) filling.missing.push(at)
    else {
      value[name] = found
      note(filling, at, leaf!)
    }
  }
  return Object.keys(value).length > 0 ? value : undefined
}

function fillScalar(
  filling: Filling,
  shape: ScalarShape,
  names: readonly string[],
  subject: Subject,
  pointer: string,
): Scalar | undefined {
  const found = scalarOf(filling.data, shape, names, subject)
  if (!found) return undefined
  note(filling, pointer, found.leaf)
  return found.value
}

function note({ data, evidence }: Filling, pointer: string, leaf: DataLeaf): void {
  evidence[pointer] = evidenceOf(data.sources, leaf)
}

/** Returns where a value comes from, with a quote of at most 300 characters. */
export function evidenceOf(sources: readonly DataSource[], leaf: DataLeaf): Evidence {
  const { method, selector, position } = sources[leaf.source]!
  return {
    quote: (leaf.quote ?? String(leaf.value)).slice(0, 300),
    method,
    selector,
    position,
    ...(leaf.pointer !== undefined && { pointer: leaf.pointer }),
    ...(leaf.confidence !== undefined && { confidence: leaf.confidence }),
  }
}
