import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { pack, type Packed } from '@harvestman/http'

import { encodings } from './encodings.ts'

const isSource = import.meta.url.endsWith('.ts')
const built = fileURLToPath(new URL(isSource ? '../dist/page/' : './page/', import.meta.url))
const sources = fileURLToPath(new URL('../page/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the page, read in all its encodings when it is first asked for: most processes show none. */
export type Asset = () => Promise<Packed>

/** The files of the page by their path. Run from sources, the page is built when it is absent or older than they are. */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  if (!isSource) return readAssets()
  if (isStale()) await (await import('./build.ts')).buildPage()
  // Processes that start at once each build the page, and one may put its own in place of that which another reads.
  for (let triesLeft = 20; ; triesLeft -= 1) {
    try {
      const assets = readAssets()
      if (assets.has('index.html') || triesLeft === 0) return assets
    } catch (error) {
      if (triesLeft === 0) throw error
    }
    await setTimeout(100)
  }
}

function readAssets(): ReadonlyMap<string, Asset> {
  const isEncoded = (path: string): boolean => Object.values(encodings).some(({ ending }) => path.endsWith(ending))
  const paths = filesIn(built).filter((path) => !isEncoded(path))
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), assetOf(join(built, path))]))
}

function isStale(): boolean {
  const index = join(built, 'index.html')
  if (!existsSync(index)) return true
  const builtAt = statSync(index).mtimeMs
  return filesIn(sources).some((path) => ofPage.test(path) && statSync(join(sources, path)).mtimeMs > builtAt)
}

const ofPage = /\.(?:tsx?|js|css|html)$/

/** Paths in a folder. A pattern (`globSync`) would cost a server that starts ten milliseconds. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => extname(path) !== '')
}

function assetOf(path: string): Asset {
  const bytes = new Uint8Array(readFileSync(path))
  let packed: Promise<Packed> | undefined
  return () => (packed ??= packedOf(path, bytes))
}

/** As the build packed it. A file whose folder has been replaced by a later build is packed here. */
async function packedOf(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Packed> {
  const read = async (ending: string) => new Uint8Array(await readFile(path + ending))
  const { gzip, brotli } = encodings
  const ready = await Promise.all([read(gzip.ending), read(brotli.ending)]).catch(() => undefined)
  return pack(bytes, types[extname(path)] ?? 'application/octet-stream', ready && { gzip: ready[0], brotli: ready[1] })
}
