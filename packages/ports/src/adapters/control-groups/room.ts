// A group in the one tree of version 2 has either processes or bounded children. This process and what belongs to it
// move into a child without bounds, so that there may be bounded ones: all stay in the group that the process was in.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { errorCode } from '../error-message.ts'
import { readText } from './places.ts'

const ownName = 'harvestman-main'
const mostTries = 10

/** Gives the folder that bounded groups are made in. Throws where the system does not let it. */
export function makeRoom(folder: string, wanted: readonly string[], proc = '/proc'): string {
  const has = (where: string): boolean => {
    const on = readText(join(where, 'cgroup.subtree_control')).trim().split(' ')
    return wanted.every((name) => on.includes(name))
  }
  if (has(folder)) return folder
  if (basename(folder) === ownName && has(dirname(folder))) return dirname(folder)
  const turnOn = (): void =>
    writeFileSync(join(folder, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '))
  try {
    // At the root of the whole tree there may be both.
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
  mkdirSync(join(folder, ownName), { recursive: true })
  // Processes that are started meanwhile are in the next list.
  for (let tries = 0, left = list(); left.length > 0 && tries < mostTries; tries++, left = list())
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

/** This process, what it was started by, and what they have started. */
function isOfUs(pid: number, proc: string): boolean {
  const above = (of: number): number[] => {
    const parent = Number(/^PPid:\t(\d+)$/m.exec(readText(join(proc, String(of), 'status')))?.[1] ?? 0)
    return parent > 0 ? [of, ...above(parent)] : [of]
  }
  const mine = above(process.pid)
  return pid > 0 && (mine.includes(pid) || above(pid).includes(process.pid))
}
