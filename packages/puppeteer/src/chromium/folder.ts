import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makePrivateFolder } from '@harvestman/toolbox/private-files'

import type { Nobody } from './confinement.ts'
import { startOf } from './processes.ts'

const prefix = 'harvestman-browser-'
const markerName = 'owner.json'

/** Identifies the processes that use a folder. A process id alone is not enough, because ids are reused. */
export interface Marker {
  readonly owner: ProcessMark
  readonly browser?: ProcessMark
}

export interface ProcessMark {
  readonly pid: number
  /** Start time of the process, in the format of the operating system. */
  readonly started: string
}

export interface ProfileFolder {
  readonly path: string
  /** Folder to which the browser may write. */
  readonly profile: string
  /** Records which process uses the folder. */
  mark(pid: number): void
  remove(): void
}

/**
 * Creates a folder for a browser, and marks it as ours before anything starts in it. If the browser runs as another user, it
 * only gets a subfolder, so that it cannot change the marker. Throws the error of the file system.
 */
export function makeFolder(user?: Nobody, parent = tmpdir()): ProfileFolder {
  const path = mkdtempSync(join(parent, prefix))
  chmodSync(path, user ? 0o711 : 0o700)
  const owner = { pid: process.pid, started: startOf(process.pid) ?? '' }
  const write = (marker: Marker): void => writeFileSync(join(path, markerName), JSON.stringify(marker), { mode: 0o600 })
  write({ owner })
  const profile = profileIn(path)
  for (const made of writeProfile(profile)) if (user) chownSync(made, user.uid, user.gid)
  return {
    path,
    profile,
    mark: (pid) => write({ owner, browser: { pid, started: startOf(pid) ?? '' } }),
    remove: () => removeFolder(path),
  }
}

// The full browser has only a preference for this, the shell only a flag. Without it, WebRTC sends UDP around the proxy.
const preferences = {
  webrtc: {
    ip_handling_policy: 'disable_non_proxied_udp',
    multiple_routes_enabled: false,
    nonproxied_udp_enabled: false,
  },
  net: { network_prediction_options: 2 },
}

/** Returns the path of the browser profile in a folder. */
export function profileIn(path: string): string {
  return join(path, 'profile')
}

/** Writes the initial profile. Returns the paths it created. */
function writeProfile(path: string): readonly string[] {
  const folder = join(path, 'Default')
  const file = join(folder, 'Preferences')
  makePrivateFolder(folder)
  writeFileSync(file, JSON.stringify(preferences), { mode: 0o600 })
  return [path, folder, file]
}

/**
 * Finds the folders that this library created as this user, with their markers. Folders without a valid marker are skipped.
 * Throws the error of the file system if `parent` cannot be read.
 */
export function findFolders(parent = tmpdir()): readonly { readonly path: string; readonly marker: Marker }[] {
  const found = []
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    const marker = readMarker(path)
    if (marker) found.push({ path, marker })
  }
  return found
}

function readMarker(path: string): Marker | undefined {
  try {
    // Other users can create folders in the shared temporary folder, so theirs are not trusted.
    if (statSync(path).uid !== process.getuid?.()) return undefined
    const marker = JSON.parse(readFileSync(join(path, markerName), 'utf8')) as Marker
    return typeof marker.owner.pid === 'number' ? marker : undefined
  } catch {
    return undefined
  }
}

/** Removes a folder with its contents. Ignores errors. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A browser process was still writing to it. The next start removes it.
  }
}
