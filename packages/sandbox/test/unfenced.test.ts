// @module-tag long
// @module-tag python3
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Jail } from '@harvestman/ports'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { localSandbox } from '../src/index.ts'
import { languages, noBrowser, run, soon } from './setup.ts'

const sandbox = localSandbox({ mode: 'unsafe-process' })
let jail: Jail

beforeEach(async () => {
  jail = await sandbox.open({ connect: noBrowser }, soon())
})
afterEach(() => jail.close())

interface Process {
  readonly pid: number
  readonly args: string
}

/** The processes of these groups. */
function processesIn(groups: readonly number[]): Process[] {
  return spawnSync('ps', ['-axo', 'pid=,pgid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((parts) => parts !== null && groups.includes(Number(parts[2])))
    .map((parts) => ({ pid: Number(parts?.[1]), args: parts?.[3] ?? '' }))
}

const groupOf = { node: 'process.pid', python: 'import os\nos.getpid()', bash: 'echo $$' } as const

/** Starts all three interpreters; each leads the group whose number is its own. */
async function startAll(): Promise<number[]> {
  const groups = []
  for (const language of languages) {
    const { result, stdout } = await run(jail, language, groupOf[language])
    groups.push(Number(result ?? stdout))
  }
  return groups
}

const areGone = (groups: readonly number[]): Promise<void> => expect.poll(() => processesIn(groups)).toEqual([])

test('no interpreter stays when its jail is closed, nor what it started', { tags: ['long'] }, async () => {
  const groups = await startAll()
  await run(jail, 'bash', '(nohup sleep 98764 > /dev/null 2>&1 &); sleep 0.1')
  expect(processesIn(groups).filter(({ args }) => args === 'sleep 98764')).toHaveLength(1)
  await jail.close()
  await areGone(groups)
})

for (const [language, code] of [
  ['node', 'while (true);'],
  ['python', 'while True: pass'],
  ['bash', 'while :; do :; done'],
] as const)
  test(`${language} that is busy ends with the process that supervises it`, longIf(language !== 'python'), async () => {
    const groups = await startAll()
    const going = run(jail, language, code).catch(() => undefined)
    await sleep(200)
    await jail.close()
    await going
    await areGone(groups)
  })

test('what an interpreter started ends with it', { tags: ['long'] }, async () => {
  const [, , bash = 0] = await startAll()
  await run(jail, 'bash', '(nohup sleep 98765 > /dev/null 2>&1 &); sleep 0.1; exit 3')
  await areGone([bash])
  expect(await run(jail, 'bash', 'echo again')).toMatchObject({ stdout: 'again\n' })
})

test('the variables of a session stay between its runs', async () => {
  await run(jail, 'node', 'const seen = 7')
  expect(await run(jail, 'node', 'seen + 1')).toMatchObject({ result: '8' })
})
