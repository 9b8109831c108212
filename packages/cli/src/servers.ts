// Servers that `harvestman login` has stored, and the choice of the server for a command.
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { EngineError } from '@harvestman/ports'
import { unknownName } from '@harvestman/toolbox/choices'
import { errorCode } from '@harvestman/toolbox/error-message'
import { makePrivateFolder } from '@harvestman/toolbox/private-files'

import type { ServerFlags } from './server-options.ts'
import type { Shell } from './shell.ts'

/** A server and its API key. */
export interface Server {
  readonly url: string
  readonly key?: string
}

/** The stored servers by name, and the default server of commands. */
export interface Servers {
  readonly current?: string
  readonly servers: Readonly<Record<string, Server>>
}

/** Server name that selects the engine in this process. */
export const local = 'local'

/**
 * Returns the server that a command uses, or `undefined` for an engine in this process: that of `--server`, of
 * HARVESTMAN_SERVER, or the stored default, and none for `--store` alone. Throws `invalid_request` for an unknown server, and
 * for `--server` where runs are recorded or replayed.
 */
export function serverFor(flags: ServerFlags, shell: Shell): Server | undefined {
  if (flags.store !== undefined && flags.server === undefined) return undefined
  if (shell.plugins?.length) {
    if (flags.server === undefined || flags.server === local) return undefined
    throw new EngineError('invalid_request', 'Runs are recorded and replayed without a server. Remove --server.')
  }
  const named = flags.server ?? shell.env['HARVESTMAN_SERVER']
  if (named === local) return undefined
  const known = readServers(shell)
  const word = named ?? known.current
  if (word === undefined || word === local) return undefined
  const found = Object.hasOwn(known.servers, word) ? known.servers[word] : serverAt(word, known)
  if (!found) {
    const problem = unknownName('server', word, Object.keys(known.servers))
    const message = `${problem} Add it with: harvestman login <url> --name ${word}`
    throw new EngineError('invalid_request', message)
  }
  const key = flags.key ?? shell.env['HARVESTMAN_SERVER_KEY'] ?? found.key
  return { url: found.url, ...(key !== undefined && { key }) }
}

function serverAt(word: string, { servers }: Servers): Server | undefined {
  if (!/^https?:\/\//i.test(word)) return undefined
  const url = addressOf(word)
  return Object.values(servers).find((one) => one.url === url) ?? { url }
}

/**
 * Returns the normalized URL of a server, without a trailing slash. Throws `invalid_request` for another URL than http(s), and
 * one with a user name, a password, a query or a fragment.
 */
export function addressOf(text: string): string {
  const url = URL.parse(text)
  // The URL is not part of this message, because it contains a secret.
  if (url && url.username + url.password !== '')
    throw new EngineError(
      'invalid_request',
      'The URL of a server has no user name or password. Write it as http://host:3002, and log in with a key.',
    )
  if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '')
    throw new EngineError('invalid_request', `"${text}" is not the URL of a server. Write it as http://host:3002.`)
  return url.href.replace(/\/+$/, '')
}

/** Reads the stored servers. Empty if there is no file; throws `invalid_request` if it cannot be read or is damaged. */
export function readServers(shell: Shell): Servers {
  const file = fileOf(shell)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    // ENOTDIR: a part of the path is a file, as in HOME=/dev/null.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return { servers: {} }
    throw new EngineError('invalid_request', `${file} cannot be read. Check its permissions.`, { cause })
  }
  const known = parsed(text)
  if (!known) throw new EngineError('invalid_request', `${file} is damaged. Remove it, and log in again.`)
  return known
}

/**
 * Stores the servers in a file that only its user can read, since it contains keys. Throws `invalid_request` if it cannot be
 * written.
 */
export function writeServers(servers: Servers, shell: Shell): void {
  const file = fileOf(shell)
  try {
    makePrivateFolder(dirname(file))
    writeFileSync(`${file}.new`, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw new EngineError('invalid_request', `${file} cannot be written. Check its folder and permissions.`, { cause })
  }
}

function fileOf({ env }: Shell): string {
  const home = env['HOME'] ?? homedir()
  return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'harvestman', 'servers.json')
}

function parsed(text: string): Servers | undefined {
  try {
    const { current, servers } = JSON.parse(text) as Partial<Servers>
    const isRight = Object.values(servers ?? {}).every((one) => typeof one.url === 'string')
    if (!servers || !isRight) return undefined
    return { servers, ...(typeof current === 'string' && Object.hasOwn(servers, current) && { current }) }
  } catch {
    return undefined
  }
}
