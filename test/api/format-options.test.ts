// The options of a format of a plugin, in each way of calling: in this process, over HTTP, by the typed client, as a tool for models,
// in the description of the API, which the web page makes its form of, and as a command.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { createApi, serve, type Server } from '@harvestman/http'
import { startSite, type Site } from '@harvestman/testing'
import { mcpHandler } from '@harvestman/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run as runProgram } from '../../packages/cli/src/program.ts'
import { cutter } from './pieces-plugin.ts'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [cutter] })
const api = createApi(engine)
const folder = mkdtempSync(join(tmpdir(), 'harvestman-format-options-'))
const config = join(folder, 'harvestman.jsonc')
let site: Site
let server: Server
let url: string

beforeAll(async () => {
  site = await startSite()
  server = await serve(api, { port: 0 })
  url = `${site.url}/good/article`
  const plugin = fileURLToPath(new URL('./pieces-plugin.ts', import.meta.url))
  writeFileSync(config, JSON.stringify({ plugins: [plugin], allowPrivate: '127.0.0.0/8' }))
})
afterAll(async () => {
  await server?.close()
  await site?.close()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const format = { type: 'pieces', size: 40, label: '> ' } as const

async function post(formats: readonly unknown[]) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.url}/v2/scrape`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url, formats }),
  })
  return (await response.json()) as { data?: { pieces: readonly string[] }; error?: string; details?: unknown }
}

async function command(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const code = await runProgram(args, {
    env: { HOME: folder, XDG_CONFIG_HOME: folder },
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isTerminal: false,
    columns: () => 80,
    paint: { out: plain, err: plain },
    stdin: () => new Uint8Array(),
    isInteractive: false,
    lines: async function* () {},
  })
  return { code, ...printed }
}

const configured = (...args: readonly string[]) => command(...args, '--config', config)
const atServer = (...args: readonly string[]) => command(...args, '--server', server.url)

async function model() {
  const mcp = mcpHandler({ ask: api })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const ask = (address: string | URL, init?: RequestInit): Promise<Response> => mcp(new Request(address, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch: ask }))
  return client
}

interface Described {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, { readonly const?: unknown } | undefined>>
}

function objectsIn(value: unknown): readonly Described[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

const ways: Readonly<Record<string, () => Promise<readonly string[] | undefined>>> = {
  'in this process': async () => (await engine.scrape({ url, formats: [format] })).pieces,
  'over HTTP': async () => (await post([format])).data?.pieces,
  'by the typed client': async () =>
    (await createClient<typeof engine>({ url: server.url }).scrape({ url, formats: [format] })).pieces,
  'as a tool for models': async () => {
    await using client = { tool: await model(), [Symbol.asyncDispose]: async () => client.tool.close() }
    const { content } = await client.tool.callTool({ name: 'scrape', arguments: { url, formats: [format] } })
    const text = (content as readonly { readonly text?: string }[]).map((part) => part.text ?? '').join('\n')
    const [, pieces = ''] = /pieces: (\[[^]*?\n\])/.exec(text) ?? []
    return JSON.parse(pieces) as readonly string[]
  },
  'as a command': async () => {
    const options = ['--format-option', 'pieces.size=40', '--format-option', 'pieces.label=> ']
    const { out } = await configured('scrape', url, '--format', 'pieces', ...options, '--json')
    return (JSON.parse(out) as { pieces: readonly string[] }).pieces
  },
  'as a command that adds the format': async () => {
    const options = ['--format-option', 'pieces.size=40', '--format-option', 'pieces.label="> "']
    const { out } = await configured('scrape', url, ...options, '--json')
    return (JSON.parse(out) as { pieces: readonly string[] }).pieces
  },
  'as a command of many pages': async () => {
    const options = ['--format-option', 'pieces.size=40', '--format-option', 'pieces.label=> ']
    const { out } = await configured('batch', url, ...options, '--json', '--store', 'memory:')
    return (JSON.parse(out) as { pieces: readonly string[] }).pieces
  },
  'as a command on a server': async () => {
    const options = ['--format-option', 'pieces.size=40', '--format-option', 'pieces.label=> ']
    const { out } = await atServer('scrape', url, ...options, '--json')
    return (JSON.parse(out) as { pieces: readonly string[] }).pieces
  },
}

describe('The options of a format of a plugin', () => {
  test.each(Object.keys(ways))('are given %s', async (way) => {
    const pieces = await ways[way]?.()
    expect(pieces?.length).toBeGreaterThan(3)
    for (const chunk of pieces?.slice(0, -1) ?? []) expect(chunk).toMatch(/^> [^]{40}$/)
  })

  test('are typed', () => {
    const client = createClient<typeof engine>({ url: server.url })
    // @ts-expect-error the size is required
    void (() => client.scrape({ url, formats: [{ type: 'pieces' }] }))
    // @ts-expect-error there is no such option
    void (() => client.scrape({ url, formats: [{ type: 'pieces', size: 1, sze: 2 }] }))
  })

  test('are in the description of the API, with what is required', async () => {
    const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json()
    const described = objectsIn(document).find(({ properties }) => properties?.['type']?.const === 'pieces')
    expect(described?.required).toEqual(['type', 'size'])
    expect(Object.keys(described?.properties ?? {})).toEqual(['type', 'size', 'label'])
  })

  test('are described to models', async () => {
    const client = await model()
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools.find(({ name }) => name === 'scrape'))).toMatch(/pieces.*size/)
    await client.close()
  })

  test.each(['scrape', 'crawl', 'batch', 'search'])(
    'are in the help of %s, before and behind which --config stands',
    async (name) => {
      for (const args of [
        [name, '--help', '--config', config],
        ['--config', config, name, '--help'],
      ]) {
        const { out } = await command(...args)
        expect(out).toMatch(/--format <names>[^]*"pieces"/)
        expect(out).toMatch(/--format-option <format\.option=value>[^]*"pieces\.size="/)
      }
    },
  )

  test('are completed by shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await configured('completion', shell)).out).toMatch(/pieces\.size= .*screenshot\.fullPage=/)
  })
})

describe('A refusal of a command', () => {
  const cases: readonly [string, readonly string[], string, string][] = [
    ['lacks an option', ['--format', 'pieces'], 'The format pieces needs size.', 'pieces.size='],
    [
      'lacks one beside another',
      ['--format-option', 'pieces.label=a'],
      'The format pieces: size is required',
      'pieces.size=',
    ],
    [
      'has an unknown option',
      ['--format-option', 'pieces.size=9', '--format-option', 'pieces.lable=a'],
      'The format pieces: lable is not a known key',
      'pieces.label=',
    ],
    ['has a wrong value', ['--format-option', 'pieces.size=big'], 'The format pieces: size must be a', 'pieces.size='],
  ]
  test.each(cases)('that %s names the format, the option and the way to give it', async (_, options, message, way) => {
    for (const { code, err } of [
      await configured('scrape', url, ...options),
      await configured('crawl', url, '--store', 'memory:', ...options),
      await atServer('scrape', url, ...options),
      await atServer('batch', url, ...options),
      await atServer('scrape', url, '--preview', ...options),
      await configured('search', 'lamps', '--store', 'memory:', ...options),
    ]) {
      expect(err).toContain(message)
      expect(err).toContain(`Set it with --format-option ${way}<value>`)
      expect(code).toBe(2)
    }
  })

  test('says how an option of a format is written', async () => {
    const { code, err } = await command('scrape', url, '--format-option', 'size=3')
    expect(err).toContain('as in screenshot.fullPage=true')
    expect(code).toBe(2)
  })
})
