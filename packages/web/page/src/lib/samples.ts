import { chosenFile, targetOf, tried, type Kind } from './draft.ts'

/** The request as code in one language. The key is always read from the environment. */
export interface Sample {
  readonly name: string
  readonly text: string
}

/** Returns code that sends this request to this server, in each language and tool that supports its kind. */
export function samplesOf(kind: Kind, body: Readonly<Record<string, unknown>>, server: string): readonly Sample[] {
  if (targetOf(kind).as === 'file') return fileSamples(kind, body, server)
  const json = JSON.stringify(body, null, 2)
  return [
    { name: 'curl', text: curl(kind, json, server) },
    { name: 'TypeScript', text: client(kind, body, server) },
    { name: 'in process', text: inProcess(kind, body) },
    ...(tried(kind).method === undefined ? [] : [{ name: 'official SDK', text: officialSdk(kind, body, server) }]),
    { name: 'Python', text: python(kind, body, server) },
    ...(tried(kind).command === undefined ? [] : [{ name: 'CLI', text: commandLine(kind, body, server) }]),
    ...(tried(kind).tool === undefined ? [] : [{ name: 'MCP', text: toolCall(kind, body, server) }]),
  ]
}

/** As an MCP tool call. Options that the tool does not have are omitted. */
function toolCall(kind: Kind, body: Readonly<Record<string, unknown>>, server: string): string {
  const { tool = [] } = tried(kind)
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => tool.includes(name)))
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: kind, arguments: given } }
  return [
    `curl -s ${server}/mcp \\`,
    '  -H "authorization: Bearer $HARVESTMAN_API_KEY" \\',
    "  -H 'accept: application/json, text/event-stream' \\",
    "  -H 'content-type: application/json' \\",
    `  -d ${inShell(JSON.stringify(call, null, 2))}`,
  ].join('\n')
}

/** As a CLI command that uses this server. */
function commandLine(kind: Kind, body: Readonly<Record<string, unknown>>, server: string): string {
  const { [targetOf(kind).name]: about, ...options } = body
  const subjects = (Array.isArray(about) ? about : [about]).map((one) => inShell(String(one)))
  return [
    `harvestman ${tried(kind).command} ${subjects.join(' ')}`,
    `--server ${inShell(server)} --key "$HARVESTMAN_API_KEY" --json`,
    ...(Object.keys(options).length > 0 ? [`--options ${inShell(JSON.stringify(options))}`] : []),
  ].join(' \\\n  ')
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function curl(kind: Kind, json: string, server: string): string {
  return [
    `curl -s ${server}${tried(kind).path} \\`,
    '  -H "authorization: Bearer $HARVESTMAN_API_KEY" \\',
    "  -H 'content-type: application/json' \\",
    `  -d '${json.replaceAll("'", `'\\''`)}'`,
  ].join('\n')
}

function fileSamples(kind: Kind, body: object, server: string): readonly Sample[] {
  const url = server + tried(kind).path
  const name = chosenFile.value?.name ?? 'report.pdf'
  const json = JSON.stringify(body)
  return [
    {
      name: 'curl',
      text: `curl -s ${url} \\\n  -H "authorization: Bearer $HARVESTMAN_API_KEY" \\\n  -F '${`file=@${name}`.replaceAll("'", `'\\''`)}' \\\n  -F 'options=${json.replaceAll("'", `'\\''`)}'`,
    },
    {
      name: 'TypeScript',
      text: [
        "import { openAsBlob } from 'node:fs'",
        "import { createClient } from '@harvestman/client'",
        '',
        clientOf(server),
        `const document = await client.parse(await openAsBlob(${quoted(name)}), ${literal({ name, ...body })})`,
        'console.log(document.markdown)',
      ].join('\n'),
    },
    {
      name: 'Python',
      text: [
        'import json, os, requests',
        '',
        'response = requests.post(',
        `    ${JSON.stringify(url)},`,
        '    headers={"authorization": f"Bearer {os.environ[\'HARVESTMAN_API_KEY\']}"},',
        `    files={"file": open(${JSON.stringify(name)}, "rb")},`,
        `    data={"options": json.dumps(${pythonLiteral(body, 4)})},`,
        ')',
        'print(response.json())',
      ].join('\n'),
    },
  ]
}

/** Formats a JavaScript literal; keys are quoted only if needed. */
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

const reading: Readonly<Record<string, (subject: string) => readonly string[]>> = {
  scrape: (subject) => [`const document = await ${subject}.scrape(REQUEST)`, 'console.log(document.markdown)'],
  crawl: (subject) => [
    `const crawl = await ${subject}.crawl(REQUEST)`,
    `for await (const page of crawl.documents()) console.log(page.metadata.url)`,
  ],
  batch: (subject) => [
    `const batch = await ${subject}.batch(REQUEST)`,
    `for await (const page of batch.documents()) console.log(page.metadata.url)`,
  ],
  map: (subject) => [
    `const { links } = await ${subject}.map(REQUEST)`,
    'for (const { url } of links) console.log(url)',
  ],
  search: (subject) => [`console.log(await ${subject}.search(REQUEST))`],
}

function readingOf(kind: Kind, subject: 'client' | 'engine'): readonly string[] {
  const { served } = tried(kind)
  if (served === undefined) return reading[kind]?.(subject) ?? []
  const start = subject === 'client' ? 'start' : 'unchecked.start'
  return [`const job = await ${subject}.${start}(${quoted(served)}, REQUEST)`, 'console.log((await job.end()).data)']
}

function withRequest(lines: readonly string[], body: object): readonly string[] {
  return lines.map((line) => line.replace('REQUEST', () => literal(body)))
}

/** With the client of this server. */
function client(kind: Kind, body: object, server: string): string {
  return [
    "import { createClient } from '@harvestman/client'",
    '',
    clientOf(server),
    ...withRequest(readingOf(kind, 'client'), body),
  ].join('\n')
}

function clientOf(server: string): string {
  return `const client = createClient({ url: ${quoted(server)}, key: process.env.HARVESTMAN_API_KEY })`
}

function inProcess(kind: Kind, body: object): string {
  return [
    "import { createEngine } from '@harvestman/core'",
    '',
    tried(kind).served === undefined
      ? 'const engine = createEngine()'
      : 'const engine = createEngine({ plugins }) // with the plugin that brings this kind',
    ...withRequest(readingOf(kind, 'engine'), body),
    'await engine.close()',
  ].join('\n')
}

function officialSdk(kind: Kind, body: Readonly<Record<string, unknown>>, server: string): string {
  const { url, urls, query, ...options } = body
  const given = [literal(urls ?? url ?? query ?? ''), ...(Object.keys(options).length > 0 ? [literal(options)] : [])]
  return [
    "import Firecrawl from '@mendable/firecrawl-js'",
    '',
    `const client = new Firecrawl({ apiUrl: ${quoted(server)}, apiKey: process.env.HARVESTMAN_API_KEY })`,
    `console.log(await client.${tried(kind).method}(${given.join(', ')}))`,
  ].join('\n')
}

/** Formats a Python literal. */
function pythonLiteral(value: unknown, indent = 0): string {
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
  // Python reads JSON string escapes the same way.
  return JSON.stringify(value)
}

function python(kind: Kind, body: object, server: string): string {
  return [
    'import os, requests',
    '',
    'response = requests.post(',
    `    ${JSON.stringify(server + tried(kind).path)},`,
    '    headers={"authorization": f"Bearer {os.environ[\'HARVESTMAN_API_KEY\']}"},',
    `    json=${pythonLiteral(body, 4)},`,
    ')',
    'print(response.json())',
  ].join('\n')
}
