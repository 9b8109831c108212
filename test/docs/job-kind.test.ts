// The kind of job of docs/examples/job-kind, wherever a kind is met: nothing but its definition names it.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as Site } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createClient } from '@harvestman/client'
import { createEngine, type Engine } from '@harvestman/core'
import { createApi, serve, type Server } from '@harvestman/http'
import { deadLinks, links } from 'dead-links'
import { afterAll, beforeAll, expect, expectTypeOf, test, vi } from 'vitest'
import { bareEnv } from '../e2e/command.ts'

// The command is started as a program of its own.
vi.setConfig({ testTimeout: 300_000 })

let site: Site
let engine: Engine
let server: Server
let url: string
const plugins = [links]

beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    const html = '<main><p>Some words on lamps.</p><a href="/lamp">Lamp</a> <a href="/gone">Gone</a></main>'
    response.writeHead(url === '/gone' ? 404 : 200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins })
  server = await serve(createApi(engine), { port: 0 })
})
afterAll(async () => {
  await server?.close()
  await engine?.close()
  site?.close()
})

const found = () => ({
  dead: [{ url: `${url}gone`, why: 'status 404' }],
  report: `1 of 2 links are dead.\n- ${url}gone (status 404)`,
})

test('in process, what it is asked for and answers is typed by its value', async () => {
  const typed = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins })
  try {
    const job = await typed.start(deadLinks, { url })
    const { data, tried } = await job.end()
    expectTypeOf(data!.dead[0]!.why).toEqualTypeOf<string | undefined>()
    expect([data, tried.length]).toEqual([found(), 2])
    const capped = await (await typed.start(deadLinks, { url, maxCredits: 2 })).end()
    expect([capped.status, capped.tried.length, capped.creditsUsed]).toEqual(['completed', 1, 2])
    // @ts-expect-error There is no such option.
    await expect(typed.start(deadLinks, { url, most: 3 })).rejects.toMatchObject({ code: 'invalid_request' })
  } finally {
    await typed.close()
  }
})

test('over HTTP it has the routes that every kind has, in the description too', async () => {
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { body } = await send('POST', '/v2/dead-links', { url })
  const path = `/v2/dead-links/${String(body['id'])}`
  await expect
    .poll(() => send('GET', path), { timeout: 20_000 })
    .toMatchObject({
      status: 200,
      body: { success: true, status: 'completed', data: found(), tried: { length: 2 }, creditsUsed: 3 },
    })
  expect((await send('DELETE', path)).status).toBe(409)
  expect(await send('POST', '/v2/dead-links', { url, limit: 101 })).toMatchObject({ status: 400 })
  const { paths } = (await send('GET', '/openapi.json')).body as { paths: Record<string, object> }
  expect(Object.keys(paths['/v2/dead-links'] ?? {})).toEqual(['post'])
  expect(Object.keys(paths['/v2/dead-links/{id}'] ?? {})).toEqual(['get', 'delete'])
})

test('by the client it is started by its name or its value, with the types of its definition', async () => {
  const client = createClient({ url: server.url })
  const byName = await client.start<typeof deadLinks>('dead_links', { url, limit: 10 })
  const { status, data, tried } = await byName.end()
  expectTypeOf(data).toEqualTypeOf<{ report: string; dead: { url: string; why?: string | undefined }[] } | undefined>()
  expectTypeOf(tried[0]!.url).toEqualTypeOf<string>()
  expect([status, data]).toEqual(['completed', found()])
  expect(await byName.cancel()).toBe(false)
  const byValue = await client.start(deadLinks, { url })
  expect((await client.find(deadLinks, byValue.id).end()).data?.dead).toHaveLength(1)
  // @ts-expect-error There is no such option.
  await expect(client.start(deadLinks, { url, most: 3 })).rejects.toMatchObject({ status: 400 })
  const untyped = await client.start('dead_links', { url })
  expectTypeOf((await untyped.end()).data).toEqualTypeOf<unknown>()
  expect((await client.kinds()).map(({ kind }) => kind)).toEqual(['dead_links'])
})

test('by the command line it has a command, once the config file names its module', { tags: ['long'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'job-kind-'))
  const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
  const file = fileURLToPath(import.meta.resolve('dead-links'))
  const env = bareEnv(folder)
  const run = (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((ended) => {
      const child = execFile(process.execPath, [main, ...args], { env, cwd: folder }, (_, out, err) =>
        ended({ code: child.exitCode ?? -1, out, err }),
      )
    })
  const settings = (plugins: readonly string[]): void =>
    writeFileSync(join(folder, 'harvestman.jsonc'), JSON.stringify({ plugins, allowPrivate: ['127.0.0.0/8'] }))
  try {
    settings([file])
    const { code, out, err } = await run('dead_links', url, '--limit', '5', '--store', 'memory:')
    expect({ code, out, err }).toMatchObject({ code: 0, out: `${found().report}\n` })
    expect(err).toMatch(/lamp works\n[^]*gone status 404\n/)
    expect((await run('dead_links', '--help')).out).toMatch(
      /Finds the dead links[^]*--limit <n> +Maximum number of links to check/,
    )
    settings(['./none.js'])
    expect(await run('dead_links', url)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/plugins: .*none\.js does not exist\. Install it/) as string,
    })
    expect((await run('--help')).code).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
