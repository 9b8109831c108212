// Credentials of callers in all that a server stores: every byte of its data is searched for them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server as Web } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, memoryStore } from '@harvestman/core'
import type { Server } from '@harvestman/http'
import { openServer, readConfig } from '@harvestman/node'
import { findBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { findSecrets, headers, queryOfJob, sendSecrets } from './secrets-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-'))
const data = join(folder, 'data')
const store = join(data, 'store.db')
const hasBrowser = findBrowser() !== undefined

const seen: (readonly [string, string | undefined])[] = []

let web: Web
let server: Server
let site: string

async function open(): Promise<Server> {
  const env = {
    ...{ HARVESTMAN_PORT: '0', HARVESTMAN_STORE: `sqlite:${store}`, HARVESTMAN_FILES: join(data, 'files') },
    ...{ HARVESTMAN_LOG: 'silent', HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8', HARVESTMAN_SEARCH_INDEX: 'on' },
  }
  return openServer(readConfig({ env }).config)
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  )
}

beforeAll(async () => {
  web = createServer((request, response) => {
    seen.push([request.url ?? '', request.headers.authorization])
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>A page</title><input id=x><p>Some words on the page ${request.url?.split('?')[0]}. <a href=/next>Next</a>`,
    )
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  server = await open()
})
afterAll(async () => {
  await server.close()
  web.close()
  rmSync(folder, { recursive: true })
})

test(
  'no byte of what a server stores has a credential of a request, and all of it is private',
  { tags: ['browser'] },
  async () => {
    await sendSecrets({ server: () => server.url, site, hasBrowser })
    await server.close()
    const stored = filesIn(data).map((file) => ({ name: file, bytes: readFileSync(file) }))
    for (const { name } of stored) expect([name, (statSync(name).mode & 0o077).toString(8)]).toEqual([name, '0'])
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
    server = await open()
    expect(findSecrets(stored)).toEqual([])
    // Only the document of a page of a job names its URL.
    expect(findSecrets(stored, { queryOfJob }).filter((place) => !place.includes('sourceURL'))).toEqual([])
  },
)

test('a request whose credentials were encrypted with another key is refused, and never sent without them', async () => {
  const key = (name: string): string => `the key of ${name}, long enough`
  const shared = memoryStore()
  const options = { store: shared, allowPrivate: ['127.0.0.0/8'], works: false }
  const asking = createEngine({ ...options, secretKey: key('one') })
  const { id } = await asking.batch({ urls: [`${site}/kept`], headers })
  await asking.close()
  const other = createEngine({ ...options, works: true, secretKey: key('two') })
  const job = await other.jobs.find(id)
  await job.end()
  const { errors } = await job.errors()
  expect(errors).toMatchObject([{ code: 'not_configured', error: expect.stringContaining('HARVESTMAN_SECRET_KEY') }])
  await other.close()
  expect(seen.filter(([url]) => url === '/kept')).toEqual([])
})

test('a job continues with its credentials in another engine that has the key', async () => {
  const secretKey = 'the key of all, long enough'
  const options = { store: memoryStore(), allowPrivate: ['127.0.0.0/8'], works: false, secretKey }
  const asking = createEngine(options)
  const { id } = await asking.batch({ urls: [`${site}/continued`], headers })
  await asking.close()
  const other = createEngine({ ...options, works: true })
  await (await other.jobs.find(id)).end()
  await other.close()
  expect(seen.filter(([url]) => url === '/continued')).toEqual([['/continued', headers.authorization]])
})
