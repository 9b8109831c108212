import { expect, test } from 'vitest'

import { getPrograms, type Machine } from './get-programs.ts'
import type { Program } from './programs.ts'

const signs = /never/
const redis = { name: 'redis', what: 'redis-server', get: { debian: 'redis-server' }, signs } as const
const fish = { name: 'fish', what: 'fish', get: { debian: 'fish' }, signs } as const
const clients = { name: 'other-clients', what: 'clients', get: { npm: 'test/others' }, signs } as const

/** A machine that has none of the programs, and what is said and run on it. */
function on(machine: Partial<Machine>, here: readonly string[] = [], all = [redis, fish, clients]) {
  const said: string[] = []
  const ran: string[] = []
  getPrograms(
    all.map((program): Program => ({ ...program, isHere: () => here.includes(program.name) })),
    {
      env: {},
      isRoot: true,
      hasApt: true,
      canWrite: () => true,
      run: (command, args) => ran.push([command, ...args].join(' ')) > 0,
      say: (line) => said.push(line),
      ...machine,
    },
  )
  return { said, ran }
}

test('what is missing is installed after one line that names it and the setting that refuses it', () => {
  const { said, ran } = on({}, ['fish'])
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/npm ci in test\/others .*HARVESTMAN_TEST_INSTALL=no/),
    expect.stringMatching(/apt-get: redis-server .*HARVESTMAN_TEST_INSTALL=no/),
  ])
  expect(ran).toEqual([
    'npm ci --no-audit --no-fund --ignore-scripts',
    'apt-get update -q',
    'apt-get install -yq --no-install-recommends redis-server',
  ])
})

test.each<[string, Partial<Machine>]>([
  ['without rights', { isRoot: false, canWrite: () => false }],
  ['where there is neither apt-get nor a folder to write in', { hasApt: false, canWrite: () => false }],
  ['where it is refused', { env: { HARVESTMAN_TEST_INSTALL: 'no' } }],
])('%s nothing is installed, and what is missing is said with the command that gets it', (_, machine) => {
  const { said, ran } = on(machine)
  expect(ran).toEqual([])
  expect(said.join('\n')).toMatch(
    /redis-server \(apt-get install redis-server\)\n.*\n.*clients \(npm ci in test\/others\)/,
  )
})

test('where everything is there, nothing is run or said', () => {
  expect(on({}, ['redis', 'fish', 'other-clients'])).toEqual({ said: [], ran: [] })
})

test('where the system lacks one of the packages, the others are installed all the same', () => {
  const ran: string[] = []
  const run = (_: string, args: readonly string[]): boolean => {
    ran.push(args.at(-1) ?? '')
    return args[0] === 'update'
  }
  on({ run }, [], [redis, fish])
  expect(ran).toEqual(['-q', 'fish', 'redis-server', 'fish'])
})

test('a setting that is neither yes nor no is named', () => {
  expect(() => on({ env: { HARVESTMAN_TEST_INSTALL: '0' } })).toThrow('HARVESTMAN_TEST_INSTALL is "0": give yes or no.')
})
