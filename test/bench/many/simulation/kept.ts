// What the server of the store keeps: values in the store that ships, bytes in a file for each job, because all logs of a
// large run would not fit into the memory of one process.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Clock, Store, Value } from '@harvestman/ports'

import { memoryStore } from '@harvestman/core'

export interface Kept {
  readonly store: Required<Pick<Store, 'getMany' | 'add' | 'watch'>> & Store
  /** Drops all of a job, as its expiry would. */
  forget(job: string): Promise<void>
  /** Removes the files. */
  remove(): void
}

/** Numbered values of one job, one after the other: none is ever changed. */
interface JobFile {
  readonly path: string
  readonly descriptor: number
  readonly starts: number[]
  readonly lengths: number[]
  end: number
}

// oxlint-disable-next-line max-lines-per-function -- the verbs of one store
export function keepOnDisk(clock: Clock): Kept {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-simulation-'))
  const files = new Map<string, JobFile>()
  const values = memoryStore({ clock }) as Kept['store']

  const fileOf = (name: string): JobFile => {
    const known = files.get(name)
    if (known) return known
    const path = join(folder, name.replaceAll('/', '-'))
    const file = { path, descriptor: openSync(path, 'w+'), starts: [], lengths: [], end: 0 }
    files.set(name, file)
    return file
  }
  const readBytes = (key: string): Uint8Array | undefined => {
    const [name, place] = splitKey(key)
    const file = files.get(name)
    const length = file?.lengths[place]
    if (!file || length === undefined) return undefined
    const bytes = new Uint8Array(length)
    readSync(file.descriptor, bytes, 0, length, file.starts[place] ?? 0)
    return bytes
  }
  const writeBytes = (key: string, bytes: Uint8Array): void => {
    const [name, place] = splitKey(key)
    const file = fileOf(name)
    writeSync(file.descriptor, bytes, 0, bytes.length, file.end)
    file.starts[place] = file.end
    file.lengths[place] = bytes.length
    file.end += bytes.length
  }
  const forgetFile = (name: string): void => {
    const file = files.get(name)
    if (!file) return
    files.delete(name)
    closeSync(file.descriptor)
    unlinkSync(file.path)
  }
  const store: Kept['store'] = {
    ...values,
    get: async (key) => (isOfBytes(key) ? readBytes(key) : values.get(key)),
    getMany: async (keys) =>
      keys.some(isOfBytes) ? Promise.all(keys.map((key) => store.get(key))) : values.getMany(keys),
    set: async (key, value, options) =>
      value instanceof Uint8Array ? writeBytes(key, value) : values.set(key, value, options),
    update: async (key, change, options) => {
      if (!isOfBytes(key)) return values.update(key, change, options)
      const old = readBytes(key)
      const value = change(old)
      if (value !== old && value instanceof Uint8Array) writeBytes(key, value)
      return value
    },
  }
  return {
    store,
    forget: async (job) => {
      for (const kind of ['log', 'frontier']) forgetFile(`job/${job}/${kind}`)
      const own = [`job/${job}`, `job/${job}/lease`, `job/${job}/letters`, `family/${job.slice(-12)}`]
      for (const key of own) await values.delete(key)
      for (const kind of ['contents', 'failures'])
        for (let block = 0; await values.get(`job/${job}/${kind}/${block}`); block += 1)
          await values.delete(`job/${job}/${kind}/${block}`)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Segments of logs, and parts of the frontier that memory has no place for. */
function isOfBytes(key: string): boolean {
  return /^job\/[^/]+\/(?:log|frontier)\//.test(key)
}

function splitKey(key: string): readonly [name: string, place: number] {
  const end = key.lastIndexOf('/')
  return [key.slice(0, end), Number(key.slice(end + 1))]
}

/** As it goes over the network, about. */
export function bytesOf(value: Value | undefined): number {
  if (value === undefined) return 0
  return value instanceof Uint8Array ? value.byteLength : JSON.stringify(value).length
}
