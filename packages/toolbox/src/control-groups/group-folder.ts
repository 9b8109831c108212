// In version 2, a group contains either processes or limited children. So that limited children are possible, this process and
// its relatives move into a child without limits: all stay inside the group that the process was in.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { errorCode } from '../error-message.ts'
import { makeFolder } from '../make-folder.ts'
import { readText } from './places.ts'

const ownName = 'harvestman-main'
const maxTries = 10

/**
 * Returns the folder in which groups with the wanted controllers can be created: `folder`, or its parent if this process is
 * already in the subfolder. If necessary, turns the controllers on, and moves the processes of the folder into a subfolder.
 * Throws if the system does not allow it.
 */
export function prepareGroupFolder(folder: string, wanted: readonly string[], proc = '/proc'): string {
  const has = (where: string): boolean => {
    const on = readText(join(where, 'cgroup.subtree_control')).trim().split(' ')
    return wanted.every((name) => on.includes(name))
  }
  if (has(folder)) return folder
  if (basename(folder) === ownName && has(dirname(folder))) return dirname(folder)
  const turnOn = (): void =>
    writeFileSync(join(folder, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '))
  try {
    // The root of the whole hierarchy may contain both.
    turnOn()
  } catch {
    moveAll(folder, proc)
    turnOn()
  }
  return folder
}

function moveAll(folder: string, proc: string): void {
  const list = (): number[] =>
    readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
  const strange = list().filter((pid) => !isOfUs(pid, proc))
  if (strange.length > 0)
    throw new Error(`Processes that are not ours are in ${folder}: ${strange.slice(0, 5).join(', ')}.`)
  makeFolder(join(folder, ownName))
  // Processes that were started meanwhile are in the next list.
  for (let tries = 0, left = list(); left.length > 0 && tries < maxTries; tries++, left = list())
    for (const pid of left) move(pid, join(folder, ownName))
}

function move(pid: number, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  } catch (error) {
    // It has ended meanwhile.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Returns whether a process is this one, one of its ancestors, or a descendant of this one. */
function isOfUs(pid: number, proc: string): boolean {
  const above = (of: number): number[] => {
    const parent = Number(/^PPid:\t(\d+)$/m.exec(readText(join(proc, String(of), 'status')))?.[1] ?? 0)
    return parent > 0 ? [of, ...above(parent)] : [of]
  }
  const mine = above(process.pid)
  return pid > 0 && (mine.includes(pid) || above(pid).includes(process.pid))
}
