import type { Json } from '@harvestman/ports'

/** Values that some backends or encodings are known to handle incorrectly. */
export const jsonSamples: readonly Json[] = [
  true,
  false,
  0,
  -1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  'text',
  ' ',
  '0',
  'null',
  '"quoted"',
  'line\nbreak \r\n \t \u2028 \0 end',
  'Grüße, 日本語, עברית, 👩‍🌾',
  'half a pair \ud83d here',
  ':base64:aGVsbG8=',
  ':bigint:12',
  '::',
  '{"value":1}',
  [],
  {},
  [[], [[]], {}],
  [1, 'two', null, true, { three: [3] }],
  { value: 'looks like an envelope', expires: 1 },
  { type: 'Buffer', data: [1, 2, 3] },
  { '': 'empty name', ' ': 1, 'a.b': 2, $set: 3, constructor: 4, 'ü👩‍🌾': 5 },
  JSON.parse('{"__proto__":{"polluted":true},"toString":1}') as Json,
  nested(200),
  Array.from({ length: 5000 }, (_, index) => index),
]

export const keySamples: readonly string[] = [
  '',
  ' ',
  'a key with blanks',
  'tab\tnew\nline\r\0nul',
  'ключ',
  '鍵👩‍🌾',
  'e\u0301',
  '\u00e9',
  '../../etc/passwd',
  'C:\\temp\\key',
  '%2e%2e/',
  "'; DROP TABLE kept; --",
  '$where',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'undefined',
  '0',
  '00',
  'https://example.com/path?query=1#fragment',
  'k'.repeat(900),
]

export const nearKeys: readonly string[] = [
  'a',
  'A',
  'a:',
  'a:b',
  'a::b',
  'a%',
  'a_',
  'a*',
  'a?',
  'a\0b',
  'a ',
  ' a',
  'á',
]

/** Returns values that a store must reject, because they are not JSON. */
export function notValues(): readonly unknown[] {
  const loop: Record<string, unknown> = {}
  loop['loop'] = loop
  return [undefined, () => 1, Symbol('symbol'), 10n, { big: 10n }, loop]
}

/** Returns bytes in which neighbours differ, so that shifts and truncations are detected. */
export function samplePattern(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 167 + (index >> 8) * 13) & 0xff
  return bytes
}

function nested(depth: number): Json {
  return depth === 0 ? 'deep' : { in: [nested(depth - 1)] }
}
