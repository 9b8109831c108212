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

/** A file of the page, compressed when it is first requested, since most processes never serve the page. */
export type Asset = () => Promise<Packed>

/**
 * Returns the files of the page by path. When run from sources, builds the page if it is missing or outdated. Rejects
 * if there are no files, or building fails.
 */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  if (!isSource) return readAssets()
  if (isStale()) await (await import('./build.ts')).buildPage()
  // Processes that start at the same time each build the page, and one may replace the folder while another reads it. Retry in
  // that case.
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

/** Lists the files in a folder. `globSync` would add ten milliseconds to the start of a server. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => extname(path) !== '')
}

function assetOf(path: string): Asset {
  const bytes = new Uint8Array(readFileSync(path))
  let packed: Promise<Packed> | undefined
  return () => (packed ??= packedOf(path, bytes))
}

/** Reads the compressed variants from the build. If a later build has replaced the folder, compresses the file here. */
async function packedOf(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Packed> {
  const read = async (ending: string) => new Uint8Array(await readFile(path + ending))
  const { gzip, brotli } = encodings
  const ready = await Promise.all([read(gzip.ending), read(brotli.ending)]).catch(() => undefined)
  return pack(bytes, types[extname(path)] ?? 'application/octet-stream', ready && { gzip: ready[0], brotli: ready[1] })
}
