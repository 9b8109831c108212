// @module-tag browser
// Live browsers of one process, asked of another: real Chromium, real servers on one store.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openServer, readConfig } from '@harvestman/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startCluster } from '../e2e/many/cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-peers-'))
const env = {
  HARVESTMAN_STORE: `sqlite:${join(folder, 'store.sqlite')}`,
  HARVESTMAN_API_KEY: 'one:key-one,two:key-two',
  HARVESTMAN_PORT: '0',
  HARVESTMAN_PEER_URL: 'http://127.0.0.1:0',
  HARVESTMAN_PEER_SECRET: 'known to both of them',
  HARVESTMAN_LOG: 'error',
}
const open = () => openServer(readConfig({ env }).config)
type Opened = Awaited<ReturnType<typeof open>>

let one: Opened
let other: Opened
beforeAll(async () => {
  one = await open()
  other = await open()
})
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()])
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (server: Pick<Opened, 'url'>, method: string, path: string, key = 'key-one') => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> }
}

/** Opens the live view, and gives the first message, or nothing when it was refused. */
function firstWord(server: Opened, viewUrl: string): Promise<unknown> {
  const url = new URL(viewUrl)
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}${url.pathname}/screen${url.search}`)
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return
      resolve(JSON.parse(data))
      socket.close()
    })
    socket.addEventListener('error', () => resolve(undefined))
  })
}

test(
  'a live browser of one process is seen, told of and stopped through another, with the same rights',
  { timeout: 60_000 },
  async () => {
    const { status, body } = await ask(one, 'POST', '/v2/interact')
    expect(status).toBe(200)
    const { id = '', liveViewUrl = '' } = body
    const seen = await ask(other, 'GET', `/v2/interact/${id}`)
    expect([seen.status, seen.body['status'], new URL(seen.body['liveViewUrl'] ?? '').origin]).toEqual([
      200,
      'running',
      other.url,
    ])
    expect(await firstWord(other, liveViewUrl)).toMatchObject({ type: 'hello', mayAct: false })
    expect(await firstWord(other, liveViewUrl.replace(/token=.*/, 'token=wrong'))).toBeUndefined()
    expect((await ask(other, 'DELETE', `/v2/interact/${id}`, 'key-two')).status).toBeGreaterThanOrEqual(403)
    expect((await ask(other, 'DELETE', `/v2/interact/${id}`)).status).toBe(200)
    expect((await ask(one, 'GET', `/v2/interact/${id}`)).body['status']).toBe('stopped')
  },
)

test('a live browser whose process was killed is over, by request and by WebSocket', { tags: ['long'] }, async () => {
  const cluster = await startCluster({ env, apis: 1, workers: 0, sitePorts: [1] })
  const [url = ''] = cluster.urls
  const { body } = await ask({ url }, 'POST', '/v2/interact')
  const { id = '', liveViewUrl = '' } = body
  expect(await firstWord(other, liveViewUrl)).toMatchObject({ type: 'hello' })
  for (const pid of cluster.pids) process.kill(pid, 'SIGKILL')
  await cluster.stop()
  await expect.poll(async () => (await ask(other, 'GET', `/v2/interact/${id}`)).body['status']).toBe('stopped')
  const { pathname, search } = new URL(liveViewUrl)
  expect(await refusalOf(`${other.url}${pathname}/screen${search}`)).toBe(410)
})

/** The status with which a WebSocket is refused. */
function refusalOf(url: string): Promise<number | undefined> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers })
    asked.on('response', ({ statusCode }) => resolve(statusCode))
    asked.on('upgrade', (_, socket) => (socket.destroy(), resolve(101)))
    asked.on('error', reject)
  })
}
