import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const shippedIn = '@sparticuz/chromium'

/** A browser that an npm package of the user's project brings along, packed. */
export interface Shipped {
  /** Where the program is once it is unpacked. */
  readonly executable: string
  readonly kind: 'shell'
  readonly env: Readonly<Record<string, string>>
  /** The folder of the package it is unpacked from. */
  readonly packedIn: string
}

export interface ShippedPlaces {
  /** Files and folders whose `node_modules` are looked through, and those of the folders above. */
  readonly from?: readonly string[]
  readonly cache?: string
  readonly canRun?: boolean
}

/** Looks for the package, without loading anything of it. */
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

// Its `exports` name neither its package.json nor, in every version, an entry for `require`: it is looked for by folder.
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

/** It brings the libraries and the font that a small system lacks; both have to be pointed out to it. */
function environmentIn(folder: string): Shipped['env'] {
  const { LD_LIBRARY_PATH: known } = process.env
  const libraries = join(folder, 'al2023', 'lib')
  return {
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    LD_LIBRARY_PATH: known ? `${libraries}${delimiter}${known}` : libraries,
  }
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME: named = '' } = process.env
  return join(isAbsolute(named) ? named : join(home(), '.cache'), 'harvestman')
}

function home(): string {
  try {
    return homedir()
  } catch {
    // A user without an entry in the list of users has none. What cannot be written there is told when it is unpacked.
    return '/'
  }
}

/** It is built for one system only: the loader of its programs has this name there, and is missing with another libc. */
function runsHere(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2')
}
