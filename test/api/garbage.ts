// Requests that are nearly right: made from the schemas of the API, with a mistake here and there.

/** A stream of numbers from 0 to 1 that is the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly $ref?: string
}

const texts = [
  '',
  ' ',
  '\0',
  '\u202E',
  '💣',
  'null',
  '../../etc/passwd',
  '{{7*7}}',
  "'; DROP TABLE",
  '%00',
  'a'.repeat(5_000),
]
const numbers = [0, -1, 1e308, -1e308, 0.1, Number.MAX_SAFE_INTEGER + 1, 2 ** 31]
const names = ['__proto__', 'constructor', 'toString', '', 'ключ', 'a.b', 'x'.repeat(300)]

export interface Garbage {
  /** About what fits the schema. */
  body(schema: JsonSchema): unknown
  /** One of these. */
  pick<Item>(items: readonly Item[]): Item
  chance(share: number): boolean
}

/** `urls` are what addresses are taken from; `root` is where references lead. */
export function makeGarbage(random: () => number, urls: readonly string[], root: object): Garbage {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const chance = (share: number): boolean => random() < share

  const anything = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 0 ? 7 : 5))
    if (kind === 0) return pick(texts)
    if (kind === 1) return pick(numbers)
    if (kind === 2) return chance(0.5)
    if (kind === 3) return null
    if (kind === 4) return pick(urls)
    if (kind === 5) return Array.from({ length: Math.floor(random() * 4) }, () => anything(depth - 1))
    return { [pick(names)]: anything(depth - 1), [pick(texts)]: anything(depth - 1) }
  }

  const fitting = (schema: JsonSchema, name: string, depth: number): unknown => {
    if (chance(0.06) || depth > 6) return anything(3)
    if (schema.$ref !== undefined) return fitting(at(root, schema.$ref), name, depth + 1)
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (branches) return fitting(pick(branches), name, depth + 1)
    switch (schema.type) {
      case 'object':
        return objectOf(schema, depth)
      case 'array':
        return Array.from({ length: Math.floor(random() * 4) }, () => fitting(schema.items ?? {}, name, depth + 1))
      case 'integer':
      case 'number': {
        const { minimum = 0, maximum = 1_000 } = schema
        return chance(0.3) ? pick([minimum - 1, maximum + 1]) : Math.floor(minimum + random() * (maximum - minimum))
      }
      case 'boolean':
        return chance(0.5)
      case 'string':
        return /url/i.test(name) || chance(0.2) ? pick(urls) : pick(texts)
      default:
        return anything(2)
    }
  }

  const objectOf = ({ properties = {}, required = [] }: JsonSchema, depth: number): object => {
    const entries = Object.entries(properties).filter(([name]) => chance(required.includes(name) ? 0.97 : 0.12))
    const made = entries.map(([name, inner]) => [name, fitting(inner, name, depth + 1)] as const)
    const extra = chance(0.05) ? [[pick(names), anything(2)] as const] : []
    return Object.fromEntries([...made, ...extra])
  }

  return { body: (schema) => fitting(schema, '', 0), pick, chance }
}

function at(root: object, reference: string): JsonSchema {
  const path = reference.replace(/^#\/?/, '').split('/')
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root) as JsonSchema
}
