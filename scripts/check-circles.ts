import { basename, dirname, join } from 'node:path'

import type { Import } from './imports.ts'

/**
 * Files that reach themselves by their imports, types included: they can only be read, moved and understood together. A
 * sentence for each circle, by its shortest way round; circles that share a file with one that was told come when that is
 * undone.
 */
export function findCircles(imports: readonly Import[]): string[] {
  const edges = new Map<string, string[]>()
  for (const { file, specifier } of imports) {
    if (specifier.startsWith('.')) edges.set(file, [...(edges.get(file) ?? []), join(dirname(file), specifier)])
  }
  const told = new Set<string>()
  const sentences: string[] = []
  for (const file of edges.keys()) {
    const way = told.has(file) ? undefined : wayBack(file, edges)
    if (!way || way.some((step) => told.has(step))) continue
    for (const step of way) told.add(step)
    sentences.push(
      `${[...way, file].join(' imports ')}: a circle. Put what both need (a type, often) into a file of its own, or have it passed in.`,
    )
  }
  return sentences
}

/** The same for rooms: the folders beside each other in a package, and the files that stand in none. */
export function findRoomCircles(imports: readonly Import[]): string[] {
  const ways = imports.flatMap(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return []
    const [from, to] = [roomOf(file), roomOf(join(dirname(file), specifier))]
    return from === to ? [] : [{ file: from, specifier: `./${basename(to)}` }]
  })
  return findCircles(ways)
}

/**
 * The same for packages. Imports of tests do not count: nearly every package tests itself with `testing`, which is built on
 * them.
 */
export function findPackageCircles(imports: readonly Import[]): string[] {
  const ways = imports.flatMap(({ file, specifier }) => {
    const [scope, to] = specifier.split('/')
    const from = file.split('/')[1]
    return scope !== '@harvestman' || to === from ? [] : [{ file: `packages/${from}`, specifier: `./${to}` }]
  })
  return findCircles(ways)
}

/** As in `packages/http/src/jobs`. */
function roomOf(file: string): string {
  return file.split('/').slice(0, 4).join('/')
}

/** The shortest way from a file to itself, without its end. */
function wayBack(start: string, edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const next of edges.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = []
  for (let step: string | undefined = file; step !== undefined; step = cameFrom.get(step)) way.unshift(step)
  return way
}
