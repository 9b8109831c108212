// The command as clients start it, by the settings of docs/mcp.md: the official client, over stdio.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { createEngine, type Engine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { startSite } from '@harvestman/testing'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
const timeout = 120_000

let site: Awaited<ReturnType<typeof startSite>>
let engine: Engine
let server: Server

beforeAll(async () => {
  site = await startSite()
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
  server = await serve(createApi(engine, { authenticate: apiKeys('secret') }), { port: 0 })
})
afterAll(async () => {
  await server?.close()
  await engine?.close()
  await site?.close()
})

interface Setting {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What each client is told to run: a block of JSON, or the line of a command. */
const settings = [...page.matchAll(/### (.+)\n([^]*?)(?=\n##)/g)].flatMap(([, client = '', text = '']) =>
  [...text.matchAll(/```json\n([^]*?)```/g)].map(([, block = '']) => ({ client, setting: settingIn(block) })),
)

function settingIn(block: string): Setting {
  const read = JSON.parse(block) as Record<string, { harvestman: Setting }>
  return Object.values(read)[0]!.harvestman
}

/** Starts what the setting names; `npx -y @harvestman/mcp` is the source of this package. */
async function connect({ args, env = {} }: Setting, more: readonly string[]): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, ...args.slice(2), ...more],
    env: { ...(process.env as Record<string, string>), HARVESTMAN_SERVER: 'local', ...env },
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return client
}

async function scrape(client: Client): Promise<string> {
  const called = await client.callTool({ name: 'scrape', arguments: { url: `${site.url}/good/article` } }, { timeout })
  return (called.content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n')
}

const local = ['--store', 'memory:', '--allow-private', '127.0.0.1/32']

test('the page has settings for the clients people use', () => {
  expect(new Set(settings.map(({ client }) => client))).toEqual(
    new Set(['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code', 'Zed', 'Windsurf, Gemini CLI, and others']),
  )
  expect(page).toContain('claude mcp add harvestman -- npx -y @harvestman/mcp\n')
  for (const { setting } of settings) expect(setting).toMatchObject({ command: 'npx', args: ['-y', '@harvestman/mcp'] })
})

test('one line reads a page with an engine of its own, and says who it is', { timeout }, async () => {
  const client = await connect(settings[0]!.setting, local)
  expect(client.getServerVersion()).toMatchObject({ name: 'harvestman' })
  expect(await scrape(client)).toMatch(/Status: 200[^]*<page-content/)
  await client.close()
})

test('with --server and a key it reads by that server', { tags: ['long'], timeout }, async () => {
  const [, block = ''] = /## Use a server[^]*?```json\n([^]*?)```/.exec(page) ?? []
  const told = settingIn(block)
  const args = told.args.map((arg) => (arg.startsWith('https:') ? server.url : arg))
  const client = await connect({ ...told, args, env: { HARVESTMAN_SERVER_KEY: 'secret' } }, [])
  const text = await scrape(client)
  const id = /Id: (\S+)/.exec(text)?.[1] ?? ''
  expect((await engine.results.find(id)).metadata.statusCode).toBe(200)
  await client.close()
})

test('a wrong key is said by the tool', { tags: ['long'], timeout }, async () => {
  const args = ['-y', '@harvestman/mcp', '--server', server.url, '--key', 'wrong']
  const client = await connect({ command: 'npx', args }, [])
  expect(await scrape(client)).toContain('Unauthorized')
  await client.close()
})
