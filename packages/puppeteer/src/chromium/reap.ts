import { tmpdir } from 'node:os'

import { findFolders, profileIn, removeFolder } from './folder.ts'
import { findByArgument, isAlive } from './processes.ts'

/**
 * Kills the browsers that earlier processes of this library left behind when they were killed, and removes their folders.
 * Browsers are identified by their folder, so browsers of other applications are not affected. Returns the removed folders;
 * empty if nothing was left. Throws the error of the file system if `parent` cannot be read.
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
 * Kills a process group. Does nothing if it has ended. Each browser is the leader of its own group, so its process id is the
 * group's id, which is not reused while any process of the group remains.
 */
export function endGroup(pid: number): void {
  end(process.platform === 'win32' ? pid : -pid)
}

function end(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
