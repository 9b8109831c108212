// What the processes of a jail hold of memory.
import { readFileSync } from 'node:fs'

const pageSize = 4096

/** Memory that processes share stands in none of their own figures, also when none of them looks at it just now. */
const sharedLines = /^([0-9a-f]+)-([0-9a-f]+) \S+ ([0-9a-f]+) \S+ (\d+) +\/dev\/zero \(deleted\)$/gm

function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has ended.
    return ''
  }
}

export function ownMemory(processes) {
  let pages = 0
  for (const name of processes) {
    const [, resident = 0, shared = 0] = read(`/proc/${name}/statm`).split(' ')
    pages += resident - shared
  }
  return pages * pageSize
}

export function sharedMemory(processes) {
  const sizes = new Map()
  for (const name of processes) {
    for (const [, from, to, offset, id] of read(`/proc/${name}/maps`).matchAll(sharedLines)) {
      const size = Number.parseInt(to, 16) - Number.parseInt(from, 16) + Number.parseInt(offset, 16)
      sizes.set(id, Math.max(size, sizes.get(id) ?? 0))
    }
  }
  return sizes.values().reduce((sum, size) => sum + size, 0)
}
