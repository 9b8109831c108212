// Bytes that a crawl leaves in the store and in files: pages of about 68 KB with 170 links each, on SQLite, in one process.
//   node test/bench/store/bytes.ts [pages: 1000]
// Prints megabytes for 10,000 pages, by what is kept: cached pages as they came (as earlier versions kept them) and as they are
// kept, the documents of the crawl (Markdown), all else, and the files. One row each with all in the store, with what is large in
// files (as on S3, from 64 KB), and with everything from 4 KB in files.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine, fileBlobs } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import type { Value } from '@harvestman/ports'
import { unpackParcel } from '@harvestman/toolbox/parcel'

const pages = Number(process.argv[2] ?? 1_000)
const per = 10_000 / pages / 1_000_000

const server = fork(fileURLToPath(new URL('../crawl/site.ts', import.meta.url)), [String(pages), '0'])
const [{ port }] = (await once(server, 'message')) as [{ readonly port: number }]

function sizeOf(value: Value): number {
  return value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(JSON.stringify(value))
}

/** The bytes of a kept page when its body is not compressed. */
function plainSizeOf(value: Value): number {
  if (!(value instanceof Uint8Array)) return 0
  const { head, body } = unpackParcel<{ readonly packed?: { readonly length?: number } }>(value)
  return value.byteLength - body.byteLength + (head.packed?.length ?? body.byteLength)
}

async function measure(filesFrom: number | undefined): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-bytes-'))
  const store = sqliteStore(join(folder, 'store.db'))
  const blobs = fileBlobs(join(folder, 'files'))
  const engine = createEngine({
    store,
    blobs,
    allowPrivate: [`127.0.0.1/32:${port}`],
    keep: filesFrom === undefined ? {} : { filesFrom },
  })
  const crawl = await engine.crawl({ url: `http://127.0.0.1:${port}/`, limit: pages, sitemap: 'skip' })
  const { completed } = await crawl.end()
  if (completed !== pages) throw new Error(`Only ${completed} pages were crawled.`)
  const sums = { before: 0, pages: 0, documents: 0, rest: 0 }
  for await (const some of store.scan?.('') ?? []) {
    for (const { key, value } of some) {
      const what = key.startsWith('page/') ? 'pages' : key.includes('/log/') ? 'documents' : 'rest'
      sums[what] += sizeOf(value)
      if (what === 'pages') sums.before += plainSizeOf(value)
    }
  }
  await engine.close()
  await blobs.close()
  await store.close()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.startsWith('files/'))
  const files = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  rmSync(folder, { recursive: true })
  const inStore = sums.pages + sums.documents + sums.rest
  return [sums.before, sums.pages, sums.documents, sums.rest, inStore, files].map((bytes) => bytes * per)
}

console.log('| MB for 10,000 pages | Cached pages, as they came | Cached pages | Documents | Rest | Store | Files |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const [name, from] of [
  ['all in the store', undefined],
  ['in files from 64 KB', 65_536],
  ['in files from 4 KB', 4_096],
] as const) {
  console.log(`| ${[name, ...(await measure(from)).map((megabytes) => megabytes.toFixed(1))].join(' | ')} |`)
}
server.kill()
process.exit()
