import { tmpdir } from 'node:os'

import { findFolders, profileIn, removeFolder } from './folder.ts'
import { findByArgument, isAlive } from './processes.ts'

/**
 * Ends what earlier processes of ours left behind when they were killed, and removes its folders. A browser is known by
 * the folder it was started with, never by its name: the browsers of other people have other folders.
 */
export function reap(parent = tmpdir()): readonly string[] {
  const removed: string[] = []
  for (const { path, marker } of findFolders(parent)) {
    if (isAlive(marker.owner)) continue
    if (marker.browser && isAlive(marker.browser)) endGroup(marker.browser.pid)
    for (const pid of findByArgument(`--user-data-dir=${profileIn(path)}`)) end(pid)
    removeFolder(path)
    removed.push(path)
  }
  return removed
}

/**
 * Ends a group of processes. Each browser is started as the first of its own group, so its number is that of the group,
 * and is not given to another process while any of the group is left.
 */
export function endGroup(pid: number): void {
  end(process.platform === 'win32' ? pid : -pid)
}

function end(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
