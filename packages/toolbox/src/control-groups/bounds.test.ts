import { expect, test } from 'vitest'

import { controllers } from './bounds.ts'

const settings = (version: 1 | 2, limits: Parameters<(typeof controllers)[number]['settings']>[1]) =>
  controllers.flatMap((one) => one.settings(version, limits)).map(({ file, value }) => `${file} ${value}`)

test('the limits are written in the words of each version', () => {
  const limits = { memory: 1_600, processes: 3, processors: 0.5 }
  expect(settings(2, limits)).toEqual(['memory.max 1600', 'memory.swap.max 0', 'pids.max 3', 'cpu.max 50000 100000'])
  expect(settings(1, limits)).toEqual([
    'memory.limit_in_bytes 1500',
    'memory.memsw.limit_in_bytes 1500',
    'memory.kmem.limit_in_bytes 1500',
    'memory.kmem.tcp.limit_in_bytes 100',
    'pids.max 3',
    'cpu.cfs_period_us 100000',
    'cpu.cfs_quota_us 50000',
  ])
})

test('processors are unlimited without a limit', () => {
  expect(settings(2, { memory: 1, processes: 1 }).filter((line) => line.startsWith('cpu'))).toEqual([])
})
