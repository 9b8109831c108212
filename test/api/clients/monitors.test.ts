// @module-tag long
// @module-tag other-clients
// The tools for monitors of the official MCP server, over stdio.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { monitors } from '@harvestman/monitors'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { key } from './cases.ts'
import { callTool, mcp } from './others.ts'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [monitors()] })
const web = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<main><h1>Lamp</h1><p>It costs 20 euros today.</p></main>'),
)
let server: Server

beforeAll(async () => {
  await new Promise<void>((ready) => web.listen(0, '127.0.0.1', ready))
  server = await serve(createApi(engine, { authenticate: apiKeys(key) }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  web.close()
})

interface Told {
  readonly success: boolean
  readonly data: { readonly id: string; readonly status: string }
}

async function call(name: string, given: object): Promise<Told> {
  return JSON.parse(await callTool({ home: '/nonexistent', server }, `firecrawl_monitor_${name}`, given)) as Told
}

test(`${mcp} makes, runs, reads, changes and deletes a monitor`, { timeout: 600_000 }, async () => {
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`
  const { data } = await call('create', { page: url, goal: 'Prices of lamps' })
  expect(data).toMatchObject({ name: `Monitor ${url}`, goal: 'Prices of lamps', judgeEnabled: true })
  const { id } = data
  expect((await call('list', {})).data).toMatchObject([{ id }])
  const checkId = (await call('run', { id })).data.id
  while ((await call('check', { id, checkId })).data.status !== 'completed') await engine.monitors.get(id)
  expect((await call('checks', { id, limit: 5 })).data).toMatchObject([{ status: 'completed', trigger: 'manual' }])
  expect((await call('update', { id, body: { status: 'paused' } })).data).toMatchObject({ status: 'paused' })
  expect((await call('get', { id })).data).toMatchObject({ id, status: 'paused' })
  expect(await call('delete', { id })).toMatchObject({ success: true })
})
