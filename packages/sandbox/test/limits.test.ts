// @module-tag long
// @module-tag bubblewrap
// @module-tag python3
import { spawnSync } from 'node:child_process'

import type { Jail, Sandbox } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { localSandbox } from '../src/index.ts'
import { bound, noBrowser, run, soon } from './setup.ts'

let sandbox: Sandbox
let jail: Jail

beforeAll(async () => {
  sandbox = localSandbox({ bound })
  jail = await sandbox.open({ connect: noBrowser }, soon())
})

afterAll(() => sandbox.close())

const works = async (): Promise<void> => {
  expect(await run(jail, 'bash', 'echo fine')).toMatchObject({ stdout: 'fine\n', exitCode: 0 })
}

/** Processes of this machine with this word in their command line. */
function processesWith(word: string): string[] {
  return spawnSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(word) && !line.includes('ps -axo'))
}

describe('code that never ends is killed, and the next call works', () => {
  for (const [language, code] of [
    ['node', 'while (true);'],
    ['node', 'await new Promise(() => setInterval(() => 0, 1000))'],
    ['python', 'while True: pass'],
    ['bash', 'trap "" TERM INT HUP; while :; do sleep 1; done'],
    ['bash', 'sleep 1000 & wait'],
  ] as const)
    test(`${language}: ${code}`, longIf(language !== 'python'), async () => {
      const result = await run(jail, language, code, 1_000)
      expect(result).toMatchObject({ killed: true, exitCode: undefined })
      expect(result.error).toMatch(/longer than 1 s/)
      await works()
    })
})

test.each(['STOP', 'TSTP', 'TTIN', 'TTOU'])('code cannot stop the processes that keep it, by SIG%s', async (name) => {
  await run(jail, 'bash', `kill -${name} 1 2`)
  expect(await run(jail, 'bash', "awk '/^State/ { print $2 }' /proc/2/status")).toMatchObject({
    stdout: expect.stringMatching(/^[RS]\n$/) as string,
  })
})

test('code can neither bound nor slow the processes that keep it', async () => {
  const code = `import os, resource\ndef tried(call):\n  try:\n    call()\n    return 1\n  except OSError: return 0\n[tried(lambda: resource.prlimit(2, resource.RLIMIT_NOFILE, (0, 0))), tried(lambda: os.setpriority(os.PRIO_PROCESS, 2, 19)), tried(lambda: os.sched_setaffinity(2, [0]))]`
  expect(await run(jail, 'python', code)).toMatchObject({ result: '[0, 0, 0]' })
})

test('a signal opens no door for debuggers of the process that keeps code', async () => {
  const code = `kill -USR1 2; sleep 0.5; exec 9<>/dev/tcp/127.0.0.1/9229`
  const { stderr } = await run(jail, 'bash', `bash -c '${code}'`)
  expect(stderr).toMatch(/refused/i)
})

test('nothing of a jail is left when it is closed, whatever daemons it made', async () => {
  const own = await sandbox.open({ connect: noBrowser }, soon())
  await run(own, 'bash', '(setsid nohup sleep 98761 > /dev/null 2>&1 &); (sleep 98761 &) ; sleep 0.2')
  expect(processesWith('98761').length).toBeGreaterThan(0)
  await own.close()
  await expect.poll(() => processesWith('98761')).toEqual([])
})

test('nothing is left when the process that owns the jail is killed', { tags: ['long'] }, async () => {
  const script = `
    import { localSandbox } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    const jail = await localSandbox({ bound: '${bound}' }).open({ connect: async () => { throw new Error('none') } }, AbortSignal.timeout(20000))
    void jail.run({ language: 'bash', text: 'sleep 98762', timeout: 60000 }, AbortSignal.timeout(60000))
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)
  `
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })
  expect(signal).toBe('SIGKILL')
  await expect.poll(() => processesWith('98762')).toEqual([])
})

describe('what code prints', () => {
  test('cannot be taken for the outcome of the run', async () => {
    const lie = JSON.stringify({ tell: 'done', run: 1, exitCode: 0, result: 'forged', killed: false })
    const { stdout, result, exitCode } = await run(
      jail,
      'node',
      `console.log(${JSON.stringify(lie)}); throw new Error('true')`,
    )
    expect(stdout).toContain('forged')
    expect(result).toBeUndefined()
    expect(exitCode).toBe(1)
  })

  test('may be no text: what is none is replaced', async () => {
    const { stdout } = await run(jail, 'bash', String.raw`printf 'a\x00b\xffc\x1b[31m'`)
    expect(stdout).toBe('a\uFFFDb\uFFFDc\u001B[31m')
  })

  // Whole lines, and the beginning of one, into every file that the process has open.
  const forged = JSON.stringify({ exitCode: 0, result: 'forged', word: '' })
  for (const [language, code] of [
    [
      'node',
      `for (let n = 3; n < 40; n++) try { require('fs').writeSync(n, ${JSON.stringify(`${forged}\n{"exit`)}) } catch {}; throw new Error('true')`,
    ],
    [
      'python',
      `import os\nfor n in range(3, 40):\n  try: os.write(n, ${JSON.stringify(`${forged}\n{"exit`)}.encode())\n  except OSError: pass\nraise Exception('true')`,
    ],
    [
      'bash',
      `for n in 3 4 5 6 7 8 9 10 11 12 13; do { printf '%s\\n{"exit' '${forged}' >&$n; } 2> /dev/null; done; false`,
    ],
  ] as const)
    test(`into other files than its own two is not heard: ${language}`, longIf(language === 'node'), async () => {
      const own = await sandbox.open({ connect: noBrowser }, soon())
      const { result, exitCode } = await run(own, language, code)
      expect(result).toBeUndefined()
      // An interpreter that has its own files written over may end by that, in the next run too; then a new one is started.
      expect([1, undefined]).toContain(exitCode)
      const next = async () => (await run(own, language, language === 'bash' ? 'echo 2' : '1 + 1')).exitCode
      await expect.poll(next, { timeout: 25_000 }).toBe(0)
      await own.close()
    })
})

test('runs of one jail wait for each other, in the order they came', async () => {
  const all = await Promise.all(
    [1, 2, 3].map((n) => run(jail, 'bash', `turns=$((turns + 1)); sleep 0.1; echo ${n} $turns`)),
  )
  expect(all.map(({ stdout }) => stdout)).toEqual(['1 1\n', '2 2\n', '3 3\n'])
})

test('a call that is cancelled ends at once, and so does what it started', async () => {
  const own = await sandbox.open({ connect: noBrowser }, soon())
  const cancel = new AbortController()
  const going = own.run({ language: 'bash', text: 'sleep 98763', timeout: 60_000 }, cancel.signal)
  setTimeout(() => cancel.abort(new Error('enough')), 300)
  await expect(going).rejects.toThrow('enough')
  await expect.poll(() => processesWith('98763')).toEqual([])
})

test('a client is told that there is no browser by the answer to its handshake, before it can wait for a message', async () => {
  const asks = `await new Promise((resolve) => require('http')
    .get({ host: '127.0.0.1', port: process.env.HARVESTMAN_CDP_PORT, headers: { Connection: 'Upgrade', Upgrade: 'websocket',
      'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==' } })
    .on('response', ({ statusCode }) => resolve(statusCode)).on('upgrade', () => resolve('opened')))`
  expect(await run(jail, 'node', asks)).toMatchObject({ result: '502', exitCode: 0 })
})
