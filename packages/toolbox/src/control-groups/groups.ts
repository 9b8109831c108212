// A control group (cgroup): the kernel limits all of its processes together, whatever kind of memory they use. It is a child of
// the group of this process, and is removed when its processes have ended.
import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { errorCode } from '../error-message.ts'
import { controllers, overrunFiles, type GroupLimits } from './bounds.ts'
import { prepareGroupFolder } from './group-folder.ts'
import { findPlaces, readText, type FindPlace, type Place } from './places.ts'

/** A control group of the kernel, which limits the processes in it. */
export interface ControlGroup {
  readonly folders: readonly string[]
  /** Adds a process. It must not have started any children yet. */
  add(pid: number): void
  /** Returns how many processes the kernel has killed because the group exceeded its memory limit. */
  overruns(): number
  remove(): Promise<void>
}

/** Creates control groups for processes. */
export interface ControlGroups {
  /** Version of the hierarchy that limits the memory. */
  readonly version: 1 | 2
  readonly controllers: readonly string[]
  make(limits: GroupLimits): ControlGroup
}

interface Home extends Place {
  readonly controller: string
}

/** Where the groups of this host are found. */
export interface GroupSystem {
  readonly proc: string
  readonly find: FindPlace
}

/**
 * Opens the control groups (cgroups) of Linux, which limit memory, processes and CPU of child processes. Removes groups that dead
 * processes left. Throws an `Error` if this system does not let this process create groups with the needed controllers.
 */
export function openControlGroups(
  needed: readonly string[],
  { proc, find }: GroupSystem = { proc: '/proc', find: findPlaces() },
): ControlGroups {
  const homes = controllers.flatMap(({ name }): Home[] => {
    const place = find(name)
    if (!place && needed.includes(name))
      throw new Error(`There is no controller "${name}" for the group of this process.`)
    return place ? [{ ...place, controller: name }] : []
  })
  const together = homes.filter(({ version }) => version === 2).map(({ controller }) => controller)
  const places = homes.map(({ version, folder, controller }): Home => ({
    version,
    folder: version === 2 ? prepareGroupFolder(folder, together, proc) : folder,
    controller,
  }))
  for (const folder of new Set(places.map((place) => place.folder))) sweep(folder, proc)
  const owner = ownerOf(process.pid, proc)
  const open = (limits: GroupLimits): ControlGroup => makeGroup(places, `${owner}-${randomInt(1_000_000_000)}`, limits)
  // Creating and removing one group shows that later groups can be created.
  const tried = open({ memory: 1_073_741_824, processes: 64, processors: 1 })
  removeLater(tried)
  const version = places.find(({ controller }) => controller === 'memory')?.version ?? 2
  return { version, controllers: places.map(({ controller }) => controller), make: open }
}

function makeGroup(places: readonly Home[], name: string, limits: GroupLimits): ControlGroup {
  const folders = [...new Set(places.map(({ folder }) => join(folder, name)))]
  try {
    for (const folder of folders) mkdirSync(folder)
    for (const { controller, version, folder } of places) {
      const settings = controllers.find((one) => one.name === controller)?.settings(version, limits) ?? []
      for (const { file, value, isOptional = false } of settings) set(join(folder, name, file), value, isOptional)
    }
  } catch (error) {
    for (const folder of folders) removeEmpty(folder)
    throw error
  }
  const memory = places.find(({ controller }) => controller === 'memory')
  const events = memory && join(memory.folder, name, overrunFiles[memory.version])
  let overruns = 0
  const count = (): number =>
    (overruns = Number(/^oom_kill (\d+)$/m.exec(events ? readText(events) : '')?.[1] ?? overruns))
  return {
    folders,
    add: (pid) => {
      for (const folder of folders) writeFileSync(join(folder, 'cgroup.procs'), String(pid))
    },
    overruns: count,
    remove: () => {
      count()
      return remove(folders)
    },
  }
}

function set(file: string, value: string, isOptional: boolean): void {
  try {
    writeFileSync(file, value, { flag: 'r+' })
  } catch (error) {
    if (!isOptional) throw error
  }
}

/** Removes a group in the background. A group that cannot be removed is swept at the next start. */
export function removeLater(group: ControlGroup): void {
  group.remove().catch(() => undefined)
}

const removedWithin = 5_000
const looks = 20

/** Removes the folders of a group. Killed processes may take a moment to exit. */
async function remove(folders: readonly string[]): Promise<void> {
  let left = folders
  for (let waited = 0; ; waited += looks) {
    left = left.filter((folder) => !removeEmpty(folder))
    if (left.length === 0 || waited >= removedWithin) return
    for (const folder of left) killAll(folder)
    await sleep(looks)
  }
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
  return true
}

function killAll(folder: string): void {
  for (const pid of readText(join(folder, 'cgroup.procs')).split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has ended, or it belongs to another user and is ended by its parent.
    }
  }
}

// Names with the PID namespace, the PID and the start time of the owner: no two processes share all three.
const names = /^(harvestman-(\d+)-(\d+)-\d+)-\d+$/

function spaceOf(proc: string): string {
  try {
    return /\d+/.exec(readlinkSync(join(proc, 'self/ns/pid')))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

function ownerOf(pid: number | string, proc: string): string {
  // The name of a process may contain spaces and brackets.
  const started =
    readText(join(proc, String(pid), 'stat'))
      .split(') ')
      .at(-1)
      ?.split(' ')[19] ?? '0'
  return `harvestman-${spaceOf(proc)}-${pid}-${started}`
}

/** Removes groups whose owners were killed before they could remove them. */
function sweep(folder: string, proc: string): void {
  for (const name of readdirSync(folder)) {
    const [, owner, space, pid = ''] = names.exec(name) ?? []
    // PIDs of another namespace do not show whether the owner is alive.
    if (space !== spaceOf(proc) || owner === ownerOf(pid, proc)) continue
    killAll(join(folder, name))
    remove([join(folder, name)]).catch(() => undefined)
  }
}
