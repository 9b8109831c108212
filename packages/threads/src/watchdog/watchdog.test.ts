import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { lineOfReport } from './report.ts'
import { makeSharedState, openSharedState } from './shared-state.ts'
import { makeStuckTime } from './stuck-time.ts'
import { startWatchdog } from './watchdog.ts'

const interval = 100

test('a thread that makes no progress is stuck for as long as the polls say, and no longer once it makes some', () => {
  const { add } = makeStuckTime(interval)
  const polls = [1, 1, 1, 2, 2].map((beats) => add({ beats, elapsed: 100, running: 0, starved: 0 }))
  expect(polls).toEqual([0, 100, 200, 0, 100])
})

test('a suspended machine, a stopped process and a frozen container are not a stuck thread', () => {
  const { add } = makeStuckTime(interval)
  add({ beats: 1, elapsed: 100, running: 0, starved: 0 })
  expect(add({ beats: 1, elapsed: 8 * 3_600_000, running: 0, starved: 0 })).toBe(200)
})

test('time in which the thread waited for a core does not count', () => {
  const { add } = makeStuckTime(interval)
  add({ beats: 1, elapsed: 100, running: 0, starved: 0 })
  expect(add({ beats: 1, elapsed: 100, running: 5, starved: 95 })).toBe(5)
  // Linux accounts for a wait when it ends.
  add({ beats: 1, elapsed: 100, running: 0, starved: 0 })
  expect(add({ beats: 1, elapsed: 100, running: 0, starved: 190 })).toBe(15)
})

test('a busy thread is stuck also where the polls are late, as on a machine with few free cores', () => {
  const { add } = makeStuckTime(interval)
  add({ beats: 1, elapsed: 100, running: 0, starved: 0 })
  for (let poll = 0; poll < 9; poll += 1) add({ beats: 1, elapsed: 1_000, running: 300, starved: 700 })
  expect(add({ beats: 1, elapsed: 1_000, running: 300, starved: 700 })).toBe(3_000)
})

test('the four latest activities are known, oldest first, and long ones are cut', () => {
  const state = openSharedState(makeSharedState())
  expect(state.recent()).toEqual([])
  for (const name of ['1', 'a long one', '3', '4', '5', 'x'.repeat(1_000)]) state.note(name)
  expect(state.recent()).toEqual(['3', '4', '5', 'x'.repeat(300)])
})

test('a report names no secrets of a URL', () => {
  const stack = { kind: 'native' } as const
  const recent = ['https://user:pass@site.example/a?key=1 to https://a:b@two.example/?key=2', 'job 7']
  const line = lineOfReport({ stuck: 31_000, cpu: 30_000, stack, recent, ends: true }, 'json')
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    event: 'process.stuck',
    message:
      'The main thread has been stuck for 31 s (busy). It runs native code, so there is no JavaScript stack. This process ends with SIGKILL. Its jobs continue in another process, or after a restart.',
    stack: [],
    recent: ['https://site.example/a?… to https://two.example/?…', 'job 7'],
  })
})

test('a main thread in an endless loop is reported once, with its stack and its latest activity', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watchdog-'))
  const file = join(folder, 'stuck.log')
  const watchdog = startWatchdog({ limit: 200, file })
  onTestFinished(async () => {
    await watchdog.close()
    rmSync(folder, { recursive: true })
  })
  const report = (): string => readOrEmpty(file)
  watchdog.note('https://site.example/page')
  const spinUntilReported = (): void => {
    while (report() === '');
  }
  spinUntilReported()
  const { stack, recent } = JSON.parse(report())
  expect(stack).toContainEqual(expect.stringMatching(/^at spinUntilReported \(.*watchdog\.test\.ts:\d+:\d+\)$/))
  expect(recent).toEqual(['https://site.example/page'])
})

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
