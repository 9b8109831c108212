// Requests with credentials of every kind, and a search for these in all that a server has stored.
import { zstdDecompressSync } from 'node:zlib'

import { expect } from 'vitest'

/** Each is a word that no page, document or setting has. */
export const secrets = {
  authorization: 'mark-authorization',
  cookie: 'mark-cookie',
  key: 'mark-x-api-key',
  own: 'mark-own-header',
  password: 'mark-password',
  query: 'mark-query',
  typed: 'mark-typed',
  hook: 'mark-hook-header',
  hookUrl: 'mark-hook-url',
  chat: 'mark-chat-url',
}

/** The key in the query of a page of a job: its document names the URL, and nothing else does. */
export const queryOfJob = 'mark-job-query'

export const headers = {
  authorization: `Bearer ${secrets.authorization}`,
  cookie: `session=${secrets.cookie}`,
  'x-api-key': secrets.key,
  'x-own': secrets.own,
}

export interface World {
  /** The server that is asked. */
  readonly server: () => string
  /** The site that is read. */
  readonly site: string
  readonly hasBrowser: boolean
}

async function ask({ server }: World, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const init = { method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) }
  const answer = await fetch(server() + path, init)
  const text = await answer.text()
  expect({ path, status: answer.status, text }).toEqual({ path, status: 200, text })
  return JSON.parse(text) as Record<string, unknown>
}

/** Sends every kind of request that is stored, with credentials wherever one may have some, and waits until all have ended. */
export async function sendSecrets(world: World): Promise<void> {
  const { site, hasBrowser } = world
  const named = site.replace('http://', `http://me:${secrets.password}@`)
  const webhook = { url: `${site}/hook?token=${secrets.hookUrl}`, headers: { 'x-hook': secrets.hook } }
  const actions = hasBrowser
    ? [
        { type: 'click', selector: '#x' },
        { type: 'write', text: secrets.typed },
      ]
    : []
  const scrape = { url: `${site}/one`, headers, formats: ['markdown', 'links', 'changeTracking'], actions }
  const { data: document } = (await ask(world, 'POST', '/v2/scrape', scrape)) as {
    data: { metadata: { scrapeId: string } }
  }
  expect(document.metadata.scrapeId).toBeDefined()
  await ask(world, 'POST', '/v2/scrape', { url: `${named}/two`, maxAge: 600_000 })
  await ask(world, 'POST', '/v2/scrape', { url: `${site}/three?api_key=${secrets.query}`, maxAge: 600_000 })
  await ask(world, 'POST', '/v2/scrape', { ...scrape, zeroDataRetention: true, formats: ['markdown'] })
  await ask(world, 'POST', '/v2/map', { url: `${named}/map` })
  const scrapeOptions = { headers, formats: ['markdown'] }
  const crawl = await ask(world, 'POST', '/v2/crawl', { url: `${named}/crawl`, limit: 3, scrapeOptions, webhook })
  const urls = [`${named}/batch`, `${site}/keyed?api_key=${queryOfJob}`]
  const batch = await ask(world, 'POST', '/v2/batch/scrape', { urls, ...scrapeOptions, webhook })
  const monitor = {
    name: 'Watch',
    schedule: { text: 'daily' },
    targets: [{ type: 'scrape', urls: [`${named}/watched`], scrapeOptions: { headers } }],
    webhook,
    notification: { slack: { enabled: true, url: `https://hooks.slack.com/services/T/B/${secrets.chat}` } },
  }
  const { data: watch } = (await ask(world, 'POST', '/v2/monitor', monitor)) as { data: { id: string } }
  await ask(world, 'POST', `/v2/monitor/${watch.id}/run`, {})
  const ended = async (path: string): Promise<void> => {
    await expect.poll(async () => (await ask(world, 'GET', path))['status'], { timeout: 60_000 }).not.toBe('scraping')
  }
  await ended(`/v2/crawl/${String(crawl['id'])}`)
  await ended(`/v2/batch/scrape/${String(batch['id'])}`)
  const checks = async () =>
    ((await ask(world, 'GET', `/v2/monitor/${watch.id}/checks`))['data'] as { status: string }[])[0]
  await expect.poll(async () => (await checks())?.status, { timeout: 60_000 }).not.toMatch(/queued|running/)
  expect((await checks())?.status).toBe('completed')
}

/** Something that was stored: a file, or a value under its key. */
export interface StoredBytes {
  readonly name: string
  readonly bytes: Buffer
}

/** Returns where secrets are, also in what is compressed, with the bytes around them. */
export function findSecrets(
  stored: readonly StoredBytes[],
  words: Readonly<Record<string, string>> = secrets,
): string[] {
  return stored.flatMap(({ name, bytes }) =>
    [bytes, ...unpackedIn(bytes)].flatMap((all) =>
      Object.entries(words).flatMap(([secret, word]) => {
        const at = all.indexOf(word)
        return at < 0 ? [] : [`${secret} in ${name}: ${all.toString('latin1', Math.max(0, at - 300), at + 60)}`]
      }),
    ),
  )
}

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** All zstd frames in some bytes, decompressed. */
function unpackedIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    try {
      found.push(zstdDecompressSync(bytes.subarray(at, frameEnd(bytes, at))))
    } catch {
      // Four bytes that look like the beginning of a frame.
    }
  }
  return found
}

/** Walks over the header and the blocks of a frame (RFC 8878). */
function frameEnd(bytes: Buffer, start: number): number {
  const descriptor = bytes.readUInt8(start + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  let at = start + 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + size
  for (;;) {
    const header = bytes.readUIntLE(at, 3)
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4)
  }
}
