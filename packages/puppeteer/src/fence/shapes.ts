import { isRecord } from '@harvestman/ports'
/**
 * The allowed fields of an object in the protocol: names separated by spaces, by type. None is required, because the browser
 * itself reports missing fields.
 */
export interface Shape {
  readonly text?: string
  readonly texts?: string
  /** 32-bit integers, as in the protocol. */
  readonly integer?: string
  readonly integers?: string
  readonly number?: string
  readonly flag?: string
  /** Any JSON value, such as an argument of a script. */
  readonly any?: string
  readonly record?: string
  /** Nested objects, and lists of objects. */
  readonly parts?: Readonly<Record<string, Shape | readonly [Shape]>>
}

export type Params = Readonly<Record<string, unknown>>

/** Returns the object with its known fields only, or a message about the first invalid value. */
export type ReadShape = (given: Params) => Params | string

type ReadValue = (value: unknown, at: string) => { readonly value: unknown } | string

const maxItems = 20_000
const maxInteger = 2_147_483_647

const simple = (fits: (value: unknown) => boolean, kind: string): ReadValue => {
  return (value, at) => (fits(value) ? { value } : `'${at}' must be ${kind}.`)
}

const listOf = (read: ReadValue): ReadValue => {
  return (value, at) => {
    if (!Array.isArray(value)) return `'${at}' must be a list.`
    if (value.length > maxItems) return `'${at}' has at most ${maxItems} items.`
    const items: unknown[] = []
    for (const [index, item] of value.entries()) {
      const done = read(item, `${at}.${index}`)
      if (typeof done === 'string') return done
      items.push(done.value)
    }
    return { value: items }
  }
}

const text = simple((value) => typeof value === 'string', 'a string')
const integer = simple((value) => Number.isInteger(value) && Math.abs(Number(value)) <= maxInteger, 'a whole number')

const kinds: Readonly<Record<Exclude<keyof Shape, 'parts'>, ReadValue>> = {
  text,
  texts: listOf(text),
  integer,
  integers: listOf(integer),
  number: simple(Number.isFinite, 'a number'),
  flag: simple((value) => typeof value === 'boolean', 'true or false'),
  any: simple(() => true, 'there'),
  record: simple(isRecord, 'a record'),
}

/**
 * Creates the validator of a shape. It removes fields that the shape does not list, and returns a message about the first
 * invalid value.
 */
export function readerOf(shape: Shape): ReadShape {
  const fields = [...fieldsOf(shape)]
  return (given) => {
    const record = readFields(fields, given, '')
    return typeof record === 'string' ? record : record.value
  }
}

type Field = readonly [name: string, read: ReadValue]

function readFields(fields: readonly Field[], given: Params, at: string): { readonly value: Params } | string {
  const value: Record<string, unknown> = {}
  for (const [name, read] of fields) {
    if (!Object.hasOwn(given, name)) continue
    const done = read(given[name], at + name)
    if (typeof done === 'string') return done
    value[name] = done.value
  }
  return { value }
}

function* fieldsOf({ parts = {}, ...shape }: Shape): Generator<Field> {
  for (const [kind, read] of Object.entries(kinds)) {
    const names = shape[kind as keyof typeof kinds]?.split(' ') ?? []
    for (const name of names) yield [name, read]
  }
  for (const [name, part] of Object.entries(parts)) {
    yield [name, Array.isArray(part) ? listOf(readPart(part[0] as Shape)) : readPart(part as Shape)]
  }
}

function readPart(shape: Shape): ReadValue {
  const fields = [...fieldsOf(shape)]
  return (value, at) => (isRecord(value) ? readFields(fields, value, `${at}.`) : `'${at}' must be a record.`)
}
