// A server returns the preferences of sites, and refuses pages for the uses of a team.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Server as Served } from '@harvestman/http'
import { openServer, readConfig } from '@harvestman/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

const env = {
  HARVESTMAN_PORT: '0',
  HARVESTMAN_API_KEY: 'readers:key-of-readers,trainers:key-of-trainers',
  HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  HARVESTMAN_USES: 'trainers:ai-train',
}

let site: Server
let server: Served
let origin: string

beforeAll(async () => {
  site = createServer(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n')
    else if (url === '/page') response.setHeader('content-type', 'text/html').end('<title>Page</title><p>Text.')
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  server = await openServer(readConfig({ env }).config)
})
afterAll(async () => {
  await server?.close()
  site.closeAllConnections()
  await new Promise((resolve) => void site.close(resolve))
})

async function scrape(team: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${server.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer key-of-${team}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${origin}/page`, formats: ['preferences'] }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('the format preferences is in the response, by its name', async () => {
  const { status, body } = await scrape('readers')
  expect(status).toBe(200)
  expect(body['data']).toMatchObject({
    preferences: {
      uses: { search: true, 'ai-train': false },
      statements: [{ use: 'search' }, { use: 'ai-train', where: `${origin}/robots.txt` }],
    },
  })
})

test('a page whose site forbids the use of a team is refused with the statement and its place', async () => {
  const { status, body } = await scrape('trainers')
  expect(status).toBe(403)
  expect(body).toMatchObject({ success: false, code: 'POLICY_DENIED' })
  expect(body['error']).toContain(`"Content-Signal: search=yes,ai-train=no" (${origin}/robots.txt)`)
})
