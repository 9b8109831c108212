import { execFile } from 'node:child_process'
import { readFile, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { BrowserIdentity } from '@harvestman/ports'
import { platformHere } from '@harvestman/net/headers'
import { makeFolder } from '@harvestman/toolbox/make-folder'

import type { PuppeteerOptions } from '../lib/options.ts'
import { brandOf, identityOfProduct, majorIn, type Product } from '../lib/product.ts'
import { findBrowser, type Found } from './find.ts'
import { cacheFolder } from './shipped.ts'

/** The identity of the browser that scrapes use, known before it starts. */
export interface KnownIdentity {
  /** Resolves to `undefined` if it is not known: none is installed, or it is remote and was not used yet. */
  read(): Promise<BrowserIdentity | undefined>
  /** Notes the identity of a running browser, which then replaces that of the installed one. */
  learn(running: Product): void
}

/** Creates the known identity for these options. Nothing is read before the first call. */
export function knownIdentity({ endpoint, executablePath, prefer }: PuppeteerOptions): KnownIdentity {
  let identity: Promise<BrowserIdentity | undefined> | undefined
  const read = async (): Promise<BrowserIdentity | undefined> => {
    const isRemote = [endpoint ?? []].flat().length > 0
    const found = isRemote ? undefined : findBrowser({ executablePath, prefer })
    const version = found && (await versionOf(found))
    if (!found || version === undefined) return undefined
    return { version, brand: brandOf(found.executable), platform: platformHere() }
  }
  return {
    read: () => (identity ??= read().catch(() => undefined)),
    learn: (running) => {
      identity = Promise.resolve(identityOfProduct(running))
    },
  }
}

/** Returns the major version of a browser that is not running. */
async function versionOf({ executable, packedIn }: Found): Promise<number | undefined> {
  // The folder of a browser from an npm package has the version of the package, which is that of Chromium.
  if (packedIn !== undefined) return majorIn(executable)
  // On Windows, `--version` would open a window. The versions there are folders beside the executable.
  if (process.platform === 'win32') {
    const versions = (await readdir(dirname(executable))).map(majorIn).filter((major) => major !== undefined)
    return versions.length > 0 ? Math.max(...versions) : undefined
  }
  const { size, mtimeMs } = await stat(executable)
  const key = `${executable} ${size} ${mtimeMs}`
  const file = join(cacheFolder(), 'browser-versions.json')
  const known = await readVersions(file)
  const cached = known[key]
  if (typeof cached === 'number') return cached
  const version = await askVersion(executable)
  if (version !== undefined) await store(file, { [key]: version })
  return version
}

const answersWithin = 5_000

function askVersion(executable: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: answersWithin, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const
    execFile(executable, ['--version'], options, (error, stdout) => resolve(error ? undefined : majorIn(stdout)))
  })
}

async function readVersions(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Stores the versions for later processes, because starting a browser to ask for it takes longer than loading a page. */
async function store(file: string, versions: Readonly<Record<string, number>>): Promise<void> {
  try {
    makeFolder(dirname(file))
    const own = `${file}.${process.pid}`
    await writeFile(own, JSON.stringify(versions))
    await rename(own, file)
  } catch {
    // Without a cache, each process asks.
  }
}
