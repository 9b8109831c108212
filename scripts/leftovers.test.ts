import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import { openRunFolder, type RunFolder } from './leftovers.ts'

let run: RunFolder | undefined
afterEach(() => run?.remove())

test('a run that cleaned up after itself left nothing', async () => {
  const env: NodeJS.ProcessEnv = {}
  run = openRunFolder(env)
  expect(env['TMPDIR']).toBe(run.path)
  expect(await run.leftovers(0)).toEqual([])
  run.remove()
  expect(existsSync(run.path)).toBe(false)
})

test('a file that nothing removed is named', async () => {
  run = openRunFolder({})
  writeFileSync(join(run.path, 'forgotten'), '')
  expect(await run.leftovers(0)).toEqual([`a file or folder: ${join(run.path, 'forgotten')}`])
})

test('a folder that is empty may stay where a file of tests was left out, and one that holds something may not', async () => {
  run = openRunFolder({})
  mkdirSync(join(run.path, 'made-when-read'))
  expect(await run.leftovers(0, true)).toEqual([])
  expect(await run.leftovers(0)).toHaveLength(1)
  writeFileSync(join(run.path, 'made-when-read', 'forgotten'), '')
  expect(await run.leftovers(0, true)).toHaveLength(1)
})

test.skipIf(process.platform !== 'linux').each(['its environment', 'its folder', 'its command'])(
  'a process that still runs is named, known by %s',
  async (by) => {
    run = openRunFolder({})
    const args = by === 'its command' ? [run.path] : []
    // A program of a program: the children of the runner are the runner's.
    const script = `const child = require('node:child_process').spawn(process.execPath,
      ['-e', 'setInterval(() => {}, 1000)', ...${JSON.stringify(args)}],
      { detached: true, stdio: 'ignore', ${by === 'its folder' ? `cwd: '${run.path}',` : ''}
        env: ${by === 'its environment' ? `{ HOME: '${run.path}' }` : '{}'} })
      child.unref(); console.log(child.pid)`
    const parent = spawn(process.execPath, ['-e', script], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    parent.stdout.on('data', (text) => (said += String(text)))
    await once(parent, 'close')
    const pid = Number(said)
    try {
      await expect.poll(() => run!.leftovers(0)).toEqual([expect.stringMatching(new RegExp(`^a process: ${pid} `))])
    } finally {
      process.kill(pid, 'SIGKILL')
    }
    expect(await run.leftovers(20_000)).toEqual([])
  },
)
