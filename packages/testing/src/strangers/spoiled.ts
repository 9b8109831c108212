import { randomFrom } from './random.ts'

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)

/** Unexpected values as JSON source, because some of it has no JavaScript value. */
export const hostileValues: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1e308',
  '1e999',
  '9007199254740993',
  '0.1',
  '""',
  '"0"',
  '"\\ud800"',
  '"\\u0000\\u202e"',
  '"__proto__"',
  `"${'x'.repeat(2_000)}"`,
  '[]',
  '[null]',
  '[[]]',
  '{}',
  '{"toString":1,"valueOf":1}',
  '{"toString":null}',
  '{"length":-1}',
  '{"then":{}}',
  '{"__proto__":{"toString":1}}',
  '{"__proto__":null,"constructor":{"prototype":null}}',
  nested(80, '[', ']'),
  nested(5_000, '[', ']'),
  nested(60, '{"a":[', ']}'),
]

/** Strings that are no valid message: invalid JSON, or JSON of an unexpected form. */
export const hostileTexts: readonly string[] = [
  ...hostileValues,
  '',
  ' ',
  '\0',
  '\uFEFF{}',
  '{',
  '}',
  '{"id":',
  '{"id":1,}',
  'undefined',
  'NaN',
  '"',
  '{"id":1,"id":null}',
  '{"\\u0069d":1,"method":"\\u0054arget.getTargets"}',
]

const mark = '\u0007here\u0007'

/** Yields the paths to all values inside a message. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key])
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item))
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) }
}

/** Yields the message as JSON with each of its values, at any depth, replaced by each hostile value, one at a time. */
export function* spoiled(message: object, values: readonly string[] = hostileValues): Generator<string> {
  for (const path of pathsOf(message)) {
    const [before = '', after = ''] = JSON.stringify(replaced(message, path, mark)).split(JSON.stringify(mark))
    for (const value of values) yield before + value + after
  }
}

/**
 * Yields `count` of the messages as JSON, each with one to three random parts of the string replaced by hostile values.
 * Deterministic for each seed.
 */
export function* spoiledByChance(messages: readonly object[], count: number, seed: number): Generator<string> {
  const random = randomFrom(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  for (let made = 0; made < count; made += 1) {
    let text = JSON.stringify(pick(messages))
    for (let times = Math.floor(random() * 3); times >= 0; times -= 1) {
      const start = Math.floor(random() * text.length)
      const end = Math.min(text.length, start + Math.floor(random() * 12))
      text = text.slice(0, start) + pick(hostileValues) + text.slice(end)
    }
    yield text
  }
}
