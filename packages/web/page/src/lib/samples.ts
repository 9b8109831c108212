/** The same request as a person would write it elsewhere. The key is always read from the environment. */
export interface Sample {
  readonly name: string
  readonly text: string
}

export type RequestKind = 'scrape' | 'crawl' | 'map' | 'batch'

export const paths: Readonly<Record<RequestKind, string>> = {
  scrape: '/v2/scrape',
  crawl: '/v2/crawl',
  map: '/v2/map',
  batch: '/v2/batch/scrape',
}

export function samplesOf(
  kind: RequestKind,
  body: Readonly<Record<string, unknown>>,
  server: string,
): readonly Sample[] {
  const json = JSON.stringify(body, null, 2)
  return [
    { name: 'curl', text: curl(kind, json, server) },
    { name: 'TypeScript', text: inProcess(kind, body) },
    { name: 'TypeScript, official SDK', text: officialSdk(kind, body, server) },
    { name: 'Python', text: python(kind, body, server) },
  ]
}

function curl(kind: RequestKind, json: string, server: string): string {
  return [
    `curl -s ${server}${paths[kind]} \\`,
    '  -H "authorization: Bearer $HARVESTMAN_API_KEY" \\',
    "  -H 'content-type: application/json' \\",
    `  -d '${json.replaceAll("'", `'\\''`)}'`,
  ].join('\n')
}

/** As a literal of JavaScript: keys without quotes where they need none. */
export function literal(value: unknown, indent = 0): string {
  const pad = ' '.repeat(indent + 2)
  const end = ' '.repeat(indent)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const flat = `[${value.map((item) => literal(item)).join(', ')}]`
    return flat.length < 80 ? flat : `[\n${value.map((item) => pad + literal(item, indent + 2)).join(',\n')},\n${end}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => [/^[a-z_$][\w$]*$/i.test(key) ? key : quoted(key), item] as const,
    )
    if (entries.length === 0) return '{}'
    const flat = `{ ${entries.map(([key, item]) => `${key}: ${literal(item)}`).join(', ')} }`
    if (flat.length < 80) return flat
    return `{\n${entries.map(([key, item]) => `${pad}${key}: ${literal(item, indent + 2)}`).join(',\n')},\n${end}}`
  }
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

function quoted(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)
  return `'${inner}'`
}

function inProcess(kind: RequestKind, body: object): string {
  const read = {
    scrape: ['const document = await engine.scrape(REQUEST)', 'console.log(document.markdown)'],
    crawl: [
      'const crawl = await engine.crawl(REQUEST)',
      'for await (const page of crawl.documents()) console.log(page.metadata.url)',
    ],
    batch: [
      'const batch = await engine.batch(REQUEST)',
      'for await (const page of batch.documents()) console.log(page.metadata.url)',
    ],
    map: ['const { links } = await engine.map(REQUEST)', 'for (const { url } of links) console.log(url)'],
  }[kind]
  return [
    "import { createEngine } from '@harvestman/core'",
    '',
    'const engine = createEngine()',
    ...read.map((line) => line.replace('REQUEST', literal(body))),
    'await engine.close()',
  ].join('\n')
}

function officialSdk(kind: RequestKind, body: Readonly<Record<string, unknown>>, server: string): string {
  const { url, urls, ...options } = body
  const method = { scrape: 'scrape', crawl: 'crawl', map: 'map', batch: 'batchScrape' }[kind]
  const given = [literal(urls ?? url ?? ''), ...(Object.keys(options).length > 0 ? [literal(options)] : [])]
  return [
    "import Firecrawl from '@mendable/firecrawl-js'",
    '',
    `const client = new Firecrawl({ apiUrl: ${quoted(server)}, apiKey: process.env.HARVESTMAN_API_KEY })`,
    `console.log(await client.${method}(${given.join(', ')}))`,
  ].join('\n')
}

/** As a literal of Python. */
export function pythonLiteral(value: unknown, indent = 0): string {
  const pad = ' '.repeat(indent + 4)
  const end = ' '.repeat(indent)
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item, indent + 4)).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    return `{\n${entries.map(([key, item]) => `${pad}${JSON.stringify(key)}: ${pythonLiteral(item, indent + 4)}`).join(',\n')},\n${end}}`
  }
  // What JSON escapes, Python reads the same way.
  return JSON.stringify(value)
}

function python(kind: RequestKind, body: object, server: string): string {
  return [
    'import os, requests',
    '',
    'response = requests.post(',
    `    ${JSON.stringify(server + paths[kind])},`,
    '    headers={"authorization": f"Bearer {os.environ[\'HARVESTMAN_API_KEY\']}"},',
    `    json=${pythonLiteral(body, 4)},`,
    ')',
    'print(response.json())',
  ].join('\n')
}
