import { isRecord } from '@harvestman/ports'
/** What a record of the protocol may hold: the names of each kind of value. None is required here: the browser asks for what it misses. */
export interface Shape {
  readonly text?: string
  readonly texts?: string
  /** Whole numbers of 32 bits, as the protocol has them. */
  readonly whole?: string
  readonly wholes?: string
  readonly number?: string
  readonly flag?: string
  /** Of any kind, as a value that is given to a script. */
  readonly any?: string
  readonly record?: string
  /** Records with a shape of their own, and lists of such. */
  readonly parts?: Readonly<Record<string, Shape | readonly [Shape]>>
}

export type Params = Readonly<Record<string, unknown>>

/** Gives what of a record is known, or a sentence about the first value that is not as it must be. */
export type ReadShape = (given: Params) => Params | string

type ReadValue = (value: unknown, at: string) => { readonly value: unknown } | string

const mostItems = 20_000
const largestWhole = 2_147_483_647

const simple = (fits: (value: unknown) => boolean, kind: string): ReadValue => {
  return (value, at) => (fits(value) ? { value } : `'${at}' must be ${kind}.`)
}

const listOf = (read: ReadValue): ReadValue => {
  return (value, at) => {
    if (!Array.isArray(value)) return `'${at}' must be a list.`
    if (value.length > mostItems) return `'${at}' has at most ${mostItems} items.`
    const items: unknown[] = []
    for (const [index, item] of value.entries()) {
      const done = read(item, `${at}.${index}`)
      if (typeof done === 'string') return done
      items.push(done.value)
    }
    return { value: items }
  }
}

const text = simple((value) => typeof value === 'string', 'a text')
const whole = simple((value) => Number.isInteger(value) && Math.abs(Number(value)) <= largestWhole, 'a whole number')

const kinds: Readonly<Record<Exclude<keyof Shape, 'parts'>, ReadValue>> = {
  text,
  texts: listOf(text),
  whole,
  wholes: listOf(whole),
  number: simple(Number.isFinite, 'a number'),
  flag: simple((value) => typeof value === 'boolean', 'true or false'),
  any: simple(() => true, 'there'),
  record: simple(isRecord, 'a record'),
}

/** Makes the reader of a shape. What the shape does not name is left out of what is passed on. */
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
