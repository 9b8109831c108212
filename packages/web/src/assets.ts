import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** One file of the page, packed once for all who ask for it. */
export interface Asset {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
  readonly brotli: Uint8Array<ArrayBuffer>
}

const isSource = import.meta.url.endsWith('.ts')
const built = fileURLToPath(new URL(isSource ? '../dist/page/' : './page/', import.meta.url))
const sources = fileURLToPath(new URL('../page/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

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
  return new Map(
    globSync('**/*.*', { cwd: built }).map((path) => [path.replaceAll('\\', '/'), assetOf(join(built, path))]),
  )
}

function isStale(): boolean {
  const index = join(built, 'index.html')
  if (!existsSync(index)) return true
  const builtAt = statSync(index).mtimeMs
  return globSync('**/*.{ts,tsx,css,html}', { cwd: sources }).some(
    (path) => statSync(join(sources, path)).mtimeMs > builtAt,
  )
}

function assetOf(path: string): Asset {
  const plain = new Uint8Array(readFileSync(path))
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    plain,
    gzip: new Uint8Array(gzipSync(plain, { level: 9 })),
    brotli: new Uint8Array(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
  }
}
