import { gate, settle } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { keyLocks } from './key-locks.ts'

function bench() {
  const locks = keyLocks()
  const log: string[] = []
  const step = (name: string, until: Promise<void>) => async () => {
    log.push(`${name} begins`)
    await until
    log.push(`${name} ends`)
  }
  return { locks, log, step }
}

test('a write is alone, and turns are in the order of asking', async () => {
  const { locks, log, step } = bench()
  const { opened, open } = gate()
  const all = [
    locks.write('key', step('write 1', opened)),
    locks.read(['key'], step('read 1', opened)),
    locks.read(['key'], step('read 2', opened)),
    locks.write('key', step('write 2', opened)),
  ]
  await settle()
  expect(log).toEqual(['write 1 begins'])
  open()
  await Promise.all(all)
  expect(log).toEqual([
    'write 1 begins',
    'write 1 ends',
    'read 1 begins',
    'read 2 begins',
    'read 1 ends',
    'read 2 ends',
    'write 2 begins',
    'write 2 ends',
  ])
})

test('keys do not wait for each other, and a read of many waits for each', async () => {
  const { locks, log, step } = bench()
  const [a, b] = [gate(), gate()]
  const all = [
    locks.write('a', step('a', a.opened)),
    locks.write('b', step('b', b.opened)),
    locks.read(['a', 'b'], step('both', Promise.resolve())),
  ]
  await settle()
  a.open()
  await settle()
  expect(log).toEqual(['a begins', 'b begins', 'a ends'])
  b.open()
  await Promise.all(all)
  expect(log.slice(3)).toEqual(['b ends', 'both begins', 'both ends'])
})

test('a turn that fails lets the next one come', async () => {
  const locks = keyLocks()
  const failing = locks.write('key', () => Promise.reject(new Error('no')))
  const next = locks.write('key', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})

test('is idle when the last turn is over, also one that was asked for meanwhile', async () => {
  const { locks, log, step } = bench()
  const { opened, open } = gate()
  void locks.write('key', step('first', opened)).then(() => locks.write('key', step('second', opened)))
  const idle = locks.idle().then(() => log.push('idle'))
  await settle()
  open()
  await idle
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'idle'])
})
