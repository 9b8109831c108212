// A server that signs its requests, and serves the directory of its keys.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Server as Served } from '@harvestman/http'
import { botDirectoryPath, makeBotKey } from '@harvestman/data/manners'
import { examine, openServer, readConfig } from '@harvestman/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { verifyDirectory, verifyRequest, type PublicKey } from '../../packages/manners/test/verify.ts'

const [old, current] = [makeBotKey(), makeBotKey()]
const agent = 'https://bot.example.com'
const env = {
  HARVESTMAN_PORT: '0',
  HARVESTMAN_API_KEY: 'secret-of-a-caller',
  HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  HARVESTMAN_LOG: 'debug',
  HARVESTMAN_BOT_KEYS: `${current.privateKey},${old.privateKey}`,
  HARVESTMAN_BOT_AGENT: agent,
  HARVESTMAN_USER_AGENT: 'Gatherer/1.0 (+https://bot.example.com)',
}

let site: Server
let server: Served
let url: string
let seen: IncomingHttpHeaders
const written: string[] = []

beforeAll(async () => {
  site = createServer(({ headers }, response) => {
    seen = headers
    response.setHeader('content-type', 'text/html').end('<title>Page</title><p>Text.')
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  server = await openServer(readConfig({ env }).config, { write: (line) => void written.push(line) })
})
afterAll(async () => {
  await server?.close()
  site.closeAllConnections()
  await new Promise((resolve) => void site.close(resolve))
})

const directory = async (): Promise<readonly PublicKey[]> => {
  const response = await fetch(`${server.url}${botDirectoryPath}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { keys: PublicKey[] }).keys
}

test('sites verify a scrape of the server with the keys in its directory, which needs no API key', async () => {
  const response = await fetch(`${server.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${env.HARVESTMAN_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  expect(response.status).toBe(200)
  const [first] = await directory()
  expect(await verifyRequest(url, seen, first!)).toMatchObject({ keyid: first!.kid, tag: 'web-bot-auth' })
})

test('the directory has all keys and is signed with each for the configured origin', async () => {
  const keys = await directory()
  expect(keys.map(({ kid }) => kid)).toEqual([current.id, old.id])
  const response = await fetch(`${server.url}${botDirectoryPath}`)
  for (const [index, key] of keys.entries())
    await verifyDirectory(`${agent}${botDirectoryPath}`, response, key, `sig${index + 1}`)
})

test('private keys are neither in the directory nor in logs nor in the output of doctor', async () => {
  const body = await (await fetch(`${server.url}${botDirectoryPath}`)).text()
  const findings = JSON.stringify(await examine({ env }))
  expect(findings).toContain(`requests are signed; the key directory is ${agent}${botDirectoryPath}`)
  for (const { privateKey } of [old, current])
    for (const text of [body, written.join(''), findings]) expect(text).not.toContain(privateKey)
})

test.each([
  ['the origin of its directory', { HARVESTMAN_BOT_AGENT: '' }, 'HARVESTMAN_BOT_AGENT'],
  ['a user agent', { HARVESTMAN_USER_AGENT: '' }, 'HARVESTMAN_USER_AGENT'],
])('a server with keys and without %s does not start, and names the setting', async (_, missing, name) => {
  const { config } = readConfig({ env: { ...env, ...missing } })
  await expect(openServer(config)).rejects.toMatchObject({
    code: 'not_configured',
    message: expect.stringContaining(name) as string,
  })
})

test('a server without keys has no directory', async () => {
  const plain = await openServer(readConfig({ env: { HARVESTMAN_PORT: '0' } }).config)
  try {
    expect((await fetch(`${plain.url}${botDirectoryPath}`)).status).toBe(404)
  } finally {
    await plain.close()
  }
})
