// @module-tag long
// What nobody has caught in a server: that a promise failed ends nothing, and an exception ends the process in order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { bareEnv, main, startProgram } from './command.ts'

/** Breaks what a signal says, as a fault of ours would: in an event that nobody awaits. */
const breaker = `
process.on('SIGUSR2', () => void Promise.reject(new Error('nobody waits')))
process.on('SIGWINCH', () => { throw new Error('nobody catches') })
`

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a server goes on after a promise that nobody waited for, and ends with a code after an exception', async () => {
  const home = mkdtempSync(join(tmpdir(), 'uncaught-'))
  const preload = `data:text/javascript,${encodeURIComponent(breaker)}`
  const args = ['--import', preload, main, 'serve', '--port', '0', '--store', 'memory:']
  const { child, said, ended } = startProgram(process.execPath, args, {
    env: bareEnv(home, { HARVESTMAN_BROWSER: 'http://127.0.0.1:9' }),
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  })
  await until(() => said.err.includes('listens on'))
  const url = /listens on (\S+)/.exec(said.err)?.[1] ?? ''
  child.kill('SIGUSR2')
  await until(() => said.err.includes('nobody waits'))
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/harvestman_faults_total\{where="process"\} 1/)
  child.kill('SIGWINCH')
  const { code, err } = await ended
  expect(code).toBe(1)
  expect(err).toContain('nobody catches')
  expect(err).toContain('Exiting, to be restarted')
})
