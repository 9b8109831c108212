import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const shippedIn = '@sparticuz/chromium'

/** A compressed browser from an npm package in the user's project. */
export interface Shipped {
  /** Path of the executable after unpacking. */
  readonly executable: string
  readonly kind: 'shell'
  readonly env: Readonly<Record<string, string>>
  /** Folder of the package. */
  readonly packedIn: string
}

export interface ShippedPlaces {
  /** Files and folders where the search for the package begins. It covers `node_modules` there and in all parent folders. */
  readonly from?: readonly string[]
  readonly cache?: string
  readonly canRun?: boolean
}

/**
 * Finds the npm package that contains Chromium, without loading it. Returns `undefined` if it is not installed or does not run
 * on this system.
 */
export function findShipped(places: ShippedPlaces = {}): Shipped | undefined {
  const { from = [join(process.cwd(), 'x'), import.meta.url], cache = cacheFolder(), canRun = runsHere() } = places
  if (!canRun) return undefined
  for (const packedIn of from.flatMap(foldersFrom)) {
    const version = versionIn(packedIn)
    if (version === undefined) continue
    const folder = join(cache, `chromium-${version}`)
    return { executable: join(folder, 'chromium'), kind: 'shell', env: environmentIn(folder), packedIn }
  }
  return undefined
}

// The package's `exports` have neither its package.json nor, in some versions, an entry for `require`, so search for its
// folder.
function foldersFrom(place: string): readonly string[] {
  const all = createRequire(place.startsWith('file:') ? place : pathToFileURL(place)).resolve.paths(shippedIn) ?? []
  return all.filter((folder) => basename(folder) === 'node_modules').map((folder) => join(folder, shippedIn))
}

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown }
    return typeof version === 'string' && /^\d[\w.+-]*$/.test(version) ? version : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the environment variables that point the browser to the libraries and font of the package, which small systems lack.
 */
function environmentIn(folder: string): Shipped['env'] {
  const { LD_LIBRARY_PATH: known } = process.env
  const libraries = join(folder, 'al2023', 'lib')
  return {
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    LD_LIBRARY_PATH: known ? `${libraries}${delimiter}${known}` : libraries,
  }
}

/** Returns the folder in which browsers are unpacked. It need not exist. */
export function cacheFolder(): string {
  const { XDG_CACHE_HOME: named = '' } = process.env
  return join(isAbsolute(named) ? named : join(home(), '.cache'), 'harvestman')
}

function home(): string {
  try {
    return homedir()
  } catch {
    // A user without an entry in the user database has no home folder. If the fallback is not writable, unpacking reports it.
    return '/'
  }
}

/** Returns whether the package's binary runs here. It is built for Linux on x64 with glibc only, whose loader has this path. */
function runsHere(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2')
}
