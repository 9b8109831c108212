import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  /** Writes down which process runs in it. */
  mark(pid: number): void
  remove(): void
}

/** Makes a folder for one browser, and says in it that it is ours before anything is started in it. */
export function makeFolder(parent = tmpdir()): ProfileFolder {
  const path = mkdtempSync(join(parent, prefix))
  chmodSync(path, 0o700)
  const owner = { pid: process.pid, started: startOf(process.pid) ?? '' }
  const write = (marker: Marker): void => writeFileSync(join(path, markerName), JSON.stringify(marker), { mode: 0o600 })
  write({ owner })
  writePreferences(path)
  return {
    path,
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

function writePreferences(path: string): void {
  mkdirSync(join(path, 'Default'), { mode: 0o700 })
  writeFileSync(join(path, 'Default', 'Preferences'), JSON.stringify(preferences), { mode: 0o600 })
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
