import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { findPlaces, type FindPlace } from './places.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A machine that says this of itself. */
function places(groups: string, mounts: string): FindPlace {
  const proc = mkdtempSync(join(folder, 'proc-'))
  mkdirSync(join(proc, 'self'))
  writeFileSync(join(proc, 'self/cgroup'), groups)
  writeFileSync(join(proc, 'self/mountinfo'), mounts)
  return findPlaces(proc)
}

const plain = '25 1 0:22 / /proc rw,nosuid - proc proc rw\n'

test('with the old kind, each controller has a folder of its own', () => {
  const find = places(
    '4:memory:/work/one\n8:pids:/\n2:cpu,cpuacct:/work\n0::/\n',
    `${plain}35 31 0:32 / /cg/memory rw,relatime - cgroup cgroup rw,memory\n39 31 0:36 / /cg/pids rw - cgroup cgroup rw,pids\n40 31 0:36 / /cg/cpu rw shared:3 - cgroup cgroup rw,cpu,cpuacct\n`,
  )
  expect(find('memory')).toEqual({ version: 1, folder: '/cg/memory/work/one' })
  expect(find('pids')).toEqual({ version: 1, folder: '/cg/pids' })
  expect(find('cpu')).toEqual({ version: 1, folder: '/cg/cpu/work' })
})

test('with the new kind, the folder of the process is that of every controller which is offered there', () => {
  const tree = join(folder, 'tree')
  mkdirSync(join(tree, 'service'), { recursive: true })
  writeFileSync(join(tree, 'service/cgroup.controllers'), 'cpu memory pids\n')
  const find = places('0::/system/service\n', `${plain}30 23 0:26 /system ${tree} rw - cgroup2 cgroup2 rw,nsdelegate\n`)
  expect(find('memory')).toEqual({ version: 2, folder: join(tree, 'service') })
  expect(find('io')).toBeUndefined()
})

test('a group that cannot be seen from a container is none', () => {
  const find = places(
    '4:memory:/docker/other\n',
    `${plain}35 31 0:32 /docker/mine /cg/memory rw - cgroup cgroup rw,memory\n`,
  )
  expect(find('memory')).toBeUndefined()
  expect(places('', '')('memory')).toBeUndefined()
})
