import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Nobody } from './confinement.ts'
import { startOf } from './processes.ts'

const prefix = 'harvestman-browser-'
const markerName = 'owner.json'

/** Who uses a folder. A number of a process alone would not do: numbers are given out again. */
export interface Marker {
  readonly owner: ProcessMark
  readonly browser?: ProcessMark
}

export interface ProcessMark {
  readonly pid: number
  /** When it was started, in the words of the system. */
  readonly started: string
}

export interface ProfileFolder {
  readonly path: string
  /** What the browser may write to. */
  readonly profile: string
  /** Writes down which process runs in it. */
  mark(pid: number): void
  remove(): void
}

/**
 * Makes a folder for one browser, and says in it that it is ours before anything is started in it. A browser of another
 * user has a folder within: what is said of it is not for it to change.
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

// The full browser knows no flag for this, only the preference; the shell knows the flag only. Without it, WebRTC sends
// UDP past the proxy.
const preferences = {
  webrtc: {
    ip_handling_policy: 'disable_non_proxied_udp',
    multiple_routes_enabled: false,
    nonproxied_udp_enabled: false,
  },
  net: { network_prediction_options: 2 },
}

export function profileIn(path: string): string {
  return join(path, 'profile')
}

/** Gives all that it made. */
function writeProfile(path: string): readonly string[] {
  const folder = join(path, 'Default')
  const file = join(folder, 'Preferences')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, JSON.stringify(preferences), { mode: 0o600 })
  return [path, folder, file]
}

/** Folders of this user that this program made, with their markers. One without a marker is not touched. */
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
    // What another user left in a folder that all may write to is not believed.
    if (statSync(path).uid !== process.getuid?.()) return undefined
    const marker = JSON.parse(readFileSync(join(path, markerName), 'utf8')) as Marker
    return typeof marker.owner.pid === 'number' ? marker : undefined
  } catch {
    return undefined
  }
}

export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A process of the browser still wrote into it. The next start removes it.
  }
}
