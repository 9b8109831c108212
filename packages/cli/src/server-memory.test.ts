import { expect, test } from 'vitest'

import { restartWith, serverMemory } from './server-memory.ts'

type Process = Parameters<typeof restartWith>[1]

const settings = { flags: ['--max-semi-space-size=8'], env: { MALLOC_ARENA_MAX: '2' } }

function restartsOf(changes: Partial<Process> = {}): readonly unknown[] {
  const calls: unknown[] = []
  // Cast: the real function never returns.
  const execve = ((...call: unknown[]) => void calls.push(call)) as unknown as NodeJS.Process['execve']
  const process = {
    argv: ['node', '/main.js', 'serve'],
    env: { HOME: '/home' },
    execArgv: ['--import', '/preload.js'],
    execPath: '/bin/node',
    platform: 'linux',
    execve,
  } as const
  restartWith(settings, { ...process, ...changes } as Process)
  return calls
}

test('a server restarts with the settings, its own options and its arguments', () => {
  const args = ['/bin/node', '--max-semi-space-size=8', '--import', '/preload.js', '/main.js', 'serve']
  expect(restartsOf()).toEqual([['/bin/node', args, { HOME: '/home', MALLOC_ARENA_MAX: '2' }]])
})

test('variables that are set keep their values', () => {
  expect(restartsOf({ env: { MALLOC_ARENA_MAX: '8' } })).toEqual([
    ['/bin/node', expect.anything(), { MALLOC_ARENA_MAX: '8' }],
  ])
})

test('a process that restarted does not restart again', () => {
  expect(restartsOf({ execArgv: serverMemory().flags as string[] })).toEqual([])
})

test('a process under the permission model goes on without the settings', () => {
  const execve = (): never => {
    throw new Error('Access to this API has been restricted')
  }
  expect(() => restartsOf({ execve })).not.toThrow()
})

test.each([
  ['whose young generation is set by NODE_OPTIONS', { env: { NODE_OPTIONS: '--max-semi-space-size=32' } }],
  ['with an IPC channel', { connected: true }],
  ['on Windows', { platform: 'win32' }],
  ['of a Node version that cannot replace a process', { execve: undefined }],
] as const)('a process %s does not restart', (_, changes) => {
  expect(restartsOf(changes as Partial<Process>)).toEqual([])
})
