import { EventEmitter } from 'node:events'

import { expect, test } from 'vitest'

import { takeUncaught } from './uncaught.ts'

function watched(onFault: (fault: unknown) => void = () => undefined) {
  const faults: unknown[] = []
  const ends: string[] = []
  const from = new EventEmitter()
  const stop = takeUncaught(
    {
      onFault: (fault) => {
        faults.push(fault)
        onFault(fault)
      },
      onBroken: () => ends.push('end'),
    },
    from,
  )
  return { from, faults, ends, stop }
}

test('a promise that failed and that nobody waited for is told of, and nothing ends', () => {
  const { from, faults, ends } = watched()
  from.emit('unhandledRejection', 'one')
  from.emit('unhandledRejection', undefined)
  expect({ faults, ends }).toEqual({ faults: ['one', undefined], ends: [] })
})

test('an exception that nobody caught is told of, and ends the process once', () => {
  const { from, faults, ends } = watched()
  from.emit('uncaughtException', 'one')
  from.emit('uncaughtException', 'two')
  expect({ faults, ends }).toEqual({ faults: ['one', 'two'], ends: ['end'] })
})

test('a log that breaks breaks nothing here', () => {
  const { from, ends } = watched(() => {
    throw new Error('The log is full.')
  })
  from.emit('unhandledRejection', 'one')
  from.emit('uncaughtException', 'two')
  expect(ends).toEqual(['end'])
})

test('an exception that its own report causes is not reported forever', () => {
  const { from, faults, ends } = watched(() => void from.emit('uncaughtException', 'The log cannot be written.'))
  from.emit('uncaughtException', 'one')
  expect({ reports: faults.length, ends }).toEqual({ reports: 10, ends: ['end'] })
})

test('after it is stopped nothing is taken', () => {
  const { from, stop } = watched()
  stop()
  expect(from.listenerCount('unhandledRejection') + from.listenerCount('uncaughtException')).toBe(0)
})
