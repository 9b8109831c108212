import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { logout, servers } from './login.ts'
import { plain } from './paint.ts'
import { addressOf, readServers, serverFor } from './servers.ts'
import type { Shell } from './shell.ts'

/** Creates a shell with a configuration folder of its own, and the path of its file of servers. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'cli-servers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const shell: Shell = {
    env: { XDG_CONFIG_HOME: folder },
    out: () => undefined,
    err: () => undefined,
    isTerminal: false,
    columns: () => 80,
    paint: { out: plain, err: plain },
    stdin: () => new Uint8Array(),
    isInteractive: false,
    lines: async function* () {},
  }
  mkdirSync(join(folder, 'harvestman'))
  return { shell, file: join(folder, 'harvestman', 'servers.json') }
}

test('there are no servers if their file is missing', () => {
  const { shell, file } = setUp()
  expect(readServers(shell)).toEqual({ servers: {} })
  writeFileSync(file, '')
  expect(readServers({ ...shell, env: { XDG_CONFIG_HOME: file } })).toEqual({ servers: {} })
})

test('a file of servers that cannot be read is an error, so that no login replaces it', () => {
  const { shell, file } = setUp()
  // Reading a folder fails for every user; missing permissions do not stop root.
  mkdirSync(file)
  expect(() => readServers(shell)).toThrow(`${file} cannot be read. Check its permissions.`)
  expect(serverFor({ server: 'local' }, shell)).toBeUndefined()
})

test('a name that every object has is not the name of a server', () => {
  const { shell } = setUp()
  const message = /constructor/
  expect(() => serverFor({ server: 'constructor' }, shell)).toThrow(message)
  expect(() => logout('constructor', shell)).toThrow(message)
  expect(() => servers('constructor', shell)).toThrow(message)
})

test.each(['user@', 'user:password@', ':password@'])(
  'the URL of a server has no credentials, and they are not shown: %s',
  (credentials) => {
    const message =
      'The URL of a server has no user name or password. Write it as http://host:3002, and log in with a key.'
    expect(() => addressOf(`http://${credentials}host:3002`)).toThrow(message)
  },
)
