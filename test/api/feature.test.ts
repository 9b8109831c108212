// One feature of a plugin, called in each way: in this process, over HTTP, by the typed client, as a command and as a tool.
import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { createApi, serve, type Authenticate, type Server } from '@harvestman/http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { mcpHandler } from '@harvestman/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { notebook } from '../../docs/examples/plugin-feature.ts'
import { bareEnv, startCommand } from '../e2e/command.ts'

const authenticate: Authenticate = (request) => {
  const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  if (key === '') return undefined
  const [team = '', group] = key.split(':')
  return group === undefined ? { team } : { team, scopes: { groups: [group] } }
}
const engine = createEngine({ plugins: [notebook] })
const page = 'https://example.com/lamps'
const folder = mkdtempSync(join(tmpdir(), 'harvestman-feature-'))
let server: Server

beforeAll(async () => {
  server = await serve(createApi(engine, { authenticate }), { port: 0 })
})
afterAll(async () => {
  await server?.close()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const clientOf = (key: string) => createClient<typeof engine>({ url: server.url, key, retries: 0 })

async function send(method: string, path: string, key: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('A feature with endpoints', () => {
  test('is a property of the engine with a method for each endpoint, by team', async () => {
    const call = { team: 'in-process' }
    const { id } = await engine.notes.create({ url: page, text: 'Ask for the price.' }, call)
    expect(await engine.notes.edit(id, { text: 'Ask again.' }, call)).toEqual({ id, url: page, text: 'Ask again.' })
    expect(await engine.notes.list({}, call)).toHaveLength(1)
    await expect(engine.notes.get(id, { team: 'other' })).rejects.toMatchObject({ code: 'not_found' })
    await engine.notes.delete(id, call)
    expect(await engine.notes.list({ limit: 5 }, call)).toEqual([])
  })

  test('checks input and path parameters, and names what is wrong', async () => {
    await expect(engine.notes.create({ url: page, text: '' })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(engine.notes.get('')).rejects.toThrow('id must not be empty.')
    await expect(engine.notes.list({ limit: 101 })).rejects.toThrow('limit must be at most 100')
  })

  test('has a route for each endpoint, whose query texts become numbers', async () => {
    const made = await send('POST', '/v2/notes', 'http', { url: page, text: 'Blue.' })
    expect(made).toMatchObject({ status: 200, body: { success: true, data: { url: page, text: 'Blue.' } } })
    await send('POST', '/v2/notes', 'http', { url: page, text: 'Green.' })
    expect((await send('GET', '/v2/notes?limit=1', 'http')).body['data']).toHaveLength(1)
    expect(await send('GET', '/v2/notes?limit=many', 'http')).toMatchObject({
      status: 400,
      body: { details: [{ path: ['limit'], message: 'limit must be a number, but is "many".' }] },
    })
    expect(await send('GET', '/v2/notes/nothing', 'http')).toMatchObject({
      status: 404,
      body: { error: 'No note has the id nothing.' },
    })
    const { id } = made.body['data'] as { readonly id: string }
    expect(await send('DELETE', `/v2/notes/${id}`, 'http')).toEqual({ status: 200, body: { success: true } })
  })

  test('refuses a request without a key, a key without its scope, and hides it from other teams', async () => {
    const { id } = await engine.notes.create({ url: page, text: 'Ours.' }, { team: 'owner' })
    expect((await fetch(`${server.url}/v2/notes`)).status).toBe(401)
    expect(await send('GET', '/v2/notes', 'owner:scrape')).toMatchObject({
      status: 403,
      body: { code: 'SCOPE_MISSING' },
    })
    expect((await send('GET', `/v2/notes/${id}`, 'owner:notes')).status).toBe(200)
    expect((await send('GET', `/v2/notes/${id}`, 'stranger')).status).toBe(404)
    const call = { team: 'owner', scopes: { groups: ['scrape'] } }
    await expect(engine.notes.get(id, call)).rejects.toMatchObject({ code: 'scope_missing' })
  })

  test('is in OpenAPI and in the list of features', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { readonly paths: object }
    expect(Object.keys(paths).filter((path) => path.startsWith('/v2/notes'))).toEqual(['/v2/notes', '/v2/notes/{id}'])
    const [listed] = await clientOf('anyone').features()
    expect(listed).toMatchObject({ name: 'notes', group: 'notes' })
    expect(listed?.endpoints.map(({ name }) => name)).toEqual(['create', 'list', 'get', 'edit', 'delete'])
  })

  test('is typed in the client of its server', async () => {
    const client = clientOf('client')
    const { id } = await client.notes.create({ url: page, text: 'Typed.' })
    expect(await client.notes.get(id)).toEqual({ id, url: page, text: 'Typed.' })
    expect(await client.notes.list({ limit: 5, url: page })).toHaveLength(1)
    // @ts-expect-error it is created with url and text
    await expect(client.notes.create({ txt: 'typo' })).rejects.toMatchObject({ status: 400 })
    // @ts-expect-error the feature has no such endpoint
    await expect(client.notes.publish(id)).rejects.toThrow('The server has no notes.publish. It has: notes.create')
    expect(await client.notes.delete(id)).toBeUndefined()
    expect(await Promise.resolve(client)).toBe(client)
  })

  test('is offered to models where its endpoints say so', async () => {
    const mcp = mcpHandler({ ask: createApi(engine, { authenticate }) })
    const answer = (_: URL | string, init?: RequestInit) => mcp(new Request('http://127.0.0.1/mcp', init))
    const model = new Client({ name: 'test', version: '1.0.0' })
    const requestInit = { headers: { authorization: 'Bearer tools' } }
    await model.connect(
      new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { requestInit, fetch: answer }),
    )
    const { tools } = await model.listTools()
    const own = tools.filter(({ name }) => name.startsWith('notes_'))
    expect(own.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['notes_create', false],
      ['notes_list', true],
    ])
    await model.callTool({ name: 'notes_create', arguments: { url: page, text: 'From a model.' } })
    const { content } = await model.callTool({ name: 'notes_list', arguments: { limit: 1 } })
    expect(JSON.stringify(content)).toContain('From a model.')
    await model.close()
  })

  test('has a command for each endpoint, on this machine and on a server', { tags: ['long'] }, async () => {
    const plugin = fileURLToPath(new URL('../../docs/examples/plugin-feature.ts', import.meta.url))
    const env = bareEnv(folder, { HARVESTMAN_PLUGINS: plugin })
    const run = (...args: readonly string[]) => startCommand(['notes', ...args], { env }).ended
    expect(await run('create', '--url', page, '--text', 'By hand.', '--json')).toMatchObject({ code: 0 })
    expect((await run('list')).out).toContain('By hand.')
    expect(await run('create', '--url', page, '--options', '{"text":"As JSON."}')).toMatchObject({ code: 0 })
    const remote = ['--server', server.url, '--key', 'command']
    await run('create', '--url', page, '--text', 'There.', ...remote)
    expect((await run('list', '--limit', '1', '--json', ...remote)).out).toContain('"text":"There."')
    expect(await run('get', 'missing', ...remote)).toMatchObject({
      out: '',
      err: expect.stringContaining('No note has'),
    })
    expect((await run('--help')).out).toMatch(/create .*Creates a note about a page/)
  })
})
