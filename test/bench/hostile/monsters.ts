// Bodies that nobody sends by mistake: far too many of something, in every place that takes many, or just as many as may be.

export interface Monster {
  readonly kind: string
  readonly body: string
}

const url = 'https://example.com/'
const largest = 9_900_000

/** As many copies as fit into the size. */
function filled(start: string, copy: (index: number) => string, end: string, size: number, most = Infinity): string {
  const pieces: string[] = []
  let length = start.length + end.length
  for (let index = 0; index < most; index += 1) {
    const piece = copy(index)
    length += piece.length + 1
    if (length > size) break
    pieces.push(piece)
  }
  return start + pieces.join(',') + end
}

type Make = (size: number, most: number) => string

const listOf =
  (key: string, copy: (index: number) => string, more = ''): Make =>
  (size, most) =>
    filled(`{"url":"${url}",${more}"${key}":[`, copy, ']}', size, most)

const recordOf =
  (start: string, end: string, value = '"x"'): Make =>
  (size, most) =>
    filled(start, (index) => `"k${index}":${value}`, end, size, most)

/** What the bounds of a server are measured with: `most` copies at most. */
const kinds: Readonly<Record<string, Make>> = {
  'formats of {}': listOf('formats', () => '{}'),
  'formats of words': listOf('formats', () => '"markdown"'),
  'formats of objects': listOf('formats', () => '{"type":"json","prompt":"x"}'),
  urls: (size, most) => filled('{"urls":[', (index) => `"${url}${index}"`, ']}', size, most),
  'long urls': (size, most) => filled('{"urls":[', (index) => `"${url}${index}/${'ä'.repeat(120)}"`, ']}', size, most),
  'urls that are none': (size, most) => filled('{"urls":[', () => '"::"', ']}', size, most),
  'urls of numbers': (size, most) => filled('{"urls":[', String, ']}', size, most),
  includePaths: listOf('includePaths', (index) => `"(a+)+${index}$"`),
  excludePaths: listOf('excludePaths', () => '"["'),
  includeTags: listOf('includeTags', (index) => `"div.x${index}"`),
  actions: listOf('actions', () => '{"type":"wait","milliseconds":1}'),
  'actions that are none': listOf('actions', () => '{"type":"x"}'),
  parsers: listOf('parsers', () => '"pdf"'),
  'languages of a location': (size, most) =>
    filled(`{"url":"${url}","location":{"country":"US","languages":[`, () => '"de"', ']}}', size, most),
  'events of a webhook': (size, most) =>
    filled(`{"url":"${url}","webhook":{"url":"${url}","events":[`, () => '"page"', ']}}', size, most),
  'metadata of a webhook': recordOf(`{"url":"${url}","webhook":{"url":"${url}","metadata":{`, '}}}'),
  'headers of a webhook': recordOf(`{"url":"${url}","webhook":{"url":"${url}","headers":{`, '}}}'),
  headers: recordOf(`{"url":"${url}","headers":{`, '}}'),
  'unknown keys': recordOf(`{"url":"${url}",`, '}'),
  'unknown keys in options': recordOf(`{"url":"${url}","scrapeOptions":{`, '}}'),
  'properties of a schema': recordOf(
    `{"url":"${url}","formats":[{"type":"json","schema":{"type":"object","properties":{`,
    '}}}]}',
    '{"type":"string"}',
  ),
  'required of a schema': (size, most) =>
    filled(
      `{"url":"${url}","formats":[{"type":"json","schema":{"type":"object","required":[`,
      (index) => `"k${index}"`,
      ']}}]}',
      size,
      most,
    ),
  'lists within lists': (size, most) => {
    const depth = Math.min(Math.floor(size / 2) - 20, most)
    return `{"url":${'['.repeat(depth)}${']'.repeat(depth)}}`
  },
  'one long url': (size) => `{"url":"${url}${'a'.repeat(size - 50)}"}`,
  'one long key': (size) => `{"url":"${url}","${'a'.repeat(size - 50)}":1}`,
  'one long prompt': (size) => `{"url":"${url}","formats":[{"type":"json","prompt":"${'é'.repeat(size / 2 - 50)}"}]}`,
  escapes: (size) => `{"url":"${'\\u0041'.repeat(size / 6 - 10)}"}`,
  blanks: (size) => `{"url":"${url}"${' '.repeat(size - 40)}}`,
  digits: (size) => `{"url":"${url}","timeout":${'9'.repeat(size - 60)}}`,
  'no end': (size) => `{"urls":["${'a'.repeat(size - 20)}`,
}

/** That many bodies, of every kind in turn: as large as they get, just within the bounds of a body, and smaller. */
export function* monsters(count: number): Generator<Monster> {
  const makers = Object.entries(kinds)
  const shapes = [
    { name: '', size: largest, most: Infinity },
    { name: ', within bounds', size: largest, most: 29_000 },
    { name: ', 0.4 MB', size: 400_000, most: Infinity },
    { name: ', few keys', size: 3_000_000, most: 9_000 },
  ]
  for (let index = 0; index < count; index += 1) {
    const [kind, make] = makers[index % makers.length]!
    const { name, size, most } = shapes[Math.floor(index / makers.length) % shapes.length]!
    yield { kind: kind + name, body: make(size, most) }
  }
}
