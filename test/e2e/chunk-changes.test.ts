import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ChunkChange } from '@harvestman/data'
import { afterAll, beforeAll, expect, test } from 'vitest'

const pages = new Map<string, readonly string[]>()
let served = 0
let onServed: (count: number) => void = () => undefined
const site = createServer(({ url = '', headers }, response) => {
  if (url === '/sitemap.xml') {
    const urls = [...pages.keys()].map((path) => `<url><loc>http://${headers.host}${path}</loc></url>`)
    response.setHeader('content-type', 'application/xml').end(`<urlset>${urls.join('')}</urlset>`)
    return
  }
  const sections = pages.get(url)
  if (sections) onServed((served += 1))
  const text = (sections ?? ['Missing']).map((name) => `<h2>${name}</h2><p>All about ${name}.</p>`).join('')
  response.writeHead(sections ? 200 : 404, { 'content-type': 'text/html' }).end(`<main>${text}</main>`)
})
const folder = mkdtempSync(join(tmpdir(), 'chunk-changes-'))
beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

/** Runs a crawl in a process, and kills it when the site has served so many pages. Returns its id and its changes. */
async function crawl(id?: string, killAt = Infinity) {
  const { port } = site.address() as AddressInfo
  const file = fileURLToPath(new URL('chunk-changes-child.ts', import.meta.url))
  const args = [file, join(folder, 'store.sqlite'), `http://127.0.0.1:${port}/`, ...(id === undefined ? [] : [id])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  served = 0
  onServed = (count) => {
    if (count === killAt) child.kill('SIGKILL')
  }
  let printed = ''
  child.stdout.on('data', (text: Buffer) => void (printed += text.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const [first = '""', ...lines] = printed.split('\n').filter((line) => line.endsWith('}') || line.endsWith('"'))
  const changes = lines.map((line) => JSON.parse(line) as ChunkChange)
  return { id: JSON.parse(first) as string, changes, end: signal ?? code }
}

const shown = (changes: readonly ChunkChange[]): readonly string[] =>
  changes.map(({ change, page, headings }) => `${change} ${new URL(page).pathname} ${headings[0]}`).toSorted()

test('a crawl that is killed twice returns each chunk change once', { tags: ['long'] }, async () => {
  for (let number = 0; number < 24; number += 1)
    pages.set(number === 0 ? '/' : `/${number}`, [`Lamp ${number}`, `Chair ${number}`, `Table ${number}`])
  const first = await crawl()
  expect(first.changes).toHaveLength(72)
  pages.set('/3', ['Lamp 3', 'Stool 3', 'Table 3']).set('/20', ['Lamp 20', 'Chair 20', 'Table 20', 'Bed 20'])
  pages.set('/', ['Lamp 0', 'Table 0'])
  pages.delete('/7')
  const killed = await crawl(undefined, 6)
  expect(killed.end).toBe('SIGKILL')
  expect((await crawl(killed.id, 8)).end).toBe('SIGKILL')
  const { changes, end } = await crawl(killed.id)
  expect(end).toBe(0)
  expect(shown(changes)).toEqual([
    'added /20 Bed 20',
    'changed /3 Stool 3',
    'removed / Chair 0',
    'removed /7 Chair 7',
    'removed /7 Lamp 7',
    'removed /7 Table 7',
  ])
})
